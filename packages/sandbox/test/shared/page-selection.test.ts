import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacer } from "../../src/pacer.ts";
import { createPageSelection } from "../../src/shared/page-selection.ts";

const pacer = () => createPacer(new AbortController().signal);
const before = (left: number, right: number) => left < right;

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
