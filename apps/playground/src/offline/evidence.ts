import type { Line, Page } from "./observation.ts";
import { holds } from "./words.ts";

/** A passage of a file, and how well it fits. */
export interface Passage {
  readonly path: string;
  readonly lines: readonly Line[];
  readonly score: number;
  /** The stems that it holds. */
  readonly stems: readonly string[];
  /** The stems that the file holds. */
  readonly fileStems: readonly string[];
}

const WINDOW = 10;
const MAX_PASSAGE = 18;
const DECLARATION =
  /^\s*(?:export\b|(?:async )?function\b|class\b|interface\b|type\b|def\b|fn\b|func\b|pub\b|#{1,4} )/u;
const TABLE_ROW = /^\s*\|/u;
const PROSE = /^\s*(?:\/\*\*|\*|\/\/|#|>|[A-Z][\p{L}' ,-]{30,})/u;

/** The best passage of each file for some stems, best first. */
export function bestPassages(
  pages: readonly Page[],
  stems: readonly string[],
  weightOf: (path: string) => number,
): Passage[] {
  const files = linesByFile(pages);
  const weights = rarity([...files.values()].flat(), stems);
  return [...files]
    .flatMap(([path, lines]) => bestOf(path, lines, weights))
    .map((passage) => ({ ...passage, score: passage.score * weightOf(passage.path) }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function linesByFile(pages: readonly Page[]): Map<string, Line[]> {
  const files = new Map<string, Line[]>();
  for (const page of pages) files.set(page.path, [...(files.get(page.path) ?? []), ...page.lines]);
  return files;
}

/** A stem that few lines hold says more than one that stands everywhere. */
function rarity(lines: readonly Line[], stems: readonly string[]): Map<string, number> {
  return new Map(
    stems.map((stem) => {
      const holding = lines.filter((line) => holds(line.text.toLowerCase(), stem)).length;
      return [stem, Math.log(1 + lines.length / (1 + holding))];
    }),
  );
}

function bestOf(path: string, lines: readonly Line[], weights: ReadonlyMap<string, number>): Passage[] {
  const hits = lines.map((line) => [...weights.keys()].filter((stem) => holds(line.text.toLowerCase(), stem)));
  let best: { score: number; at: number; stems: string[] } | undefined;
  for (const [at, line] of lines.entries()) {
    if (hits[at]?.length === 0) continue;
    const inWindow = hits.slice(at, at + WINDOW).flat();
    const stems = [...new Set(inWindow)];
    const weight = stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
    const density = 1 + Math.min(inWindow.length, 12) / 24;
    const telling = TABLE_ROW.test(line.text) ? 0.5 : DECLARATION.test(line.text) || PROSE.test(line.text) ? 1.25 : 1;
    const score = weight * density * telling;
    if (!best || score > best.score) best = { score, at, stems };
  }
  if (!best) return [];
  const fileStems = [...new Set(hits.flat())];
  return [{ path, lines: block(lines, best.at), score: best.score, stems: best.stems, fileStems }];
}

/** The lines around a hit, from where its paragraph begins to where the next but one ends. */
function block(lines: readonly Line[], at: number): Line[] {
  let from = at;
  const begins = (text: string) => text.trim() === "" || TABLE_ROW.test(text);
  while (from > 0 && at - from < 6 && !begins(lines[from - 1]?.text ?? "")) from--;
  let to = at;
  while (to + 1 < lines.length && to - from + 1 < MAX_PASSAGE) {
    to++;
    const blank = lines[to]?.text.trim() === "";
    if (blank && to - at >= WINDOW - 2) break;
  }
  const chosen = lines.slice(from, to + 1);
  while (/^\s*(?:#{1,6} .*)?$/u.test(chosen.at(-1)?.text ?? "-")) chosen.pop();
  return chosen;
}
