import { createPacer } from "../../src/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNames, compareWalkOrder, createNameQueue, selectFirstNames } from "../../src/search/walk-order.ts";

const pacer = () => createPacer(new AbortController().signal);

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
  const queue = createNameQueue(names, pacer());
  const drained: string[] = [];
  for (let name = await queue.next(); name !== undefined; name = await queue.next()) drained.push(name);
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

describe("createNameQueue", () => {
  it("returns all names in order", async () => {
    expect(await drain(["b", "c", "a"])).toEqual(["a", "b", "c"]);
    expect(await drain([])).toEqual([]);
  });

  it("sorts more names than fit in one run", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `f${String((index * 7919) % 10_007)}`);
    expect(await drain([...names])).toEqual([...names].sort(compareNames));
  });
});

describe("selectFirstNames", () => {
  it("moves the first names to the front", async () => {
    const names = ["d", "b", "😀", "a", "\uff01", "c"];
    await selectFirstNames(names, 5, pacer());
    expect(names.at(-1)).toBe("😀");
  });
});
