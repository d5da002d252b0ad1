import type { Pacer } from "../pacer.ts";

/** Filters without a promise while there is time: most directories are small, and a promise each would cost more. */
export function filterPaced<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  pacer: Pacer,
): Item[] | Promise<Item[]> {
  const kept: Item[] = [];
  let done = 0;
  for (const item of items) {
    if (pacer.due()) return filterAfterRest(items.slice(done), kept, test, pacer);
    if (test(item)) kept.push(item);
    done += 1;
  }
  return kept;
}

async function filterAfterRest<Item>(
  items: readonly Item[],
  kept: Item[],
  test: (item: Item) => boolean,
  pacer: Pacer,
): Promise<Item[]> {
  for (const item of items) {
    if (pacer.due()) await pacer.rest();
    if (test(item)) kept.push(item);
  }
  return kept;
}
