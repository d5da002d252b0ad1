import type { Row } from "./row.ts";
import { rows } from "./rows/index.ts";
import { scalingRows } from "./rows/scaling.ts";

/** @throws if there is no such row */
export function findRow(id: string): Row {
  const row = [...rows, ...scalingRows].find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no row '${id}'.`);
  return row;
}
