import type { Pacer } from "../pacer.ts";
import { selectFirst } from "../search/select-first.ts";

/** Items `offset` to `offset + limit`. */
interface Page {
  readonly offset: number;
  readonly limit: number;
}

type Before<Item> = (left: Item, right: Item) => boolean;

/** Sorting this many items takes about a millisecond, even by locale. */
const MAX_SORTED_AT_ONCE = 512;

/** Small pages would otherwise be selected over and over again. */
const MIN_CAPACITY = 4096;

/**
 * Selects one page of the order `before` without sorting the rest; equal items come in any order.
 * It holds about twice `offset + limit` items, however long the stream is.
 */
export function createPageSelection<Item extends object | string | number>(
  { offset, limit }: Page,
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
      return sorted(held.slice(offset), before, pacer);
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
