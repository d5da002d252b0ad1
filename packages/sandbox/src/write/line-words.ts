/** Lines of a file, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** As many places as a reader will look at. */
export const MAX_LISTED_PLACES = 10;

/** "40-44, 90": only the first {@link MAX_LISTED_PLACES}. */
export function lineNumbers(ranges: readonly LineRange[], hasMore = ranges.length > MAX_LISTED_PLACES): string {
  const spans = ranges
    .slice(0, MAX_LISTED_PLACES)
    .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`));
  return [...new Set(spans), ...(hasMore ? ["…"] : [])].join(", ");
}

/** "lines 40-44, 90", or "line 7". */
export function lineList(ranges: readonly LineRange[]): string {
  const list = lineNumbers(ranges);
  return `${/^\d+$/u.test(list) ? "line" : "lines"} ${list}`;
}
