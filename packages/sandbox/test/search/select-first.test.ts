import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacer } from "../../src/pacer.ts";
import { selectFirst } from "../../src/search/select-first.ts";

const before = (left: number, right: number) => left < right;
const never = new AbortController().signal;
const ascending = (left: number, right: number) => left - right;

describe("selectFirst", () => {
  it("moves the first items to the front and the last of them to the end of that range", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 50 })),
        fc.nat(60),
        fc.nat(10),
        async (values, count, from) => {
          const items = [...values];
          const start = Math.min(from, items.length);
          await selectFirst(items, count, before, createPacer(never), start);
          expect(items.slice(0, start)).toEqual(values.slice(0, start));
          const rest = values.slice(start).sort(ascending);
          const selected = items.slice(start, start + count);
          expect([...selected].sort(ascending)).toEqual(rest.slice(0, count));
          if (count > 0 && count < rest.length) expect(selected.at(-1)).toBe(rest[count - 1]);
          expect([...items].sort(ascending)).toEqual([...values].sort(ascending));
        },
      ),
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
    await selectFirst(items, 100_000, counted, createPacer(never));
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
