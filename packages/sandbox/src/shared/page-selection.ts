import type { Pacer } from "../pacer.ts";
import { selectFirst } from "../search/select-first.ts";

/** Picks one page out of a stream of items as if they had been sorted. */
export interface PageSelection<Item> {
  /** Whether the item can still be on the page or before it. */
  wants(item: Item): boolean;
  /** Takes an item; returns a promise only when a rest is due. */
  add(item: Item): Promise<void> | undefined;
  /** The items of the page, in order. */
  page(): Promise<Item[]>;
}

/** Items `offset` to `offset + limit`. */
interface Page {
  readonly offset: number;
  readonly limit: number;
}

type Before<Item> = (left: Item, right: Item) => boolean;

/** Turns an item into a string without a slash, and back. */
export interface Packing<Item> {
  readonly pack: (item: Item) => string;
  readonly unpack: (packed: string) => Item;
}

/** Sorting this many items takes about a millisecond, even by locale. */
const MAX_SORTED_AT_ONCE = 512;

/** Small pages would otherwise be selected over and over again. */
const MIN_CAPACITY = 4096;

/** Past this, items are packed: the garbage collector stops the process while it visits each one. */
const MAX_UNPACKED = 32_768;

/**
 * Selects one page of the order `before` without sorting the rest; equal items come in any order.
 * It holds about twice `offset + limit` items, however long the stream is, or all of them packed.
 */
export function createPageSelection<Item extends object | string | number>(
  page: Page,
  before: Before<Item>,
  pacer: Pacer,
  packing?: Packing<Item>,
): PageSelection<Item> {
  const isLarge = page.offset + page.limit > MAX_UNPACKED;
  return packing !== undefined && isLarge
    ? createPackedSelection(page, before, pacer, packing)
    : createLooseSelection(page, before, pacer);
}

function createLooseSelection<Item extends object | string | number>(
  { offset, limit }: Page,
  before: Before<Item>,
  pacer: Pacer,
): PageSelection<Item> {
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
    wants: (item) => last === undefined || before(item, last),
    add(item) {
      held.push(item);
      return held.length > capacity ? keepUntilEnd() : undefined;
    },
    async page() {
      await keepUntilEnd();
      await selectFirst(held, offset, before, pacer);
      return sorted(held.slice(offset), before, pacer);
    },
  };
}

const ITEMS_PER_BLOCK = 1024;
const ITEMS_PER_SAMPLE = 256;
const SEPARATOR = "/";

/**
 * Keeps all items, joined into long strings. A sample tells which two items the page must lie between, so that only
 * those between them are kept unpacked; the rest is counted.
 */
function createPackedSelection<Item extends object | string | number>(
  { offset, limit }: Page,
  before: Before<Item>,
  pacer: Pacer,
  { pack, unpack }: Packing<Item>,
): PageSelection<Item> {
  const blocks: string[] = [];
  const sample: Item[] = [];
  let block: string[] = [];
  let count = 0;

  function closeBlock(): void {
    if (block.length > 0) blocks.push(block.join(SEPARATOR));
    block = [];
  }

  /** How many items are before `low`, and those from there to `high`; undefined means no bound. */
  async function between(low: Item | undefined, high: Item | undefined) {
    const items: Item[] = [];
    let below = 0;
    for (const packed of blocks) {
      if (pacer.due()) await pacer.rest();
      for (const text of packed.split(SEPARATOR)) {
        const item = unpack(text);
        if (low !== undefined && before(item, low)) below += 1;
        else if (high === undefined || !before(high, item)) items.push(item);
      }
    }
    return { below, items };
  }

  return {
    wants: () => true,
    add(item) {
      count += 1;
      // At random, so that no order of the items makes the sample unfair.
      if (Math.random() * ITEMS_PER_SAMPLE < 1) sample.push(item);
      block.push(pack(item));
      if (block.length >= ITEMS_PER_BLOCK) closeBlock();
      return undefined;
    },
    async page() {
      closeBlock();
      const end = Math.min(offset + limit, count);
      if (offset >= end) return [];
      const marks = await sorted(sample, before, pacer);
      const place = (rank: number): number => Math.floor((rank / count) * marks.length);
      // Four times the expected deviation; if the page is not there after all, the range grows.
      for (let margin = Math.ceil(2 * Math.sqrt(marks.length)); ; margin *= 4) {
        const { below, items } = await between(marks[place(offset) - margin], marks[place(end) + margin]);
        if (below > offset || below + items.length < end) continue;
        await selectFirst(items, end - below, before, pacer);
        items.length = end - below;
        await selectFirst(items, offset - below, before, pacer);
        return sorted(items.slice(offset - below), before, pacer);
      }
    },
  };
}

async function sorted<Item extends object | string | number>(
  items: Item[],
  before: Before<Item>,
  pacer: Pacer,
): Promise<Item[]> {
  if (pacer.due()) await pacer.rest();
  if (items.length <= MAX_SORTED_AT_ONCE) return items.sort((left, right) => (before(left, right) ? -1 : 1));
  const half = items.length >>> 1;
  await selectFirst(items, half, before, pacer);
  return [...(await sorted(items.slice(0, half), before, pacer)), ...(await sorted(items.slice(half), before, pacer))];
}
