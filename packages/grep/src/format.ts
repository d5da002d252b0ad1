import {
  assigned,
  echo,
  escapeText,
  ToolError,
  type Discount,
  type Outcome,
  listedNames,
  matchLines,
} from "@fstools/protocol";
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
export interface SearchReport {
  readonly findings: Findings;
  readonly params: GrepParams;
  /** The search root, relative to the project root. */
  readonly path: string;
  readonly isFile: boolean;
  readonly maxDurationMs: number;
}

/** The figures of Grep. */
export interface GrepStats {
  readonly matched_files: number;
  readonly matched_lines: number;
  readonly files_searched: number;
  readonly skipped: number;
  readonly binary: number;
  readonly engine: string;
}

/** Puts a search into data and words. @throws ToolError TIMEOUT if the time limit ended it without results */
export function grepOutcome(report: SearchReport): Outcome<GrepData, GrepStats> {
  const { findings, params } = report;
  const { matches, truncated } = findings;
  if (findings.timedOut && matches.length === 0) throw timedOut(report);
  return {
    data: {
      matches,
      truncated: truncated && !findings.timedOut,
      ...(findings.timedOut ? { aborted_reason: "time_limit" as const } : {}),
      ...(findings.fallback === undefined
        ? {}
        : { fallback: "javascript" as const, fallback_reason: findings.fallback }),
    },
    summary: (elapsedMs) => summary(report, elapsedMs),
    discounts: [...stopDiscounts(report), ...skipDiscounts(findings), ...fallbackDiscounts(findings)],
    notes: notes(report),
    body: BODIES[params.output_mode](matches),
    stats: stats(findings, params),
  };
}

function summary({ findings, params, path }: SearchReport, elapsedMs: number): string[] {
  const { matches } = findings;
  const files = fileCount(matches);
  const target = `for '${echo(params.pattern)}' in '${escapeText(path)}'`;
  return [
    `${headline(params.output_mode, matches, files)} ${target}`,
    `(Searched ${findings.searched} files in ${elapsedMs}ms)`,
  ];
}

function headline(mode: GrepParams["output_mode"], matches: readonly GrepMatch[], files: number): string {
  if (matches.length === 0) return "No matches found";
  if (mode === "files") return `Found ${files} files with matches`;
  return `Found ${lineCount(matches, mode)} matches in ${files} files`;
}

function fileCount(matches: readonly GrepMatch[]): number {
  return new Set(matches.map(({ file }) => file)).size;
}

function lineCount(matches: readonly GrepMatch[], mode: GrepParams["output_mode"]): number {
  return mode === "count" ? matches.reduce((sum, { count = 1 }) => sum + count, 0) : matches.length;
}

function stats(findings: Findings, params: GrepParams) {
  const { matches, binary } = findings;
  return {
    matched_files: fileCount(matches),
    matched_lines: lineCount(matches, params.output_mode),
    files_searched: findings.searched,
    skipped: findings.skipped,
    binary,
    engine: findings.engine,
  };
}

function stopDiscounts({ findings, params, maxDurationMs }: SearchReport): Discount[] {
  if (findings.timedOut) {
    return [
      {
        label: "Partial",
        reason: `Search timed out (>${seconds(maxDurationMs)}s). Results are incomplete.`,
        next: NARROW_DOWN,
        stoppedEarly: true,
      },
    ];
  }
  const { matches, truncated } = findings;
  if (!truncated) return [];
  const change = { offset: params.offset + matches.length };
  return [
    {
      label: "Truncated",
      reason: `Showing matches ${params.offset + 1}-${change.offset}.`,
      next: `Use ${assigned(change)} to continue, or narrow 'pattern', 'path' or 'include'.`,
      // The caller may have used another word for it, which the schema does not offer.
      change: params.output_mode === "files" ? { ...change, output_mode: "files" } : change,
    },
  ];
}

const NARROW_DOWN = "Use a more specific 'path' or 'include'.";

function skipDiscounts({ skipped }: Findings): Discount[] {
  if (skipped === 0) return [];
  return [
    {
      label: "Partial",
      reason: `Skipped ${skipped === 1 ? "1 entry" : `${skipped} entries`} that could not be read.`,
      next: "Search elsewhere with 'path', or ask the user for access.",
    },
  ];
}

function fallbackDiscounts({ fallback, timedOut: wasCutShort }: Findings): Discount[] {
  if (fallback === undefined) return [];
  const cause = fallback === "rg_not_found" ? "ripgrep is not available" : "ripgrep failed";
  return [
    {
      label: "Warning",
      reason: `${cause}; used a slower search in JavaScript.`,
      next: wasCutShort ? NARROW_DOWN : "Results are complete.",
    },
  ];
}

function notes({ findings, params, isFile }: SearchReport): string[] {
  const { matches, binary } = findings;
  const foundNothing = matches.length === 0;
  const isAbsent = foundNothing && params.offset === 0;
  return [
    ...(binary > 0 ? [`(Left out: ${binary} binary files with matches.)`] : []),
    ...(isFile && params.include !== undefined ? ["[Note: 'include' is ignored, as 'path' is a file.]"] : []),
    ...cutNotes(matches, params),
    ...(foundNothing && params.offset > 0 ? [`[offset=${params.offset} is past the end.]`] : []),
    ...(isAbsent ? passedCountNotes(findings) : []),
    ...(isAbsent && !isFile ? findings.partNotes() : []),
    ...(isAbsent && !params.literal && SPECIAL.test(params.pattern)
      ? [
          `[Note: '${echo(params.pattern)}' was read as a regular expression. Set literal=true to search for it as it stands.]`,
        ]
      : []),
  ];
}

const SPECIAL = /[\\.+*?()|[\]{}^$]/u;

/** The places where a reader goes on are in the data; words name the first. */
function cutNotes(matches: readonly GrepMatch[], { output_mode: mode }: GrepParams): string[] {
  if (mode !== "content") return [];
  const cut = matches.filter(({ column }) => column !== undefined);
  const [first] = cut;
  if (first === undefined) return [];
  const { file, line, column } = first;
  return [
    `(Cut around the match: ${cut.length} long lines, the first at path='${echo(file)}' start_line=${line} start_column=${column ?? 1}.)`,
  ];
}

const BODIES: Readonly<Record<GrepParams["output_mode"], (matches: readonly GrepMatch[]) => string>> = {
  content: (matches) => matchLines(matches),
  files: (matches) => listedNames(matches.map(({ file }) => file)),
  count: (matches) =>
    listedNames(
      matches.map(({ file }) => file),
      matches.map(({ count = 1 }) => `: ${count}`),
    ),
};

function timedOut(report: SearchReport): ToolError {
  const message = `Search timed out (>${seconds(report.maxDurationMs)}s) without finding results.`;
  return new ToolError("TIMEOUT", message, {
    hint: NARROW_DOWN,
    report: {
      data: { matches: [], truncated: false, aborted_reason: "time_limit" },
      stats: stats(report.findings, report.params),
      text: (elapsedMs) => [...summary(report, elapsedMs), `[Error: ${message} ${NARROW_DOWN}]`].join("\n"),
    },
  });
}

function seconds(milliseconds: number): string {
  return String(milliseconds / 1000);
}
