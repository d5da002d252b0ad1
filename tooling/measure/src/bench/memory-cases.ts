import { GIB, MIB, millionMatches, oneLineChars, oneLineFile, textFile } from "./fixtures.ts";
import type { Row } from "./row.ts";
import { TOOL_PACKAGES } from "./rows/import.ts";

interface MemoryCase {
  readonly id: string;
  readonly work: string;
  readonly mode: Row["mode"];
  readonly limitBytes: number | undefined;
  readonly args: () => readonly string[];
}

function of(id: string, what: string, mode: Row["mode"], limitBytes: number | undefined, args: MemoryCase["args"]) {
  return { id: `memory-${id}`, work: what, mode, limitBytes, args };
}

const READ = "Read, first, middle and last page of";

export const memoryCases: readonly MemoryCase[] = [
  of("100-MB", `${READ} 100 MB`, "quick", 32 * MIB, () => ["read", textFile(100 * MIB)]),
  of("2-GB", `${READ} 2 GB`, "full", 32 * MIB, () => ["read", textFile(2 * GIB)]),
  of("one-line", `${READ} one line of 500 MB`, "full", 32 * MIB, () => {
    return ["read", oneLineFile(), String(oneLineChars(oneLineFile()))];
  }),
  of("grep-million", "Grep, the last of a million matches", "full", 64 * MIB, () => {
    return ["grep", millionMatches(), "needle", "999990"];
  }),
  of("grep-one-line", "Grep, a match in one line of 500 MB", "full", 64 * MIB, () => ["grep", oneLineFile(), "value"]),
  ...["zod", ...TOOL_PACKAGES].map((name) =>
    of(`import-${name.replace("@fstools/", "")}`, `Import of \`${name}\``, "quick", undefined, () => ["import", name]),
  ),
];
