import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTurns } from "../src/turns.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to, and says when it began. */
function createWork(began: string[], name: string) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = async () => {
    began.push(name);
    await ended;
    return name;
  };
  return {
    work,
    end: () => {
      end();
    },
  };
}

describe("turns", () => {
  it("come in the order of the calls, a few at a time", async () => {
    const inTurn = createTurns({ maxRunning: 2, maxLong: 0, longAfterMs: 1 });
    const began: string[] = [];
    const works = ["a", "b", "c", "d"].map((name) => createWork(began, name));
    const results = works.map(({ work }) => inTurn(never, work));
    await sleep(10);
    expect(began).toEqual(["a", "b"]);
    works[1]?.end();
    await results[1];
    await sleep(0);
    expect(began).toEqual(["a", "b", "c"]);
    for (const { end } of works) end();
    expect(await Promise.all(results)).toEqual(["a", "b", "c", "d"]);
    expect(await inTurn(never, () => Promise.resolve("e"))).toBe("e");
  });

  it("are passed on by searches that take long, up to a number of them", async () => {
    const inTurn = createTurns({ maxRunning: 1, maxLong: 1, longAfterMs: 1 });
    const began: string[] = [];
    const works = ["a", "b", "c"].map((name) => createWork(began, name));
    const results = works.map(({ work }) => inTurn(never, work));
    await sleep(20);
    expect(began).toEqual(["a", "b"]);
    // With the long one over, the next takes its place and lets the last one in.
    works[0]?.end();
    await results[0];
    await expect.poll(() => began).toEqual(["a", "b", "c"]);
    for (const { end } of works) end();
    await Promise.all(results);
  });

  it("are not waited for after an abort, and no other call loses its turn", async () => {
    const inTurn = createTurns({ maxRunning: 1, maxLong: 0, longAfterMs: 1 });
    const began: string[] = [];
    const [first, second, third] = [createWork(began, "a"), createWork(began, "b"), createWork(began, "c")];
    const controller = new AbortController();
    const results = [inTurn(never, first.work), inTurn(controller.signal, second.work), inTurn(never, third.work)];
    controller.abort();
    await sleep(0);
    expect(began).toEqual(["a", "b"]);
    second.end();
    await results[1];
    expect(began).toEqual(["a", "b"]);
    first.end();
    await results[0];
    await sleep(0);
    expect(began).toEqual(["a", "b", "c"]);
    third.end();
    await results[2];
  });

  it("go on after work that fails", async () => {
    const inTurn = createTurns({ maxRunning: 1, maxLong: 0, longAfterMs: 1 });
    const failing = inTurn(never, () => Promise.reject(new Error("no")));
    const next = inTurn(never, () => Promise.resolve("b"));
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("b");
  });
});
