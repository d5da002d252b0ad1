import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacer } from "../../src/pacer.ts";
import {
  compareNames,
  compareWalkOrder,
  createPageSelection,
  inOrder,
  isNameBefore,
  selectFirst,
} from "../../src/search/order.ts";

const pacer = () => createPacer(new AbortController().signal);
const before = (left: number, right: number) => left < right;
const ascending = (left: number, right: number) => left - right;

function byCodePoint(left: string, right: string): number {
  const [leftPoints, rightPoints] = [left, right].map((text) =>
    Array.from(text, (character) => character.codePointAt(0) ?? 0),
  );
  for (const [index, point] of (leftPoints ?? []).entries()) {
    const other = rightPoints?.[index];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return (leftPoints?.length ?? 0) - (rightPoints?.length ?? 0);
}

async function drain(names: string[]): Promise<string[]> {
  const drained: string[] = [];
  for await (const run of inOrder(names, isNameBefore, pacer())) drained.push(...run);
  return drained;
}

describe("compareNames", () => {
  it("puts emoji after the end of the basic plane, as code points do and UTF-16 units do not", () => {
    const names = ["😀", "\uff01", "a", "B", "", "aa", "😀a", "\ud7ff"];
    expect([...names].sort(compareNames)).toEqual(["", "B", "a", "aa", "\ud7ff", "\uff01", "😀", "😀a"]);
    expect([...names].sort()).not.toEqual([...names].sort(compareNames));
  });

  it("compares by code point", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "\uff01", "\ud7ff", "😀", "😁", "\ue000"), maxLength: 4 });
    fc.assert(
      fc.property(name, name, (left, right) => {
        expect(Math.sign(compareNames(left, right))).toBe(Math.sign(byCodePoint(left, right)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("compareWalkOrder", () => {
  it("puts a directory's files before its sub-directories, each by code point", () => {
    const inOrder = [
      ...["a", "ab", "z.ts", "\uff01", "😀"],
      ...["B/x", "B/a/1", "a/B", "a/c", "a/b/c/d", "a-/x", "\uff01/y", "😀/y", "😀/y/z"],
    ];
    expect([...inOrder].reverse().sort(compareWalkOrder)).toEqual(inOrder);
  });

  it("calls only the same path equal, and reverses with its arguments", () => {
    const path = fc.array(fc.constantFrom("a", "ab", "b", "😀", "\uff01"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, path, (leftNames, rightNames) => {
        const [left, right] = [leftNames.join("/"), rightNames.join("/")];
        expect(compareWalkOrder(left, right) === 0).toBe(left === right);
        expect(Math.sign(compareWalkOrder(left, right)) + Math.sign(compareWalkOrder(right, left))).toBe(0);
      }),
      { numRuns: 500 },
    );
  });
});

describe("inOrder", () => {
  it("returns all names in order", async () => {
    expect(await drain(["b", "c", "a"])).toEqual(["a", "b", "c"]);
    expect(await drain([])).toEqual([]);
  });

  it("sorts more names than fit in one run, and no more than are asked for", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `f${String((index * 7919) % 10_007)}`);
    expect(await drain([...names])).toEqual([...names].sort(compareNames));
    for await (const run of inOrder([...names], isNameBefore, pacer())) {
      expect(run.length).toBeLessThan(1000);
      break;
    }
  });
});

describe("selectFirst", () => {
  it("moves the first items to the front and the last of them to the end of that range", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 })), fc.nat(60), async (values, count) => {
        const items = [...values];
        await selectFirst(items, count, before, pacer());
        const rest = [...values].sort(ascending);
        const selected = items.slice(0, count);
        expect([...selected].sort(ascending)).toEqual(rest.slice(0, count));
        if (count > 0 && count < rest.length) expect(selected.at(-1)).toBe(rest[count - 1]);
        expect([...items].sort(ascending)).toEqual([...values].sort(ascending));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["ascending", (index: number) => index],
    ["descending", (index: number) => -index],
    ["all equal", () => 7],
  ])("stays linear for %s input", async (_, value) => {
    const items = Array.from({ length: 200_000 }, (__, index) => value(index));
    let comparisons = 0;
    const counted = (left: number, right: number) => {
      comparisons += 1;
      return left < right;
    };
    await selectFirst(items, 100_000, counted, pacer());
    expect(comparisons).toBeLessThan(40 * items.length);
  });

  it("rests between slices and stops when the caller aborts", async () => {
    const controller = new AbortController();
    const items = Array.from({ length: 2_000_000 }, () => Math.random());
    const selecting = selectFirst(items, 1_000_000, before, createPacer(controller.signal, 1));
    const reason = new Error("enough");
    controller.abort(reason);
    await expect(selecting).rejects.toBe(reason);
  });
});

async function select(values: readonly number[], offset: number, limit: number, isBefore = before): Promise<number[]> {
  const selection = createPageSelection({ offset, limit }, isBefore, pacer());
  for (const value of values) {
    if (selection.wants(value)) await selection.add(value);
  }
  return selection.page();
}

describe("createPageSelection", () => {
  it("selects what sorting everything would give", async () => {
    const values = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(values, fc.nat(70), fc.integer({ min: 1, max: 30 }), async (items, offset, limit) => {
        const sorted = [...items].sort((left, right) => left - right);
        expect(await select(items, offset, limit)).toEqual(sorted.slice(offset, offset + limit));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    [0, 100],
    [9000, 200],
    [19_950, 100],
    [1_000_000, 100],
  ])("drops what cannot be on the page of a long stream: offset %i, limit %i", async (offset, limit) => {
    const values = Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 20_011);
    const sorted = [...values].sort((left, right) => left - right);
    expect(await select(values, offset, limit)).toEqual(sorted.slice(offset, offset + limit));
  });

  it("compares each item of a long stream only a few times", async () => {
    let comparisons = 0;
    const values = Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 100_003);
    await select(values, 0, 100, (left, right) => {
      comparisons += 1;
      return left < right;
    });
    expect(comparisons).toBeLessThan(2 * values.length);
  });

  it("sorts a big page in slices", async () => {
    const values = Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 20_011);
    const sorted = [...values].sort((left, right) => left - right);
    expect(await select(values, 10, 100_000)).toEqual(sorted.slice(10));
    expect(await select(values, 0, 0)).toEqual([]);
  });

  it("says which items it no longer wants", async () => {
    const selection = createPageSelection({ offset: 0, limit: 1 }, before, pacer());
    for (let value = 5000; value > 0; value -= 1) await selection.add(value);
    expect(selection.wants(0)).toBe(true);
    expect(selection.wants(6000)).toBe(false);
    expect(await selection.page()).toEqual([1]);
  });
});
