import { look, type Investigation } from "../investigation.ts";
import type { Clipped, Page } from "../observation.ts";
import { readOn } from "../visit.ts";

const MAX_PAGES = 4;

/** The paths of a Glob answer that the truncator cut: the file that it names has them all. */
export function* pathsFromSpill({ spill }: Clipped): Investigation<readonly string[] | undefined> {
  if (spill === undefined) return undefined;
  const say = "The answer was too large for the context and was truncated; I open the full output that it names.";
  const seen = yield* look(say, "Read", { path: spill });
  return seen?.kind === "page" ? pathsInJson(yield* readOn(seen, MAX_PAGES)) : undefined;
}

function pathsInJson(pages: readonly Page[]): string[] {
  const lines = pages.flatMap((page) => page.lines.map((line) => line.text));
  const start = lines.findIndex((line) => line.trim().startsWith('"paths": ['));
  const end = lines.findIndex((line, at) => at > start && line.trim().startsWith("]"));
  return lines.slice(start + 1, end === -1 ? undefined : end).flatMap((line) => /^\s*"(.*)",?$/u.exec(line)?.[1] ?? []);
}
