import { plural } from "../evidence/quote.ts";
import type { Investigation } from "../investigation.ts";
import { visit } from "../visit.ts";

/** Matches nothing: a place that is an edge of a word and is none. */
const NOTHING = String.raw`\b\B`;

/** Counts files of a kind: a search for nothing tells how many it went through, and lists none. */
export function* count(include: string, within: string): Investigation<string> {
  const path = within === "." ? {} : { path: within };
  const params = { pattern: NOTHING, ...path, include, output_mode: "count" };
  const say = `I let Grep search all \`${include}\` files for nothing: it tells how many there are.`;
  const { observation, notes } = yield* visit({ tool: "Grep", params }, say);
  if (observation?.kind === "failure") return [...notes, `I could not count: ${observation.message}`].join("\n\n");
  if (observation?.kind !== "matches") return "I could not count.";
  const place = within === "." ? "in this project" : `in \`${within}\``;
  const found = observation.searched;
  return [...notes, `There ${found === 1 ? "is" : "are"} ${plural(found, "file")} of the kind \`${include}\` ${place}.`]
    .concat(found === 0 ? [] : "Hidden and ignored files are not counted.")
    .join("\n\n");
}
