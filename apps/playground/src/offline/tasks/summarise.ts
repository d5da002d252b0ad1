import { look, type Investigation } from "../investigation.ts";
import { answerListing } from "./list.ts";
import { bullets, plural, quote, reference } from "../evidence/quote.ts";
import type { Line, Listing, Page } from "../observation.ts";
import { readOn, visit } from "../visit.ts";

const MAX_PAGES = 4;

/** Outlines a file, or a directory by its entries and its README. */
export function* summarise(path: string): Investigation<string> {
  const asDirectory = path === "." || !/\.\w+$/u.test(path);
  const tool = asDirectory ? "LS" : "Read";
  const { observation, notes } = yield* visit({ tool, params: { path } }, `I look at '${path}'.`);
  const summary =
    observation?.kind === "page"
      ? yield* outlineFile(observation)
      : observation?.kind === "listing"
        ? yield* outlineDirectory(observation)
        : yield* answerListing(path, observation);
  return [...notes, summary].join("\n\n");
}

function* outlineFile(first: Page): Investigation<string> {
  const pages = yield* readOn(first, MAX_PAGES);
  const lines = pages.flatMap((page) => page.lines);
  const total = pages.at(-1)?.total;
  const length =
    total === undefined ? `I read its first ${plural(lines.length, "line")}` : `it has ${plural(total, "line")}`;
  const markdown = /\.mdx?$/iu.test(first.path);
  const outline = (markdown ? sections(lines) : landmarks(lines)).slice(0, 25);
  const parts = [`\`${first.path}\`: ${length}.`];
  const opening = markdown ? openingParagraph(lines) : openingProse(lines);
  if (opening.length > 0) parts.push(`It says:\n\n${quote(first.path, opening, 8)}`);
  if (outline.length > 0) {
    const items = outline.map((line) => `- ${reference(first.path, [line])} ${clip(line.text.trim())}`);
    parts.push(`Its outline:\n\n${items.join("\n")}`);
  }
  return parts.join("\n\n");
}

const MAX_ITEM_CHARS = 160;

function clip(text: string): string {
  return text.length > MAX_ITEM_CHARS ? `${text.slice(0, MAX_ITEM_CHARS)}…` : text;
}

const LANDMARK =
  /^(?:(?:export )?(?:default )?(?:async )?(?:function|class|interface|type|enum|const) \w|(?:async )?def \w|class \w|(?:pub )?(?:fn|struct|trait|enum) \w|func \w)/u;

function landmarks(lines: readonly Line[]): readonly Line[] {
  return lines.filter(({ text }) => LANDMARK.test(text));
}

/** The headings of a document, each with the first sentence below it. */
function sections(lines: readonly Line[]): readonly Line[] {
  const outside = outsideFences(lines);
  const headings = outside.flatMap((line, at) => (HEADING.test(line.text) ? [{ line, at }] : []));
  return headings.map(({ line, at }, index) => {
    const body = outside.slice(at + 1, headings[index + 1]?.at);
    const prose = body.find(({ text }) => READABLE.test(text))?.text.replace(/^\s*(?:[-*]|\d+\.)\s+/u, "");
    return prose === undefined ? line : { ...line, text: `${line.text}: ${prose.replace(/(?<=[.!?]) .*$/u, "")}` };
  });
}

const HEADING = /^#{1,3} \S/u;
/** A line of a document that says something on its own: no table, picture or markup. */
const READABLE = /^(?!\||!\[|<|---|#)\s*\S/u;

function outsideFences(lines: readonly Line[]): readonly Line[] {
  let fenced = false;
  return lines.filter(({ text }) => {
    const fence = /^\s*(?:```|~~~)/u.test(text);
    if (fence) fenced = !fenced;
    return !fence && !fenced;
  });
}

/** The first paragraph of a document, if one comes before its first section. */
function openingParagraph(lines: readonly Line[]): readonly Line[] {
  const outside = outsideFences(lines);
  const start = outside.findIndex(({ text }) => READABLE.test(text));
  const section = outside.findIndex(({ text }) => text.startsWith("## "));
  if (start === -1 || (section !== -1 && section < start)) return [];
  const length = outside.slice(start).findIndex(({ text }) => text.trim() === "");
  return outside.slice(start, start + Math.min(length === -1 ? 6 : length, 6));
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

/** What it is comes first, what it holds after that. */
function* outlineDirectory(listing: Listing): Investigation<string> {
  const { path, entries, total } = listing;
  const holds = `\`${path}\` has ${plural(total, "entry", "entries")}:\n\n${bullets(entries, 30)}`;
  const readme = entries.find((entry) => /(?:^|\/)readme(?:\.\w+)?$/iu.test(entry));
  const manifest = entries.find((entry) =>
    /(?:^|\/)(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod)$/u.test(entry),
  );
  const source = readme ?? manifest;
  if (source === undefined) return holds;
  const page = yield* look(`There is a '${source}', which should say what this is.`, "Read", {
    path: source,
    limit: 60,
  });
  if (page?.kind !== "page") return holds;
  const sentence = openingSentence(page.lines);
  const outline = yield* outlineFile({ ...page, next: undefined });
  return [...(sentence === undefined ? [] : [sentence]), outline, holds].join("\n\n");
}

/** What a document, or a manifest, says that it is, as one line of prose. */
export function openingSentence(lines: readonly Line[]): string | undefined {
  const described = lines.map(({ text }) => /^\s*"?description"?\s*[:=]\s*"(.+)",?$/u.exec(text)?.[1]).find(Boolean);
  if (described !== undefined) return described;
  const paragraph = openingParagraph(lines)
    .map(({ text }) => text.trim())
    .join(" ");
  return paragraph === "" ? undefined : paragraph;
}
