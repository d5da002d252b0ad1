import { GIB, MIB, millionMatches, oneLineChars, oneLineFile, textFile } from "./fixtures.ts";
import type { MemoryResult } from "./results.ts";
import type { Row } from "./row.ts";
import { TOOL_PACKAGES } from "./rows/import.ts";

/** Work whose memory is measured, in a process of its own. */
interface MemoryCase extends Pick<MemoryResult, "work" | "limitBytes"> {
  readonly id: string;
  readonly mode: Row["mode"];
  /** What the process runs; it prints a number of bytes. */
  readonly script: "memory.js" | "grep-memory.js" | "import-memory.js";
  readonly args: () => readonly string[];
}

function readPages(id: string, what: string, mode: Row["mode"], args: MemoryCase["args"]): MemoryCase {
  const work = `Read, first, middle and last page of ${what}`;
  return { id: `memory-${id}`, work, mode, limitBytes: 32 * MIB, script: "memory.js", args };
}

function grepOf(id: string, what: string, args: MemoryCase["args"]): MemoryCase {
  const work = `Grep, ${what}`;
  return { id: `memory-grep-${id}`, work, mode: "full", limitBytes: 64 * MIB, script: "grep-memory.js", args };
}

function importOf(specifier: string): MemoryCase {
  return {
    id: `memory-import-${specifier.replace("@fstools/", "")}`,
    work: `Import of \`${specifier}\``,
    mode: "quick",
    limitBytes: undefined,
    script: "import-memory.js",
    args: () => [specifier],
  };
}

export const memoryCases: readonly MemoryCase[] = [
  readPages("100-MB", "100 MB", "quick", () => [textFile(100 * MIB)]),
  readPages("2-GB", "2 GB", "full", () => [textFile(2 * GIB)]),
  readPages("one-line", "one line of 500 MB", "full", () => [oneLineFile(), String(oneLineChars(oneLineFile()))]),
  grepOf("million", "the last of a million matches", () => [millionMatches(), "needle", "999990"]),
  grepOf("one-line", "a match in one line of 500 MB", () => [oneLineFile(), "value"]),
  ...["zod", ...TOOL_PACKAGES].map(importOf),
];
