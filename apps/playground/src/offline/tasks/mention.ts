import { plural, reference } from "../evidence/quote.ts";
import type { Investigation } from "../investigation.ts";
import { visit } from "../visit.ts";
import { wordOf } from "./locate.ts";

const MAX_SHOWN = 25;
const MAX_FILES = 100;

/** Finds the files that mention a name. */
export function* mention(name: string, within: string): Investigation<string> {
  const path = within === "." ? {} : { path: within };
  const params = { pattern: wordOf(name), ...path, output_mode: "count", limit: MAX_FILES };
  const { observation, notes } = yield* visit({ tool: "Grep", params }, `I search for \`${name}\`.`);
  if (observation?.kind === "failure") return [...notes, `The search failed: ${observation.message}`].join("\n\n");
  if (observation?.kind !== "matches") return "I could not search.";
  const { matches, more, searched } = observation;
  if (matches.length === 0) return [...notes, `None of the ${searched} files mentions \`${name}\`.`].join("\n\n");
  const lines = matches.reduce((sum, { count }) => sum + count, 0);
  const head = `${plural(matches.length, "file")} ${matches.length === 1 ? "mentions" : "mention"} \`${name}\`, in ${plural(lines, "line")}${more ? ", and there are more" : ""}:`;
  const items = matches.slice(0, MAX_SHOWN).map(({ file, line, text, count }) => {
    const others = count > 1 ? ` and ${count - 1} more` : "";
    return `- ${reference(file, [{ number: line, text }])}${others}`;
  });
  if (matches.length > MAX_SHOWN) items.push(`- … and ${matches.length - MAX_SHOWN} more files`);
  return [...notes, head, items.join("\n")].join("\n\n");
}
