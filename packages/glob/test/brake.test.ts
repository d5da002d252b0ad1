import { describe, expect, it } from "vitest";
import { createBrake, WalkStopped } from "../src/brake.ts";

const never = new AbortController().signal;

describe("createBrake", () => {
  it("has no reason to stop in time", async () => {
    const brake = createBrake(never, 60_000);
    expect(brake.reason()).toBeUndefined();
    brake.check();
    await brake.rest();
  });

  it("stops when the time is over, also during a rest", async () => {
    const brake = createBrake(never, 0);
    expect(brake.reason()).toBe("time_limit");
    expect(() => {
      brake.check();
    }).toThrow(new WalkStopped("time_limit"));
    await expect(brake.rest()).rejects.toThrow(new WalkStopped("time_limit"));
  });

  it("stops when the caller aborts, whatever the time", async () => {
    const controller = new AbortController();
    const brake = createBrake(controller.signal, 60_000);
    const resting = brake.rest();
    controller.abort();
    await expect(resting).rejects.toThrow(new WalkStopped("aborted"));
    expect(brake.reason()).toBe("aborted");
  });

  it("is due after some work, long before the time is over", () => {
    const brake = createBrake(never, 60_000);
    const giveUpAt = performance.now() + 10_000;
    while (!brake.due() && performance.now() < giveUpAt);
    expect(brake.due()).toBe(true);
    expect(brake.reason()).toBeUndefined();
  });
});
