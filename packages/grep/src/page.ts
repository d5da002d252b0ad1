import type { Hit } from "./engine/engine.ts";
import type { GrepParams } from "./params.ts";
import * as lines from "./text/lines.ts";
import type { SearchText } from "./text/search-text.ts";

/** One match, or with `output_mode` "files" and "count" the first one of a file. */
export interface GrepMatch {
  /** POSIX, relative to the project root. */
  readonly file: string;
  readonly line: number;
  /** The line without its end; a long one is cut around the match. */
  readonly text: string;
  /** Where a cut line begins, in characters from 1. */
  readonly column?: number;
  /** The last line of a match that may span lines. */
  readonly end_line?: number;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
  /** The number of lines that match (of matches, where they may span lines); with `output_mode` "count". */
  readonly count?: number;
}

interface PageOptions extends lines.LineLimits {
  readonly params: Pick<GrepParams, "output_mode" | "limit" | "offset" | "context">;
  /** Whether an engine may report several matches of a line, of which only the first one counts. */
  readonly countsLines: boolean;
}

/** A page of what an engine finds. */
export type Page = ReturnType<typeof createPage>;

/** What is on a page, and whether there is more after it. */
export type PageContent = ReturnType<Page["found"]>;

/** Starts an empty page. */
export function createPage({ params, countsLines, ...limits }: PageOptions) {
  const { pacer } = limits;
  const { output_mode: mode, limit, offset, context } = params;
  const matches: { -readonly [Key in keyof GrepMatch]: GrepMatch[Key] }[] = [];
  /** Of each match, the text that it is from. */
  const texts: SearchText[] = [];
  let truncated = false;
  let files = 0;
  let binary = 0;
  let passed = 0;
  let underWay: SearchText | undefined;
  /** The file under way: what the page was before it, and how much it has. */
  let current = startFile();

  function startFile() {
    return { hits: 0, matches: matches.length, passed, isRejected: false, line: 1, lineStart: 0, nextLine: 0 };
  }

  async function add(text: SearchText, hits: readonly Hit[]): Promise<boolean> {
    underWay = text;
    for (const hit of hits) {
      if (countsLines && hit.start < current.nextLine) continue;
      current.hits += 1;
      if (text.isBinary || current.isRejected) return true;
      if (countsLines) current.nextLine = (await lines.findLineEnd(text, hit.start, pacer)).next ?? Infinity;
      if (mode !== "content" && current.hits > 1) continue;
      if (passed - offset === limit) {
        // If what it shows were taken back now, the next page would begin where this one did.
        truncated = text.isUnchanged();
        if (truncated) {
          files += 1;
          underWay = undefined;
        } else reject(text);
        return !truncated;
      }
      passed += 1;
      if (passed > offset) {
        matches.push(await describe(text, hit));
        texts.push(text);
      }
      if (pacer.due()) await pacer.rest();
    }
    return true;
  }

  async function describe(text: SearchText, hit: Hit): Promise<GrepMatch> {
    const { lineStart, line } = await place(text, hit);
    const excerpt = await lines.excerptAround(text, lineStart, hit.start, limits);
    const match: (typeof matches)[number] = { file: text.path.relative, line, ...excerpt };
    const end = countsLines ? undefined : hit.end;
    const last = end === undefined ? hit.start : Math.max(hit.start, end - 1);
    if (end !== undefined) match.end_line = line + (await lines.countLineEnds(text, lineStart, last, pacer));
    if (context > 0 && mode === "content") {
      match.before = await lines.linesBefore(text, lineStart, context, limits);
      match.after = await lines.linesAfter(text, last, context, limits);
    }
    return match;
  }

  /** The line of a match, counted from that of the last one where the engine does not say. */
  async function place(text: SearchText, hit: Hit): Promise<{ lineStart: number; line: number }> {
    if (hit.line !== undefined && hit.lineStart !== undefined) return { line: hit.line, lineStart: hit.lineStart };
    const lineStart = await lines.findLineStart(text, hit.start, pacer);
    if (lineStart > current.lineStart) {
      current.line += await lines.countLineEnds(text, current.lineStart, lineStart, pacer);
      current.lineStart = lineStart;
    }
    return { line: current.line, lineStart };
  }

  /** What was found in this text may not be true: takes it back. */
  function reject(text: SearchText): void {
    underWay = text;
    matches.length = texts.length = current.matches;
    passed = current.passed;
    current.isRejected = true;
  }

  function settle(text: SearchText): void {
    if (current.hits > 0 && text.isBinary) binary += 1;
    if (matches.length > current.matches && !text.isUnchanged()) reject(text);
    const match = matches[current.matches];
    if (mode === "count" && match !== undefined) match.count = current.hits;
  }

  return {
    add,
    reject,
    end: (text: SearchText): void => {
      settle(text);
      files += 1;
      current = startFile();
      underWay = undefined;
    },
    /** Ends the page where the search was stopped in the middle of a file. */
    finish: () => {
      if (underWay !== undefined) settle(underWay);
    },
    isFull: () => truncated,
    /** `binary` files with matches are left out as they are not text; something of those that are `shown` is shown. */
    found: () => ({ matches, truncated, binary, shown: [...new Set<Pick<SearchText, "path" | "version">>(texts)] }),
    /** How many matches, or files, were passed before this page and on it. */
    passed: () => passed,
    /** How many files were searched, the one at which the page ended included. */
    files: () => files,
  };
}
