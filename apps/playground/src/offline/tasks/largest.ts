import { plural } from "../evidence/quote.ts";
import { look, type Investigation } from "../investigation.ts";
import type { Page } from "../observation.ts";
import { visit } from "../visit.ts";
import { countFiles } from "./count.ts";

/** As many as one answer of Grep lists. */
const MAX_FILES = 200;
const CANDIDATES = 3;

const HOW =
  "No tool lists sizes. I compared the files by their lines, and asked Read for the bytes of those with the most; a file of few but very long lines could be larger. Binary, hidden and ignored files are left out.";

/** Finds the largest text file: Grep counts lines, Read tells bytes. In a large project it says early that it can't. */
export function* largest(include: string, within: string): Investigation<string> {
  const counted = yield* countFiles(include, within);
  if ("problem" in counted) return counted.problem;
  const place = within === "." ? "in this project" : `in \`${within}\``;
  const { notes, files } = counted;
  if (files > MAX_FILES) {
    return [
      ...notes,
      `That is beyond me here: there are ${plural(files, "file")} ${place}, and I compare at most ${MAX_FILES}. Name a folder or a kind of file, such as "What is the largest TypeScript file in src?".`,
    ].join("\n\n");
  }
  const path = within === "." ? {} : { path: within };
  const params = { pattern: "^", ...path, include, output_mode: "count", limit: MAX_FILES };
  const say = "I let Grep count the lines of each: every line has a beginning.";
  const { observation } = yield* visit({ tool: "Grep", params }, say);
  if (observation?.kind !== "matches" || observation.matches.length === 0) return "I found no file with text in it.";
  const longest = observation.matches.toSorted((a, b) => b.count - a.count).slice(0, CANDIDATES);
  const pages: Page[] = [];
  for (const { file } of longest) {
    const page = yield* look(`I read one line of '${file}'; the answer tells how big it is.`, "Read", {
      path: file,
      limit: 1,
    });
    if (page?.kind === "page") pages.push(page);
  }
  const [first, ...others] = pages.toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0)).map(sizeOf);
  if (first === undefined) return "I found the files with the most lines, but could not read them.";
  return [
    ...notes,
    `The largest of ${plural(observation.matches.length, "text file")} ${place} is ${first}.`,
    ...(others.length === 0 ? [] : [`After it: ${others.join("; ")}.`]),
    HOW,
  ].join("\n\n");
}

function sizeOf({ path, total, bytes }: Page): string {
  const lines = total === undefined ? [] : [plural(total, "line")];
  return [`\`${path}\``, ...lines, ...(bytes === undefined ? [] : [plural(bytes, "byte")])].join(", ");
}
