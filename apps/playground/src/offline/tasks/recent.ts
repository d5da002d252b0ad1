import { bullets, plural } from "../evidence/quote.ts";
import type { Investigation } from "../investigation.ts";
import { visit } from "../visit.ts";

const SHOWN = 10;

/** The files that were changed last: Grep can sort by time, and every line matches "^". */
export function* recent(within: string): Investigation<string> {
  const path = within === "." ? {} : { path: within };
  const params = { pattern: "^", ...path, output_mode: "files", sort: "modified", limit: SHOWN };
  const { observation, notes } = yield* visit({ tool: "Grep", params }, "I let Grep list files, the newest first.");
  if (observation?.kind === "failure") return [...notes, `I could not list them: ${observation.message}`].join("\n\n");
  if (observation?.kind !== "matches" || observation.matches.length === 0) return "I found no file.";
  const files = observation.matches.map(({ file }) => file);
  return [...notes, `The ${plural(files.length, "file")} changed last, newest first:`, bullets(files)].join("\n\n");
}
