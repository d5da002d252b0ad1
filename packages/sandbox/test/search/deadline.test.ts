import { describe, expect, it } from "vitest";
import { createDeadline, WalkStopped } from "../../src/search/deadline.ts";

const never = new AbortController().signal;

describe("createDeadline", () => {
  it("has no reason to stop before the time is over", async () => {
    const deadline = createDeadline(never, 60_000);
    expect(deadline.reason()).toBeUndefined();
    deadline.check();
    await deadline.rest();
  });

  it("stops when the time is over, also during a rest", async () => {
    const deadline = createDeadline(never, 0);
    expect(deadline.reason()).toBe("time_limit");
    expect(() => {
      deadline.check();
    }).toThrow(new WalkStopped("time_limit"));
    await expect(deadline.rest()).rejects.toThrow(new WalkStopped("time_limit"));
  });

  it("stops when the caller aborts, whatever the time", async () => {
    const controller = new AbortController();
    const deadline = createDeadline(controller.signal, 60_000);
    const resting = deadline.rest();
    controller.abort();
    await expect(resting).rejects.toThrow(new WalkStopped("aborted"));
    expect(deadline.reason()).toBe("aborted");
  });

  it("is due after some work, long before the time is over", () => {
    const deadline = createDeadline(never, 60_000);
    const giveUpAt = performance.now() + 10_000;
    while (!deadline.due() && performance.now() < giveUpAt);
    expect(deadline.due()).toBe(true);
    expect(deadline.reason()).toBeUndefined();
  });
});
