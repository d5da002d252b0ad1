import { echo, escapeText, ToolError, type Discount, type Outcome } from "@fstools/protocol";
import { MAX_LIMIT } from "./params.ts";
import type { WalkReport } from "@fstools/sandbox";

/** The `data` of Glob. */
export interface GlobData {
  /** POSIX, relative to the project root, in walk order. */
  readonly paths: readonly string[];
  /** Whether there are more matches than `limit`. */
  readonly truncated: boolean;
  /** The breaker that ended the search before its time. */
  readonly aborted_reason?: "count_limit" | "time_limit";
}

/** What a search found. */
export interface Findings extends WalkReport {
  /** At most `limit` files, in walk order, relative to the search root. */
  readonly paths: readonly string[];
}

/** A finished search, and all that is said about it. */
export interface SearchReport {
  readonly findings: Findings;
  /** The search root, relative to the project root. */
  readonly path: string;
  /** The pattern as it was normalized. */
  readonly pattern: string;
  readonly limit: number;
  readonly maxDurationMs: number;
  /** Why the pattern finds less than it could. */
  readonly hints: readonly string[];
}

/**
 * Puts a search into data and words.
 * @throws ToolError TIMEOUT or INTERNAL_ERROR, if a breaker ended it without results
 */
export function globOutcome(report: SearchReport): Outcome<GlobData> {
  const { findings, path, hints } = report;
  const paths = findings.paths.map((found) => below(path, found));
  const aborted = breakerOf(findings);
  if (aborted !== undefined && paths.length === 0) throw brokenOff(report, aborted);
  return {
    data: {
      paths,
      truncated: findings.stoppedBy === "enough",
      ...(aborted === undefined ? {} : { aborted_reason: aborted }),
    },
    summary: (elapsedMs) => summary(report, elapsedMs),
    discounts: [...stopDiscounts(report), ...skipDiscounts(report)],
    notes: hints,
    body: paths.map(escapeText).join("\n"),
    stats: stats(findings),
  };
}

function breakerOf({ stoppedBy }: Findings): GlobData["aborted_reason"] {
  return stoppedBy === "count_limit" || stoppedBy === "time_limit" ? stoppedBy : undefined;
}

function summary({ findings, path, pattern }: SearchReport, elapsedMs: number): string[] {
  const count = findings.paths.length;
  const found = count === 0 ? "No files found" : `Found ${count} files`;
  return [
    `${found} matching '${echo(pattern)}' in '${escapeText(path)}'`,
    `(Scanned ${findings.visited} items in ${elapsedMs}ms)`,
  ];
}

function stats({ paths, visited, skipped }: Findings): Record<string, number> {
  return { matched: paths.length, visited, ...(skipped.length === 0 ? {} : { skipped: skipped.length }) };
}

function stopDiscounts({ findings, limit, maxDurationMs }: SearchReport): Discount[] {
  switch (findings.stoppedBy) {
    case undefined:
      return [];
    case "enough":
      return [{ label: "Truncated", reason: `Showing first ${limit} matches.`, next: nextForLimit(limit) }];
    case "count_limit":
      return [
        {
          label: "Partial",
          reason: "Search stopped early (scanned too many items).",
          next: "Use a more specific 'path'.",
          stoppedEarly: true,
        },
      ];
    case "time_limit":
      return [
        {
          label: "Partial",
          reason: `Search timed out (>${seconds(maxDurationMs)}s). Results are incomplete.`,
          next: NARROW_DOWN,
          nextOnOwnLine: true,
          stoppedEarly: true,
        },
      ];
    case "aborted":
      return [
        {
          label: "Partial",
          reason: "Aborted by the caller. Results are incomplete.",
          next: "Repeat the call if the rest is still needed.",
          stoppedEarly: true,
        },
      ];
  }
}

const NARROW_DOWN = "Use a more specific 'path' or 'pattern'.";

function nextForLimit(limit: number): string {
  return limit === MAX_LIMIT
    ? "Narrow 'pattern' or 'path'."
    : `Narrow 'pattern' or 'path', or raise 'limit' (max ${MAX_LIMIT}).`;
}

const SKIP_REASONS = {
  permission: "permission denied",
  unnameable: "name is not valid UTF-8",
  unreadable: "read error",
} as const;

const MAX_NAMED = 3;

function skipDiscounts({ findings, path: start }: SearchReport): Discount[] {
  const count = findings.skipped.length;
  if (count === 0) return [];
  const shown = findings.skipped
    .slice(0, MAX_NAMED)
    .map(({ path, reason }) => `'${echo(below(start, path))}' (${SKIP_REASONS[reason]})`);
  const more = count - shown.length;
  const list = [...shown, ...(more === 0 ? [] : [`${more} more`])].join(", ");
  const directories = count === 1 ? "1 directory" : `${count} directories`;
  return [
    {
      label: "Partial",
      reason: `Skipped ${directories} that could not be read: ${list}.`,
      next: "Search elsewhere with 'path', or ask the user for access.",
    },
  ];
}

function brokenOff(report: SearchReport, aborted: "count_limit" | "time_limit"): ToolError {
  const { findings, maxDurationMs } = report;
  const message =
    aborted === "time_limit"
      ? `Search timed out (>${seconds(maxDurationMs)}s) without finding results.`
      : "Search aborted (scanned too many items without results).";
  return new ToolError(aborted === "time_limit" ? "TIMEOUT" : "INTERNAL_ERROR", message, {
    hint: NARROW_DOWN,
    report: {
      data: { paths: [], truncated: false, aborted_reason: aborted },
      stats: stats(findings),
      text: (elapsedMs) => [...summary(report, elapsedMs), `[Error: ${message} ${NARROW_DOWN}]`].join("\n"),
    },
  });
}

function below(directory: string, path: string): string {
  return directory === "." ? path : `${directory}/${path}`;
}

function seconds(milliseconds: number): string {
  return String(milliseconds / 1000);
}
