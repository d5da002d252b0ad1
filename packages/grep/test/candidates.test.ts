import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { findCandidates, type ListFiles } from "../src/candidates.ts";
import { startClock } from "../src/engine/clock.ts";

const FILTER = { include: undefined, includesHidden: false, includesIgnored: false };
const WHOLE = { paths: ["a", "b", "c"], searched: 3, skipped: 0 };
const SOME = { paths: ["b"], searched: undefined, skipped: 0 };

/** A ripgrep that only ends when it is stopped. */
const untilStopped: ListFiles = async (_, signal) => {
  await aborted(signal);
  return SOME;
};

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener(
      "abort",
      () => {
        resolve();
      },
      { once: true },
    );
  });
}

function find(list: ListFiles, options: Partial<Parameters<typeof findCandidates>[0]> = {}) {
  const clock = startClock(new AbortController().signal, Infinity);
  const ended = new AbortController().signal;
  return findCandidates({
    list,
    filter: FILTER,
    isSearched: () => true,
    clock,
    ended,
    maxDurationMs: 5000,
    ...options,
  });
}

describe("candidates", () => {
  it("are those of ripgrep's files that are searched", async () => {
    const candidates = find(() => Promise.resolve(WHOLE), { isSearched: (path) => path !== "b" });
    expect(candidates.isComplete()).toBe(false);
    expect(await candidates.all()).toEqual({ ...WHOLE, paths: ["a", "c"], timedOut: false });
    expect(candidates.isComplete()).toBe(true);
  });

  it.each([
    ["many are found", 5000, true],
    ["it has taken long", 1, false],
  ])("are not waited for once %s", async (_, maxMs, tellsOfMany) => {
    const candidates = find((options, signal) => {
      if (tellsOfMany) options.onMany?.();
      return untilStopped(options, signal);
    });
    await candidates.someFound(maxMs);
    expect(candidates.isComplete()).toBe(false);
    candidates.stop();
  });

  it("that were given up are never taken for all", async () => {
    const candidates = find(untilStopped);
    candidates.stop();
    await expect(candidates.all()).rejects.toThrow("aborted");
    expect(candidates.isComplete()).toBe(false);
  });

  it("that were given up after ripgrep's end are not taken for all either", async () => {
    const candidates = find(() => Promise.resolve(WHOLE), {
      isSearched: () => {
        candidates.stop();
        return true;
      },
    });
    await expect(candidates.all()).rejects.toThrow("aborted");
    expect(candidates.isComplete()).toBe(false);
  });

  it("are not looked for any longer once the search has ended", async () => {
    const ended = new AbortController();
    const candidates = find(untilStopped, { ended: ended.signal });
    ended.abort();
    await expect(candidates.all()).rejects.toThrow("aborted");
  });

  it("end with what was found in the time", async () => {
    expect(await find(untilStopped, { maxDurationMs: 10 }).all()).toEqual({ ...SOME, timedOut: true });
  });

  it("end with the clock of the call", async () => {
    const clock = startClock(new AbortController().signal, 10);
    await expect(find(untilStopped, { clock }).all()).rejects.toThrow("The time of the search is over.");
  });

  it("are all there, however long it takes to go through them", async () => {
    const paths = Array.from({ length: 60 }, (_, index) => String(index));
    const isSearched = () => {
      for (const until = performance.now() + 1; performance.now() < until;);
      return true;
    };
    const candidates = find(() => Promise.resolve({ ...WHOLE, paths }), { isSearched, maxDurationMs: 20 });
    expect(await candidates.all()).toEqual({ ...WHOLE, paths, timedOut: false });
  });

  it("pass on the error of ripgrep to whoever waits", async () => {
    const candidates = find(async () => {
      await sleep(1);
      throw new Error("no");
    });
    await expect(candidates.someFound(5000)).rejects.toThrow("no");
    await expect(candidates.all()).rejects.toThrow("no");
  });
});
