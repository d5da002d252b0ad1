import { look, type Investigation } from "./investigation.ts";
import { answerListing } from "./list.ts";
import { bullets, plural, quote, reference } from "./quote.ts";
import type { Line, Listing, Page } from "./sighting.ts";
import { readOn, visit } from "./visit.ts";

const MAX_PAGES = 4;

/** Outlines a file, or a directory by its entries and its README. */
export function* summarise(path: string): Investigation<string> {
  const asDirectory = path === "." || !/\.\w+$/u.test(path);
  const tool = asDirectory ? "LS" : "Read";
  const { sighting, notes } = yield* visit({ tool, params: { path } }, `I look at '${path}'.`);
  const summary =
    sighting?.kind === "page"
      ? yield* outlineFile(sighting)
      : sighting?.kind === "listing"
        ? yield* outlineDirectory(sighting)
        : yield* answerListing(path, sighting);
  return [...notes, summary].join("\n\n");
}

function* outlineFile(first: Page): Investigation<string> {
  const pages = yield* readOn(first, MAX_PAGES);
  const lines = pages.flatMap((page) => page.lines);
  const total = pages.at(-1)?.total;
  const length =
    total === undefined ? `I read its first ${plural(lines.length, "line")}` : `it has ${plural(total, "line")}`;
  const outline = lines.filter(isLandmark).slice(0, 25);
  const parts = [`\`${first.path}\`: ${length}.`];
  const opening = openingProse(lines);
  if (opening.length > 0) parts.push(`It says:\n\n${quote(first.path, opening, 8)}`);
  if (outline.length > 0) {
    const items = outline.map((line) => `- ${reference(first.path, [line])} ${line.text.trim().slice(0, 100)}`);
    parts.push(`Its outline:\n\n${items.join("\n")}`);
  }
  return parts.join("\n\n");
}

const LANDMARK =
  /^(?:#{1,3} \S|(?:export )?(?:default )?(?:async )?(?:function|class|interface|type|enum|const) \w|(?:async )?def \w|class \w|(?:pub )?(?:fn|struct|trait|enum) \w|func \w)/u;

function isLandmark({ text }: Line): boolean {
  return LANDMARK.test(text);
}

/** The first run of lines that reads like prose. */
function openingProse(lines: readonly Line[]): Line[] {
  const described = lines.slice(0, 40).filter(({ text }) => /^\s*"?description"?\s*[:=]/u.test(text));
  if (described.length > 0) return described.slice(0, 1);
  const start = lines.slice(0, 40).findIndex(({ text }) => /^(?:\s*\/?\*+\s+|\/\/ |# |)[A-Z][^{};=]{25,}/u.test(text));
  if (start === -1) return [];
  const length = lines.slice(start).findIndex(({ text }) => text.trim() === "");
  return lines.slice(start, length === -1 ? start + 6 : start + Math.min(length, 6));
}

function* outlineDirectory(listing: Listing): Investigation<string> {
  const { path, entries, total } = listing;
  const head = `\`${path}\` has ${plural(total, "entry", "entries")}:\n\n${bullets(entries, 30)}`;
  const readme = entries.find((entry) => /(?:^|\/)readme(?:\.\w+)?$/iu.test(entry));
  const manifest = entries.find((entry) =>
    /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/u.test(entry),
  );
  const source = readme ?? manifest;
  if (source === undefined) return head;
  const page = yield* look(`There is a '${source}', which should say what this is.`, "Read", {
    path: source,
    limit: 120,
  });
  if (page?.kind !== "page") return head;
  return `${head}\n\n${yield* outlineFile({ ...page, next: undefined })}`;
}
