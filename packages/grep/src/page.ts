import { SandboxError, type FileVersion, type Pacer, type SafePath } from "@fstools/sandbox";
import { excerptAround, linesAfter, linesBefore } from "./engine/excerpt.ts";
import type { Hit, HitSink, Wanted } from "./engine/hit.ts";
import { countLineEnds, findLineStart } from "./engine/lines.ts";
import type { SearchText } from "./engine/search-text.ts";
import type { GrepParams } from "./params.ts";

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

/** A file that something is shown of. */
interface ShownFile {
  readonly path: SafePath;
  readonly version: FileVersion;
}

/** Collects one page of what an engine finds. */
export interface Page extends HitSink {
  readonly matches: readonly GrepMatch[];
  readonly shown: readonly ShownFile[];
  /** Whether there is more after this page. */
  readonly truncated: boolean;
  /** How many files were searched, the one at which the page ended included. */
  readonly files: number;
  /** Files with matches that were left out as they are not text. */
  readonly binary: number;
  /** Ends the page where the search was stopped in the middle of a file. */
  finish(): void;
}

/** What of the parameters a page depends on. */
export type PageParams = Pick<GrepParams, "output_mode" | "limit" | "offset" | "context">;

/** Starts an empty page. */
export function createPage(params: PageParams, maxLineChars: number, pacer: Pacer): Page {
  const { output_mode: mode, limit, offset, context } = params;
  const matches: Mutable<GrepMatch>[] = [];
  const shown = new Map<string, ShownFile>();
  let truncated = false;
  let files = 0;
  let binary = 0;
  /** Matches, or files, before and on this page. */
  let passed = 0;
  /** The file under way: what the page was before it, and how much it has. */
  let current = startFile();

  function startFile() {
    return { hits: 0, matches: matches.length, passed, isRejected: false, line: 1, lineStart: 0 };
  }
  let underWay: SearchText | undefined;

  /** What was found in a file that changed meanwhile may not be true of it. */
  function reject(): void {
    matches.length = current.matches;
    passed = current.passed;
    current.isRejected = true;
  }

  function hit(text: SearchText, found: Hit): Promise<Wanted> | Wanted {
    underWay = text;
    current.hits += 1;
    if (text.isBinary || current.isRejected) return "next";
    const isFurther = current.hits > 1;
    if (mode !== "content" && isFurther) return mode === "count" || "next";
    if (passed - offset === limit) return endPage(text);
    passed += 1;
    if (passed > offset) return show(text, found);
    return mode !== "files" || "next";
  }

  function endPage(text: SearchText): Wanted {
    if (!isUnchanged(text)) {
      reject();
      return "next";
    }
    truncated = true;
    files += 1;
    // What it shows is settled: if it were taken back now, the next page would begin where this one did.
    underWay = undefined;
    return false;
  }

  async function show(text: SearchText, found: Hit): Promise<Wanted> {
    matches.push(await describe(text, found));
    shown.set(text.path.relative, { path: text.path, version: text.version });
    return mode !== "files" || "next";
  }

  async function describe(text: SearchText, found: Hit): Promise<GrepMatch> {
    const { lineStart, line } = await place(text, found);
    const excerpt = await excerptAround(text, lineStart, found.start, maxLineChars, pacer);
    const last = found.end === undefined ? found.start : Math.max(found.start, found.end - 1);
    const span =
      found.end === undefined ? {} : { end_line: line + (await countLineEnds(text, lineStart, last, pacer)) };
    const around =
      context === 0 || mode !== "content"
        ? {}
        : {
            before: await linesBefore(text, lineStart, context, maxLineChars, pacer),
            after: await linesAfter(text, last, context, maxLineChars, pacer),
          };
    return { file: text.path.relative, line, ...excerpt, ...span, ...around };
  }

  /** The line of a match, counted from that of the last one where the engine does not say. */
  async function place(text: SearchText, found: Hit): Promise<{ lineStart: number; line: number }> {
    if (found.line !== undefined && found.lineStart !== undefined) {
      return { line: found.line, lineStart: found.lineStart };
    }
    const lineStart = await findLineStart(text, found.start, pacer);
    if (lineStart > current.lineStart) {
      current.line += await countLineEnds(text, current.lineStart, lineStart, pacer);
      current.lineStart = lineStart;
    }
    return { line: current.line, lineStart };
  }

  function done(text: SearchText): boolean {
    files += 1;
    endFile(text);
    return true;
  }

  function endFile(text: SearchText): void {
    if (current.hits > 0 && text.isBinary) binary += 1;
    if (matches.length > current.matches && !isUnchanged(text)) reject();
    const match = matches[current.matches];
    if (mode === "count" && match !== undefined) match.count = current.hits;
    current = startFile();
    underWay = undefined;
  }

  return {
    hit,
    done,
    finish: () => {
      if (underWay !== undefined) endFile(underWay);
    },
    matches,
    get shown() {
      const named = new Set(matches.map(({ file }) => file));
      return [...shown.values()].filter(({ path }) => named.has(path.relative));
    },
    get truncated() {
      return truncated;
    },
    get files() {
      return files;
    },
    get binary() {
      return binary;
    },
  };
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function isUnchanged(text: SearchText): boolean {
  try {
    return text.isUnchanged();
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}
