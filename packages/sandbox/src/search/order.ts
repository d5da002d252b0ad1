import type { Pacer } from "../pacer.ts";

type Before<Item> = (left: Item, right: Item) => boolean;

/** Compares names by code point; plain comparison uses UTF-16 units and puts emoji before U+FF01. */
export function compareNames(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit);
  }
  return left.length - right.length;
}

/** The halves of a surrogate pair belong to code points above all single units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Whether a name comes before another one, by code point. */
export function isNameBefore(left: string, right: string): boolean {
  return compareNames(left, right) < 0;
}

/** Compares the paths of two files in the order of a walk: files of a directory by name, then its sub-directories. */
export function compareWalkOrder(left: string, right: string): number {
  let start = 0;
  for (let index = 0; index < left.length && left[index] === right[index]; index += 1) {
    if (left[index] === "/") start = index + 1;
  }
  const leftEnd = left.indexOf("/", start);
  const rightEnd = right.indexOf("/", start);
  if (leftEnd < 0 !== rightEnd < 0) return leftEnd < 0 ? -1 : 1;
  return compareNames(
    left.slice(start, leftEnd < 0 ? undefined : leftEnd),
    right.slice(start, rightEnd < 0 ? undefined : rightEnd),
  );
}

/** Reading the clock for every item would cost more than comparing it. */
const STEPS_PER_LOOK = 1024;

/**
 * Moves the first `count` items in order to the front, the last of them to the end of that range, without sorting the
 * rest: a quickselect that rests when its time slice is over. Nothing moves if there are no more than `count`.
 * Random pivots and a partition that splits runs of equal items keep it linear for any input.
 */
export async function selectFirst<Item extends object | string | number>(
  items: Item[],
  count: number,
  before: Before<Item>,
  pacer: Pacer,
): Promise<void> {
  let low = 0;
  let high = items.length - 1;
  let steps = 0;
  if (count < 1 || count > high) return;
  while (low < high) {
    const pivot = items[low + Math.floor(Math.random() * (high - low + 1))];
    let left = low;
    let right = high;
    while (left <= right) {
      const leftItem = items[left];
      const rightItem = items[right];
      if (pivot === undefined || leftItem === undefined || rightItem === undefined) return;
      if (before(leftItem, pivot)) left += 1;
      else if (before(pivot, rightItem)) right -= 1;
      else {
        items[left] = rightItem;
        items[right] = leftItem;
        left += 1;
        right -= 1;
      }
      steps += 1;
      if (steps % STEPS_PER_LOOK === 0 && pacer.due()) await pacer.rest();
    }
    if (count - 1 <= right) high = right;
    else if (count - 1 >= left) low = left;
    else return;
  }
}

/** Sorting this many items takes about a millisecond, even by locale. */
const RUN_LENGTH = 512;

/** Puts items in order, run by run, only as far as they are asked for; equal ones come in any order. */
export async function* inOrder<Item extends object | string | number>(
  items: Item[],
  before: Before<Item>,
  pacer: Pacer,
): AsyncGenerator<readonly Item[]> {
  if (pacer.due()) await pacer.rest();
  if (items.length <= RUN_LENGTH) {
    yield items.sort((left, right) => (before(left, right) ? -1 : 1));
    return;
  }
  const half = items.length >>> 1;
  await selectFirst(items, half, before, pacer);
  yield* inOrder(items.slice(0, half), before, pacer);
  yield* inOrder(items.slice(half), before, pacer);
}

/** Small pages would otherwise be selected over and over again. */
const MIN_CAPACITY = 4096;

/** Selects the items `offset` to `offset + limit` of a stream in order, holding at most about twice as many. */
export function createPageSelection<Item extends object | string | number>(
  { offset, limit }: { readonly offset: number; readonly limit: number },
  before: Before<Item>,
  pacer: Pacer,
) {
  const end = offset + limit;
  const capacity = Math.max(2 * end, MIN_CAPACITY);
  const held: Item[] = [];
  let last: Item | undefined;

  async function keepUntilEnd(): Promise<void> {
    if (held.length <= end) return;
    await selectFirst(held, end, before, pacer);
    held.length = end;
    last = held[end - 1];
  }

  return {
    /** Whether the item can still be on the page or before it. */
    wants: (item: Item) => last === undefined || before(item, last),
    /** Takes an item; returns a promise only when a rest is due. */
    add(item: Item): Promise<void> | undefined {
      held.push(item);
      return held.length > capacity ? keepUntilEnd() : undefined;
    },
    /** The items of the page, in order. */
    async page(): Promise<Item[]> {
      await keepUntilEnd();
      await selectFirst(held, offset, before, pacer);
      const page: Item[] = [];
      for await (const run of inOrder(held.slice(offset), before, pacer)) page.push(...run);
      return page;
    },
  };
}
