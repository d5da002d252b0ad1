import * as protocol from "@fstools/protocol";
import { passedCountNotes, type PathWords } from "@fstools/sandbox";
import type { EngineError } from "./engine/engine.ts";
import type { GrepMatch } from "./page.ts";
import type { GrepParams } from "./params.ts";
import type { Findings } from "./search.ts";

/** The `data` of Grep. */
export interface GrepData {
  /** In the order of the files, then of their lines. */
  readonly matches: readonly GrepMatch[];
  /** Whether there are more matches, or files, after these. */
  readonly truncated: boolean;
  /** The time limit ended the search. */
  readonly aborted_reason?: "time_limit";
  /** The engine that took the place of ripgrep. */
  readonly fallback?: "javascript";
  readonly fallback_reason?: EngineError["reason"];
}

/** Grep's own sentences for what can go wrong with a path. */
export const grepPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `Search root '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
};

/** A finished search, and everything that the text says about it. */
interface SearchReport {
  readonly findings: Findings;
  readonly params: GrepParams;
  /** The search root, relative to the project root. */
  readonly path: string;
  readonly isFile: boolean;
  readonly maxDurationMs: number;
}

/** The figures of Grep. */
export type GrepStats = Readonly<ReturnType<typeof stats>>;

/** Puts a search into data and words. @throws ToolError TIMEOUT if the time limit ended it without results */
export function grepOutcome(report: SearchReport): protocol.Outcome<GrepData, GrepStats> {
  const { findings, params } = report;
  const { matches, truncated, fallback } = findings;
  if (findings.timedOut && matches.length === 0) throw timedOut(report);
  return {
    data: {
      matches,
      truncated: truncated && !findings.timedOut,
      ...(findings.timedOut ? { aborted_reason: "time_limit" as const } : {}),
      ...(fallback === undefined ? {} : { fallback: "javascript" as const, fallback_reason: fallback }),
    },
    summary: (elapsedMs) => summary(report, elapsedMs),
    discounts: discounts(report),
    notes: notes(report),
    body: body(matches, params.output_mode),
    stats: stats(findings),
  };
}

function summary({ findings, params, path }: SearchReport, elapsedMs: number): string[] {
  const { matched_files: files, matched_lines: lines } = stats(findings);
  const found = params.output_mode === "files" ? `${files} files with matches` : `${lines} matches in ${files} files`;
  const headline = findings.matches.length === 0 ? "No matches found" : `Found ${found}`;
  return [
    `${headline} for '${protocol.echo(params.pattern)}' in '${protocol.escapeText(path)}'`,
    `(Searched ${findings.searched} files in ${elapsedMs}ms)`,
  ];
}

function stats({ matches, searched, skipped, binary, engine }: Findings) {
  return {
    matched_files: new Set(matches.map(({ file }) => file)).size,
    matched_lines: matches.reduce((sum, { count = 1 }) => sum + count, 0),
    files_searched: searched,
    skipped,
    binary,
    engine,
  };
}

const NARROW_DOWN = "Use a more specific 'path' or 'include'.";

function discounts({ findings, params, maxDurationMs }: SearchReport): protocol.Discount[] {
  const { matches, truncated, timedOut, skipped, fallback } = findings;
  const all: protocol.Discount[] = [];
  if (timedOut) {
    const reason = `Search timed out (>${maxDurationMs / 1000}s). Results are incomplete.`;
    all.push({ label: "Partial", reason, next: NARROW_DOWN, stoppedEarly: true });
  } else if (truncated) {
    const change = { offset: params.offset + matches.length };
    all.push({
      label: "Truncated",
      reason: `Showing matches ${params.offset + 1}-${change.offset}.`,
      next: `Use ${protocol.assigned(change)} to continue, or narrow 'pattern', 'path' or 'include'.`,
      // The caller may have used another word for it, which the schema does not offer.
      change: params.output_mode === "files" ? { ...change, output_mode: "files" } : change,
    });
  }
  if (skipped > 0) {
    all.push({
      label: "Partial",
      reason: `Skipped ${skipped === 1 ? "1 entry" : `${skipped} entries`} that could not be read.`,
      next: "Search elsewhere with 'path', or ask the user for access.",
    });
  }
  if (fallback !== undefined) {
    const cause = fallback === "rg_not_found" ? "ripgrep is not available" : "ripgrep failed";
    const reason = `${cause}; used a slower search in JavaScript.`;
    all.push({ label: "Warning", reason, next: timedOut ? NARROW_DOWN : "Results are complete." });
  }
  return all;
}

function notes({ findings, params, isFile }: SearchReport): string[] {
  const { matches, binary } = findings;
  const { offset, pattern } = params;
  const foundNothing = matches.length === 0;
  const isAbsent = foundNothing && offset === 0;
  return [
    binary > 0 && `(Left out: ${binary} binary files with matches.)`,
    isFile && params.include !== undefined && "[Note: 'include' is ignored, as 'path' is a file.]",
    cutNote(matches, params),
    foundNothing && offset > 0 && `[offset=${offset} is past the end.]`,
    ...(isAbsent ? passedCountNotes(findings) : []),
    ...(isAbsent && !isFile ? findings.partNotes() : []),
    isAbsent &&
      !params.literal &&
      SPECIAL.test(pattern) &&
      `[Note: '${protocol.echo(pattern)}' was read as a regular expression. Set literal=true to search for it as it stands.]`,
  ].filter((note) => note !== false);
}

const SPECIAL = /[\\.+*?()|[\]{}^$]/u;

/** The places where a reader goes on are in the data; words name the first. */
function cutNote(matches: readonly GrepMatch[], { output_mode: mode }: GrepParams): string | false {
  const cut = matches.filter(({ column }) => column !== undefined);
  const [first] = cut;
  if (mode !== "content" || first === undefined) return false;
  const { file, line, column = 1 } = first;
  return `(Cut around the match: ${cut.length} long lines, the first at path='${protocol.echo(file)}' start_line=${line} start_column=${column}.)`;
}

function body(matches: readonly GrepMatch[], mode: GrepParams["output_mode"]): string {
  if (mode === "content") return protocol.matchLines(matches);
  const names = matches.map(({ file }) => file);
  return protocol.listedNames(names, mode === "count" ? matches.map(({ count = 1 }) => `: ${count}`) : undefined);
}

function timedOut(report: SearchReport): protocol.ToolError {
  const message = `Search timed out (>${report.maxDurationMs / 1000}s) without finding results.`;
  return new protocol.ToolError("TIMEOUT", message, {
    hint: NARROW_DOWN,
    report: {
      data: { matches: [], truncated: false, aborted_reason: "time_limit" },
      stats: stats(report.findings),
      text: (elapsedMs) => [...summary(report, elapsedMs), `[Error: ${message} ${NARROW_DOWN}]`].join("\n"),
    },
  });
}
