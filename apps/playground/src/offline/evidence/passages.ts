import type { Line, Match } from "../observation.ts";
import { holds } from "../question/words.ts";
import { kindWeight } from "./rank.ts";

/** The part of a file that fits some stems best. */
export interface Passage {
  readonly path: string;
  /** The lines that hold a stem. */
  readonly hits: readonly Line[];
  /** Where to begin reading. */
  readonly from: number;
  readonly score: number;
}

const WINDOW = 14;
/** A comment and a signature may be above the line that has the word. */
const ABOVE = 4;
const DECLARATION =
  /^\s*(?:export\b|(?:async )?function\b|class\b|interface\b|type\b|def\b|fn\b|func\b|pub\b|#{1,4} )/u;
const TABLE_ROW = /^\s*\|/u;
const PROSE = /^\s*(?:\/\*\*|\*|\/\/|#|>|[A-Z][\p{L}' ,-]{30,})/u;
const IMPORT = /^\s*(?:import|export \{|export \*|from)\b/u;

/** The best passage of each file, best first. */
export function bestPassages(matches: readonly Match[], stems: readonly string[]): Passage[] {
  const files = [...new Set(matches.map(({ file }) => file))];
  return files
    .flatMap((path) => {
      const own = matches.filter(({ file }) => file === path);
      return bestOf(path, own, weightsFor(path, matches, stems)) ?? [];
    })
    .sort((a, b) => b.score - a.score);
}

/** Where the most different stems are close together. */
function bestOf(path: string, matches: readonly Match[], weights: ReadonlyMap<string, number>): Passage | undefined {
  const stems = [...weights.keys()];
  const weightOf = (text: string) =>
    stems.reduce((sum, part) => sum + (holds(text.toLowerCase(), part) ? (weights.get(part) ?? 0) : 0), 0);
  let best: Passage | undefined;
  for (const match of matches) {
    const near = matches.filter(({ line }) => line >= match.line && line < match.line + WINDOW);
    const together = weightOf(near.map(({ text }) => text).join("\n"));
    const density = near.reduce((sum, { text }) => sum + weightOf(text), 0);
    const score = (together + density / 4) * telling(match.text) * kindWeight(path);
    if (best && score <= best.score) continue;
    const hits = near.map(({ line, text }) => ({ number: line, text }));
    best = { path, hits, from: Math.max(1, match.line - ABOVE), score };
  }
  return best;
}

/** A stem that few lines hold says more than one that is everywhere, or that the file is named after. */
function weightsFor(path: string, matches: readonly Match[], stems: readonly string[]): Map<string, number> {
  return new Map(
    stems.map((part) => {
      const holding = matches.filter(({ text }) => holds(text.toLowerCase(), part)).length;
      const expected = holds(path.toLowerCase(), part) ? 0.25 : 1;
      return [part, Math.log(2 + matches.length / (1 + holding)) * expected];
    }),
  );
}

function telling(text: string): number {
  if (IMPORT.test(text)) return 0.4;
  if (TABLE_ROW.test(text)) return 0.5;
  return DECLARATION.test(text) || PROSE.test(text) ? 1.3 : 1;
}

/** A page without the rest of what was above it, and without a block that it only begins. */
export function windowOf(lines: readonly Line[]): readonly Line[] {
  const blank = ({ text }: Line) => text.trim() === "" || /^[}\])]+[;,]?$/u.test(text);
  const start = lines.slice(0, ABOVE).findLastIndex(blank) + 1;
  const shown = lines.slice(start);
  const end = shown.findLastIndex(blank);
  const whole = end > WINDOW / 2 ? shown.slice(0, end + 1) : shown;
  const last = whole.findLastIndex(({ text }) => !/^\s*(?:#{1,6} .*)?$/u.test(text));
  return whole.slice(0, last + 1);
}
