import { selectFirst, type Pacer } from "@fstools/sandbox";

/** Picks one page out of a stream of items as if they had been sorted. */
export interface PageSelection<Item> {
  /** Whether the item can still be on the page or before it. */
  wants(item: Item): boolean;
  /** Takes an item; the promise is there only when a rest is due. */
  add(item: Item): Promise<void> | undefined;
  /** The items of the page, in order. */
  page(): Promise<Item[]>;
}

/** Small pages would otherwise be selected over and over again. */
const MIN_CAPACITY = 4096;

/**
 * Selects items `offset` to `offset + limit` of the order `before` without sorting the rest.
 * It holds about twice `offset + limit` items, however long the stream is.
 */
export function createPageSelection<Item extends object | string | number>(
  { offset, limit }: { readonly offset: number; readonly limit: number },
  before: (left: Item, right: Item) => boolean,
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
      return held.slice(offset).sort((left, right) => Number(before(right, left)) - Number(before(left, right)));
    },
  };
}
