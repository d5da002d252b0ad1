import type { Investigation } from "./investigation.ts";
import { plural, quote, reference } from "./quote.ts";
import { searchByReading } from "./search.ts";
import type { Line, Page } from "./sighting.ts";
import { nameParts, stem } from "./words.ts";

interface Place {
  readonly path: string;
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
  const mentioned = mentions(pages, symbol).map(({ path, lines }) => reference(path, lines.slice(0, 1)));
  const also = mentioned.filter((place) => !defined || !place.startsWith(`\`${defined.path}:`)).slice(0, 5);
  const elsewhere = also.length === 0 ? "" : `Also mentioned at ${also.join(", ")}.`;
  if (defined) {
    const head = `\`${symbol}\` is defined at ${reference(defined.path, defined.lines.slice(0, 1))}:`;
    return [head, quote(defined.path, defined.lines), elsewhere].filter((part) => part !== "").join("\n\n");
  }
  const files = new Set(pages.map((page) => page.path)).size;
  const searched = `I read ${plural(files, "file")} and found no definition of \`${symbol}\`.`;
  return [searched, elsewhere].filter((part) => part !== "").join("\n\n");
}

const KEYWORDS = "function|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|module|namespace|macro|sub";

/** Lines that define the name, with a few lines after each. */
function definitions(pages: readonly Page[], symbol: string): Place[] {
  const name = symbol.replaceAll(/[$.]/gu, String.raw`\$&`);
  const wording = new RegExp(String.raw`(?:^|\s)(?:${KEYWORDS})\*?\s+(?:\([^)]*\)\s*)?${name}(?![\w$])`, "u");
  return places(pages, (line) => wording.test(line.text) && !/^\s*(?:\/\/|\*|#\s)/u.test(line.text), 8);
}

function mentions(pages: readonly Page[], symbol: string): Place[] {
  const name = symbol.replaceAll(/[$.]/gu, String.raw`\$&`);
  const wording = new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, "u");
  return places(pages, (line) => wording.test(line.text), 1);
}

function places(pages: readonly Page[], fits: (line: Line) => boolean, lineCount: number): Place[] {
  return pages.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => (fits(line) ? [{ path, lines: lines.slice(at, at + lineCount) }] : [])),
  );
}

/** A mention in an import or a re-export names the file to read next. */
function importedFrom({ path, lines }: Place): string[] {
  const source = /(?:from|import|require\()\s*["'](\.[^"']+)["']/u.exec(lines[0]?.text ?? "")?.[1];
  if (source === undefined) return [];
  const segments = path.split("/").slice(0, -1);
  for (const part of source.split("/")) {
    if (part === "..") segments.pop();
    else if (part !== ".") segments.push(part);
  }
  return [segments.join("/")];
}
