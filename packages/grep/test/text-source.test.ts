import { utimesSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { createSandbox } from "@fstools/sandbox";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ListFiles } from "../src/candidates.ts";
import { startClock } from "../src/engine/clock.ts";
import { grepParams, type GrepInput } from "../src/params.ts";
import { createTextSource } from "../src/text-source.ts";

/** How many files are searched before ripgrep's answer is needed. */
const HEAD = 192;
const COUNT = 400;
/** All files of the tree, in walk order. */
const FILES = Array.from({ length: COUNT }, (_, index) =>
  index < 100 ? `f${String(index).padStart(3, "0")}` : `d/f${index}`,
);
/** Those of them that ripgrep reports, in an order that is not the walk's. */
const MATCHING = FILES.filter((_, index) => index % 5 === 0).reverse();
const WHOLE = { paths: MATCHING, searched: COUNT, skipped: 0 };

// Whether ripgrep is given up depends on its age, which here is what a test says.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function makeTree(count: number): string {
  const { root, write } = fixture({ d: {} });
  for (const path of FILES.slice(0, count)) {
    const [name, directory] = path.split("/").reverse();
    write(directory === undefined ? { [name ?? ""]: "x\n" } : { [directory]: { [name ?? ""]: "x\n" } });
  }
  return root;
}

/** A promise, and what resolves it. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    opened,
    open: () => {
      open();
    },
  };
}

/** Lets everything that is ready happen. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

interface Reading {
  readonly list: ListFiles;
  readonly root?: string;
  readonly params?: Partial<GrepInput>;
  readonly maxDurationMs?: number;
  readonly onText?: (count: number) => void | Promise<void>;
}

/** Takes all texts from a source. */
async function read({ list, root = makeTree(COUNT), params, maxDurationMs = 30_000, onText }: Reading) {
  const sandbox = createSandbox({ projectRoot: root });
  const clock = startClock(new AbortController().signal, 30_000);
  const asked = vi.fn(list);
  const source = createTextSource({
    sandbox,
    start: await sandbox.resolve("."),
    params: grepParams().parse({ pattern: "x", ...params }),
    query: { pattern: "x", isCaseSensitive: false, isMultiline: false, isWhole: false },
    list: asked,
    clock,
    maxDurationMs,
  });
  const texts: string[] = [];
  let error: unknown;
  try {
    for await (const text of source.directory()) {
      if (text === "pause") continue;
      texts.push(text.path.relative);
      text.close();
      await onText?.(texts.length);
    }
  } catch (caught) {
    error = caught;
  }
  const passed = await source.end();
  clock.stop();
  return { texts, asks: asked.mock.calls.length, error, timedOut: passed.timedOut, searched: passed.searched };
}

/** What is expected if the first files come from the walk and the others from ripgrep. */
function headThenMatching(head: number): string[] {
  return [...FILES.slice(0, head), ...FILES.slice(head).filter((path) => MATCHING.includes(path))];
}

/** Finds many at once, and then only ends when it is stopped, with a part of them. */
const manyUntilStopped: ListFiles = (options, signal) => {
  options.onMany?.();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve({ paths: MATCHING.slice(0, 8), searched: undefined, skipped: 0 });
    });
  });
};

describe("the texts of a directory", () => {
  it("are all files of a small one, without ripgrep", async () => {
    const { texts, asks } = await read({ list: () => Promise.reject(new Error("no")), root: makeTree(50) });
    expect({ texts, asks }).toEqual({ texts: FILES.slice(0, 50), asks: 0 });
  });

  it("are those that ripgrep reports, in the order of the walk", async () => {
    const { texts, asks, searched } = await read({ list: () => Promise.resolve(WHOLE) });
    expect({ texts, asks, searched }).toEqual({ texts: [...MATCHING].reverse(), asks: 1, searched: COUNT });
  });

  it("lack none if a ripgrep that found many was given up: it is asked again", async () => {
    let calls = 0;
    const { texts, asks, timedOut } = await read({
      list: (options, signal) => {
        calls += 1;
        return calls === 1 ? manyUntilStopped(options, signal) : Promise.resolve(WHOLE);
      },
    });
    expect({ texts, asks, timedOut }).toEqual({ texts: headThenMatching(HEAD), asks: 2, timedOut: false });
  });

  it("need no ripgrep again if the walk came to its end", async () => {
    const { texts, asks } = await read({ list: manyUntilStopped, root: makeTree(150) });
    expect({ texts, asks }).toEqual({ texts: FILES.slice(0, 150), asks: 1 });
  });

  it("come from ripgrep as soon as it has ended, after those that the walk gave", async () => {
    const gate = createGate();
    const { texts, asks } = await read({
      list: async ({ onMany }) => {
        vi.advanceTimersByTime(30);
        onMany?.();
        await gate.opened;
        return WHOLE;
      },
      onText: async (count) => {
        if (count !== 70) return;
        gate.open();
        await settle();
      },
    });
    expect({ texts, asks }).toEqual({ texts: headThenMatching(70), asks: 1 });
  });

  it("end with the error of a ripgrep that fails meanwhile", async () => {
    const gate = createGate();
    const { texts, error } = await read({
      list: async ({ onMany }) => {
        vi.advanceTimersByTime(30);
        onMany?.();
        await gate.opened;
        throw new Error("no");
      },
      onText: (count) => {
        if (count === 70) gate.open();
      },
    });
    expect(texts).toEqual(FILES.slice(0, HEAD));
    expect(error).toEqual(new Error("no"));
  });

  it("are those that ripgrep found in its time, which is said", async () => {
    const { texts, timedOut } = await read({
      list: (options, signal) => {
        vi.advanceTimersByTime(30);
        return manyUntilStopped(options, signal);
      },
      maxDurationMs: 300,
    });
    const last = MATCHING.slice(0, 8).reverse();
    expect(timedOut).toBe(true);
    // How many come before them depends on the machine.
    expect(texts).toEqual([...FILES.slice(0, texts.length - last.length), ...last]);
  });

  it("come with the newest first, where that is asked for", async () => {
    const root = makeTree(COUNT);
    const newest = ["d/f395", "f005"];
    for (const path of FILES) utimesSync(`${root}/${path}`, 100, newest.includes(path) ? 200 : 100);
    const { texts, asks } = await read({ list: () => Promise.resolve(WHOLE), root, params: { sort: "modified" } });
    const others = [...MATCHING].reverse().filter((path) => !newest.includes(path));
    expect({ texts, asks }).toEqual({ texts: ["f005", "d/f395", ...others], asks: 1 });
  });
});
