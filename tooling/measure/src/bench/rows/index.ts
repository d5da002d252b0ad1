import type { Row } from "../row.ts";
import { editRows } from "./edit.ts";
import { globRows } from "./glob.ts";
import { grepRows } from "./grep.ts";
import { importRows } from "./import.ts";
import { loadRows } from "./load.ts";
import { lsRows } from "./ls.ts";
import { mcpRows } from "./mcp.ts";
import { opencodeRows } from "./opencode.ts";
import { readRows } from "./read.ts";
import { truncateRows } from "./truncate.ts";

/** Every row of the table, in its order. */
export const rows: readonly Row[] = [
  ...globRows,
  ...grepRows,
  ...lsRows,
  ...readRows,
  ...opencodeRows,
  ...editRows,
  ...truncateRows,
  ...loadRows,
  ...mcpRows,
  ...importRows,
];
