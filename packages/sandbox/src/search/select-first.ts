import type { Pacer } from "../pacer.ts";

/** Reading the clock for every item would cost more than comparing it. */
const STEPS_PER_LOOK = 1024;

/**
 * Moves the first `count` items in order to `items[from … from + count - 1]`, the last of them to the end of that
 * range, without sorting the rest: a quickselect that rests when its time slice is over.
 * Items before `from` stay where they are; nothing moves if there are no more than `count`.
 * Random pivots and a partition that splits runs of equal items keep it linear for any input.
 */
export async function selectFirst<Item extends object | string | number>(
  items: Item[],
  count: number,
  before: (left: Item, right: Item) => boolean,
  pacer: Pacer,
  from = 0,
): Promise<void> {
  const last = from + count - 1;
  let low = from;
  let high = items.length - 1;
  let steps = 0;
  if (count < 1 || last >= high) return;
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
    if (last <= right) high = right;
    else if (last >= left) low = left;
    else return;
  }
}
