import { look, type Investigation } from "./investigation.ts";
import { bullets, plural } from "./quote.ts";
import type { Page, Paths } from "./sighting.ts";
import { readOn, visit } from "./visit.ts";
import { namePattern, stem } from "./words.ts";

/** Finds files by name. */
export function* find(pattern: string, within: string, subject: string): Investigation<string> {
  const params = within === "." ? { pattern } : { pattern, path: within };
  const { sighting, notes } = yield* visit({ tool: "Glob", params }, `I search for \`${pattern}\` in '${within}'.`);
  if (sighting?.kind === "failure") return [...notes, `The search failed: ${sighting.message}`].join("\n\n");
  if (sighting?.kind === "clipped") return [...notes, yield* fromSpill(sighting.spill, pattern)].join("\n\n");
  if (sighting?.kind !== "paths") return "I could not search.";
  const found = yield* widen(sighting, subject);
  return [...notes, describe(found)].join("\n\n");
}

/** Too many matches lead to a higher limit, none to a looser pattern. */
function* widen(found: Paths, subject: string): Investigation<Paths> {
  if (found.next) {
    const seen = yield* look("There are more matches; as the hint says, I raise the limit.", "Glob", found.next.params);
    return seen?.kind === "paths" ? seen : found;
  }
  if (found.paths.length > 0) return found;
  const name = subject
    .replace(/^.*\//u, "")
    .replace(/\.[^.]*$/u, "")
    .replaceAll(/[*{}[\]?,]/gu, "");
  const looser = namePattern(stem(name.toLowerCase()));
  if (name === "" || looser === found.call.params["pattern"]) return found;
  const seen = yield* look(`Nothing has that name, so I try \`${looser}\`.`, "Glob", { pattern: looser });
  return seen?.kind === "paths" && seen.paths.length > 0 ? seen : found;
}

function describe({ paths, more, call }: Paths): string {
  const pattern = String(call.params["pattern"]);
  if (paths.length === 0) return `No file matches \`${pattern}\`.`;
  const head = `${plural(paths.length, "file")} ${paths.length === 1 ? "matches" : "match"} \`${pattern}\`${more ? ", and there are more" : ""}:`;
  return `${head}\n\n${bullets(paths)}`;
}

/** A Glob answer that the truncator cut is whole in the spilled file. */
function* fromSpill(spill: string | undefined, pattern: string): Investigation<string> {
  if (spill === undefined) return "The answer was too large for the context, and there is no copy of it to open.";
  const say = "The answer was too large for the context and was truncated; I open the full output that it names.";
  const seen = yield* look(say, "Read", { path: spill });
  if (seen?.kind !== "page") return `The full output is in \`${spill}\`, but I could not read it.`;
  const pages = yield* readOn(seen, 4);
  const paths = pathsInJson(pages);
  return `${plural(paths.length, "file")} match \`${pattern}\` (from \`${spill}\`):\n\n${bullets(paths)}`;
}

function pathsInJson(pages: readonly Page[]): string[] {
  const lines = pages.flatMap((page) => page.lines.map((line) => line.text));
  const start = lines.findIndex((line) => line.trim().startsWith('"paths": ['));
  const end = lines.findIndex((line, at) => at > start && line.trim().startsWith("]"));
  return lines.slice(start + 1, end === -1 ? undefined : end).flatMap((line) => /^\s*"(.*)",?$/u.exec(line)?.[1] ?? []);
}
