import { describe, expect, it } from "vitest";
import { inTurns } from "../../src/write/placer.ts";

const { signal } = new AbortController();
const turn = () => new Promise(setImmediate);

describe("inTurns", () => {
  it("runs what has the same key one after the other, in order", async () => {
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
    };
    await Promise.all([
      inTurns(["a"], signal, work("1")),
      inTurns(["a"], signal, work("2")),
      inTurns(["a"], signal, work("3")),
    ]);
    expect(log).toEqual(["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
  });

  it("starts at once if nothing is before it, and knows whether it had to wait", async () => {
    const waits: boolean[] = [];
    const work = (hadToWait: boolean) => {
      waits.push(hadToWait);
      return Promise.resolve();
    };
    const first = inTurns(["d"], signal, work);
    expect(waits).toEqual([false]);
    await Promise.all([first, inTurns(["d"], signal, work)]);
    await turn();
    await inTurns(["d"], signal, work);
    expect(waits).toEqual([false, true, false]);
    await expect(inTurns(["d"], AbortSignal.abort(new Error("enough")), work)).rejects.toThrow("enough");
    expect(waits).toHaveLength(3);
  });

  it("does not hold up other keys", async () => {
    const never = inTurns(["a"], signal, () => new Promise<never>(() => undefined));
    expect(await inTurns(["b"], signal, () => Promise.resolve("done"))).toBe("done");
    expect(never).toBeInstanceOf(Promise);
  });

  it("goes on after a failure", async () => {
    const failing = inTurns(["c"], signal, () => Promise.reject(new Error("boom")));
    const next = inTurns(["c"], signal, () => Promise.resolve("done"));
    await expect(failing).rejects.toThrow("boom");
    expect(await next).toBe("done");
  });
});
