import type { Investigation } from "./investigation.ts";
import { plural, quote, reference } from "./quote.ts";
import { searchByReading } from "./search.ts";
import type { Line, Page } from "./observation.ts";
import { nameParts, stem } from "./words.ts";

interface Place {
  readonly path: string;
  readonly line: Line;
}

interface Definition extends Place {
  /** The definition with the comment above it. */
  readonly lines: readonly Line[];
}

/** Finds where a name is defined, by reading. */
export function* locate(symbol: string): Investigation<string> {
  const parts = nameParts(symbol).map(stem);
  const stems = [...new Set(parts)].filter((part) => part.length > 1);
  const pages = yield* searchByReading({
    subject: `'${symbol}'`,
    stems,
    patience: 6,
    enough: (seen) => definitions(seen, symbol).length > 0,
    leads: (seen) => mentions(seen, symbol).flatMap(importedFrom),
  });
  const [defined] = definitions(pages, symbol);
  const mentioned = mentions(pages, symbol).map(({ path, line }) => reference(path, [line]));
  const also = mentioned.filter((place) => !defined || !place.startsWith(`\`${defined.path}:`)).slice(0, 5);
  const elsewhere = also.length === 0 ? "" : `Also mentioned at ${also.join(", ")}.`;
  if (defined) {
    const head = `\`${symbol}\` is defined at ${reference(defined.path, [defined.line])}:`;
    return [head, quote(defined.path, defined.lines), elsewhere].filter((part) => part !== "").join("\n\n");
  }
  const files = new Set(pages.map((page) => page.path)).size;
  const searched = `I read ${plural(files, "file")} and found no definition of \`${symbol}\`.`;
  return [searched, elsewhere].filter((part) => part !== "").join("\n\n");
}

const KEYWORDS = "function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module|namespace|macro|sub";

function definitions(pages: readonly Page[], symbol: string): Definition[] {
  const wording = new RegExp(
    String.raw`(?:^|\s)(?:${KEYWORDS})\*?\s+(?:\([^)]*\)\s*)?${escaped(symbol)}(?![\w$])`,
    "u",
  );
  return pages.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) =>
      wording.test(line.text) && !COMMENT.test(line.text) ? [{ path, line, lines: wholeDefinition(lines, at) }] : [],
    ),
  );
}

const COMMENT = /^\s*(?:\/\*|\*|\/\/|#\s)/u;
const MAX_COMMENT = 8;
const MAX_BODY = 12;

/** From the comment above to the closing bracket, or as much as is worth showing. */
function wholeDefinition(lines: readonly Line[], at: number): Line[] {
  const above = lines.slice(Math.max(0, at - MAX_COMMENT), at);
  const commented = above.length - 1 - above.findLastIndex(({ text }) => !COMMENT.test(text));
  const body = lines.slice(at, at + MAX_BODY);
  const end = body.findIndex(({ text }, index) => /^[)\]}]/u.test(text) || (index > 0 && text.trim() === ""));
  const closed = end === -1 ? body : body.slice(0, body[end]?.text.trim() === "" ? end : end + 1);
  return [...above.slice(above.length - commented), ...closed];
}

/** Every line that holds the name as a word. */
function mentions(pages: readonly Page[], name: string): Place[] {
  const wording = new RegExp(String.raw`(?<![\w$])${escaped(name)}(?![\w$])`, "u");
  return pages.flatMap(({ path, lines }) =>
    lines.filter((line) => wording.test(line.text)).map((line) => ({ path, line })),
  );
}

function escaped(name: string): string {
  return name.replaceAll(/[$.]/gu, String.raw`\$&`);
}

/** A mention in an import or a re-export names the file to read next. */
function importedFrom({ path, line }: Place): string[] {
  const source = /(?:from|import|require\()\s*["'](\.[^"']+)["']/u.exec(line.text)?.[1];
  if (source === undefined) return [];
  const segments = path.split("/").slice(0, -1);
  for (const part of source.split("/")) {
    if (part === "..") segments.pop();
    else if (part !== ".") segments.push(part);
  }
  return [segments.join("/")];
}
