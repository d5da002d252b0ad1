import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPacer } from "../src/pacer.ts";

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("createPacer", () => {
  it("is due after its slice, and again only a slice after a rest", async () => {
    const pacer = createPacer(new AbortController().signal, 20);
    expect(pacer.due()).toBe(false);
    spin(21);
    expect(pacer.due()).toBe(true);
    await pacer.rest();
    expect(pacer.due()).toBe(false);
  });

  it("is due at once after an abort, so that it does not depend on the machine whether work goes on", async () => {
    const pacer = createPacer(AbortSignal.abort("stop"), 1000);
    expect(pacer.due()).toBe(true);
    await expect(pacer.rest()).rejects.toBe("stop");
  });

  it("lets timers run while it rests", async () => {
    const pacer = createPacer(new AbortController().signal);
    let fired = false;
    void setTimeout(1).then(() => (fired = true));
    spin(3);
    await pacer.rest();
    await pacer.rest();
    expect(fired).toBe(true);
  });

  it("is not held up by fake timers, which a host's tests may have set", async () => {
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const pacer = createPacer();
    let rests = 0;
    const count = () => {
      rests += 1;
    };
    await nextTurn();
    vi.useFakeTimers();
    void pacer.rest().then(count);
    vi.useRealTimers();
    void pacer.rest().then(count);
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(rests).toBe(2);
  });

  it("throws the reason of an abort, also of one that came during the rest", async () => {
    const controller = new AbortController();
    const pacer = createPacer(controller.signal);
    const resting = pacer.rest();
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(resting).rejects.toBe(reason);
  });

  it("shares one slice among all calls, and gives each turn of the event loop to one of them", async () => {
    let turns = 0;
    let isDone = false;
    const work = Array.from({ length: 20 }, async () => {
      const pacer = createPacer(undefined, 2);
      if (pacer.due()) await pacer.rest();
      spin(3);
    });
    const watch = async (): Promise<void> => {
      while (!isDone) {
        await nextTurn();
        turns += 1;
      }
    };
    const watching = watch();
    await Promise.all(work);
    isDone = true;
    await watching;
    // Turns are counted, not timed: with a slice each, all twenty calls would share the first turn.
    expect(turns).toBeGreaterThanOrEqual(19);
  });

  /** Calls that work for a slice and rest, again and again until `isDone`, and note each turn that they had. */
  function startLargeCalls(count: number, isDone: () => boolean, note: () => void): Promise<unknown> {
    const work = async (): Promise<void> => {
      const pacer = createPacer();
      while (!isDone()) {
        await pacer.rest();
        note();
        spin(9);
      }
    };
    return Promise.all(Array.from({ length: count }, work));
  }

  it("does not make a small call wait until every large one had its turn", async () => {
    let turns = 0;
    let isDone = false;
    const large = startLargeCalls(
      20,
      () => isDone,
      () => (turns += 1),
    );
    while (turns < 60) await nextTurn();
    const before = turns;
    for (let call = 0; call < 5; call += 1) await createPacer().rest();
    const between = turns - before;
    isDone = true;
    await large;
    // At most one large call has its turn before each small one; first come, first served there would be twenty.
    expect(between).toBeLessThanOrEqual(10);
  });

  it("gives a large call its turn even if small ones keep coming", async () => {
    let turns = 0;
    let isDone = false;
    const large = startLargeCalls(
      1,
      () => isDone,
      () => (turns += 1),
    );
    const small = Array.from({ length: 4 }, async () => {
      while (!isDone) {
        await createPacer().rest();
        spin(2);
      }
    });
    // If small calls always went first, it would never get here.
    while (turns < 5) await nextTurn();
    isDone = true;
    await Promise.all([large, ...small]);
    expect(turns).toBeGreaterThanOrEqual(5);
  });
});
