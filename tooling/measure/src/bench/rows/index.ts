import type { Row } from "../row.ts";
import { editRows } from "./edit.ts";
import { globRows } from "./glob.ts";
import { grepRows } from "./grep.ts";
import { importRows } from "./import.ts";
import { loadRows } from "./load.ts";
import { lsRows } from "./ls.ts";
import { mcpRows } from "./mcp.ts";
import { readRows } from "./read.ts";
import { truncateRows } from "./truncate.ts";

export const rows: readonly Row[] = [
  ...globRows,
  ...grepRows,
  ...lsRows,
  ...readRows,
  ...editRows,
  ...truncateRows,
  ...loadRows,
  ...mcpRows,
  ...importRows,
];

export function findRow(id: string): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`There is no row '${id}'.`);
  return row;
}
