import { plural } from "../evidence/quote.ts";
import type { Investigation } from "../investigation.ts";
import { visit } from "../visit.ts";

/** Matches nothing: a place that is an edge of a word and is not. */
const NOTHING = String.raw`\b\B`;

/** Counts files of a kind: a search for nothing tells how many it went through, and lists none. */
export function* count(include: string, within: string): Investigation<string> {
  const counted = yield* countFiles(include, within);
  if ("problem" in counted) return counted.problem;
  const { notes, files } = counted;
  const place = within === "." ? "in this project" : `in \`${within}\``;
  return [...notes, `There ${files === 1 ? "is" : "are"} ${plural(files, "file")} of the kind \`${include}\` ${place}.`]
    .concat(files === 0 ? [] : "Hidden and ignored files are not counted.")
    .join("\n\n");
}

type Counted = { readonly notes: readonly string[]; readonly files: number } | { readonly problem: string };

/** How many files of a kind there are. */
export function* countFiles(include: string, within: string): Investigation<Counted> {
  const path = within === "." ? {} : { path: within };
  const params = { pattern: NOTHING, ...path, include, output_mode: "count" };
  const say = `I let Grep search all \`${include}\` files for nothing: it tells how many there are.`;
  const { observation, notes } = yield* visit({ tool: "Grep", params }, say);
  if (observation?.kind === "failure")
    return { problem: [...notes, `I could not count: ${observation.message}`].join("\n\n") };
  if (observation?.kind !== "matches") return { problem: "I could not count." };
  return { notes, files: observation.searched };
}
