import { look, type Investigation } from "../investigation.ts";
import { bullets, plural } from "../evidence/quote.ts";
import type { Clipped, Paths } from "../observation.ts";
import { pathsFromSpill } from "./spill.ts";
import { visit } from "../visit.ts";
import { namePattern, stem } from "../question/words.ts";

/** Finds files by name. */
export function* find(pattern: string, within: string, subject: string): Investigation<string> {
  const params = within === "." ? { pattern } : { pattern, path: within };
  const { observation, notes } = yield* visit({ tool: "Glob", params }, `I search for \`${pattern}\` in '${within}'.`);
  if (observation?.kind === "failure") return [...notes, `The search failed: ${observation.message}`].join("\n\n");
  if (observation?.kind === "clipped") return [...notes, yield* wholeAnswer(observation, pattern)].join("\n\n");
  if (observation?.kind !== "paths") return "I could not search.";
  const found = yield* widen(observation, subject);
  return [...notes, describe(found)].join("\n\n");
}

const MAX_PAGES = 4;

/** Too many matches lead to further pages, none to a looser pattern. */
function* widen(found: Paths, subject: string): Investigation<Paths> {
  if (found.paths.length > 0) return yield* pagesAfter(found);
  const name = subject
    .replace(/^.*\//u, "")
    .replace(/\.[^.]*$/u, "")
    .replaceAll(/[*{}[\]?,]/gu, "");
  const looser = namePattern(stem(name.toLowerCase()));
  if (name === "" || looser === found.call.params.pattern) return found;
  const seen = yield* look(`Nothing has that name, so I try \`${looser}\`.`, "Glob", { pattern: looser });
  return seen?.kind === "paths" && seen.paths.length > 0 ? seen : found;
}

function* pagesAfter(first: Paths): Investigation<Paths> {
  let all = first;
  for (let page = 1; all.next && page < MAX_PAGES; page++) {
    const seen = yield* look("There are more matches; I follow the hint to the next ones.", "Glob", all.next.params);
    if (seen?.kind !== "paths") break;
    const paths = seen.call.params.offset === undefined ? seen.paths : [...all.paths, ...seen.paths];
    all = { ...seen, call: first.call, paths };
  }
  return all;
}

function describe({ paths, more, call }: Paths): string {
  const pattern = String(call.params.pattern);
  if (paths.length === 0) return `No file name matches \`${pattern}\`. I looked at names only, not into the files.`;
  const head = `${plural(paths.length, "file")} ${paths.length === 1 ? "matches" : "match"} \`${pattern}\`${more ? ", and there are more" : ""}:`;
  return `${head}\n\n${bullets(paths)}`;
}

function* wholeAnswer(clipped: Clipped, pattern: string): Investigation<string> {
  const paths = yield* pathsFromSpill(clipped);
  if (!paths) return "The answer was too large for the context, and I could not open a copy of it.";
  return `${plural(paths.length, "file")} match \`${pattern}\` (from \`${clipped.spill ?? ""}\`):\n\n${bullets(paths)}`;
}
