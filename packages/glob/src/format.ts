import { assigned, echo, escapeText, ToolError, type Discount, type Outcome, listedNames } from "@fstools/protocol";
import { joinRelative, passedCountNotes, passedPartNotes } from "@fstools/sandbox";
import type { PathWords, Remainder, WalkReport } from "@fstools/sandbox";
import type { GlobParams } from "./params.ts";

/** The `data` of Glob. */
export interface GlobData {
  /** POSIX, relative to the project root, in walk order. */
  readonly paths: readonly string[];
  /** Whether there are more matches than `limit`. */
  readonly truncated: boolean;
  /** The breaker that stopped the search early. */
  readonly aborted_reason?: "count_limit" | "time_limit";
}

/** What a search found. */
export interface Findings extends WalkReport {
  /** At most `limit` files, in walk order, relative to the search root. */
  readonly paths: readonly string[];
  /** Matches that `offset` skipped. */
  readonly matchesBefore: number;
}

/** A finished search, and what was asked for. */
export interface SearchReport {
  readonly findings: Findings;
  /** The search root, relative to the project root. */
  readonly path: string;
  /** Whether that is the list of several roots. */
  readonly isList: boolean;
  /** The pattern as it was normalized. */
  readonly pattern: string;
  /** What is left of the pattern at the search root. */
  readonly remainders: readonly Remainder[];
  readonly params: GlobParams;
  readonly maxDurationMs: number;
}

/** Glob's own sentences for what can go wrong with a path. */
export const globPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `Search root '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  notDirectory: (path) => `Search root '${path}' is not a directory.`,
};

/** The figures of Glob. */
export interface GlobStats {
  readonly matched: number;
  readonly visited: number;
  readonly skipped?: number;
}

/**
 * Turns a search into data and text.
 * @throws ToolError TIMEOUT or INTERNAL_ERROR, if a breaker ended it without results
 */
export function globOutcome(report: SearchReport): Outcome<GlobData, GlobStats> {
  const { findings, path } = report;
  const paths = findings.paths.map((found) => joinRelative(path, found));
  const { stoppedBy } = findings;
  const aborted = stoppedBy === "count_limit" || stoppedBy === "time_limit" ? stoppedBy : undefined;
  if (aborted !== undefined && paths.length === 0) throw brokenOff(report, aborted);
  return {
    data: {
      paths,
      truncated: stoppedBy === "enough",
      ...(aborted === undefined ? {} : { aborted_reason: aborted }),
    },
    summary: (elapsedMs) => summary(report, elapsedMs),
    discounts: [...stopDiscounts(report), ...skipDiscounts(report)],
    notes: [...passedCountNotes(findings), ...pastTheEnd(report), ...patternHints(report)],
    body: listedNames(paths),
    stats: stats(findings),
  };
}

function summary({ findings, path, pattern }: SearchReport, elapsedMs: number): string[] {
  const count = findings.paths.length;
  const found = count === 0 ? "No files found" : `Found ${count} files`;
  return [
    `${found} matching '${echo(pattern)}' in '${escapeText(path)}'`,
    `(Scanned ${findings.visited} items in ${elapsedMs}ms)`,
  ];
}

function stats({ paths, visited, skipped }: Findings) {
  return { matched: paths.length, visited, ...(skipped.length === 0 ? {} : { skipped: skipped.length }) };
}

const NARROW_DOWN = "Use a more specific 'path' or 'pattern'.";

/** What a search that ended early says. */
const EARLY_ENDS = {
  count_limit: () => ({
    reason: "Search stopped early (scanned too many items).",
    next: "Use a more specific 'path'.",
  }),
  time_limit: (maxDurationMs: number) => ({
    reason: `Search timed out (>${maxDurationMs / 1000}s). Results are incomplete.`,
    next: NARROW_DOWN,
    nextOnOwnLine: true,
  }),
  aborted: () => ({
    reason: "Aborted by the caller. Results are incomplete.",
    next: "Repeat the call if the rest is still needed.",
  }),
};

function stopDiscounts({ findings, params, maxDurationMs }: SearchReport): Discount[] {
  const { stoppedBy, paths } = findings;
  if (stoppedBy === undefined) return [];
  if (stoppedBy !== "enough")
    return [{ label: "Partial", ...EARLY_ENDS[stoppedBy](maxDurationMs), stoppedEarly: true }];
  const change = { offset: params.offset + paths.length };
  const reason = `Showing matches ${params.offset + 1}-${change.offset}.`;
  const next = `Use ${assigned(change)} to continue, or narrow 'pattern' or 'path'.`;
  return [{ label: "Truncated", reason, next, change }];
}

function pastTheEnd({ findings, params: { offset } }: SearchReport): string[] {
  const { paths, matchesBefore, stoppedBy } = findings;
  if (offset === 0 || paths.length > 0 || stoppedBy !== undefined) return [];
  return [`[offset=${offset} is past the end: ${matchesBefore} matches.]`];
}

/** Says why a pattern finds less than it names, and what to change. */
export function patternHints({ findings, pattern, params, remainders, isList }: SearchReport): string[] {
  const foundNothing = findings.paths.length + findings.matchesBefore === 0;
  const { include_hidden: includeHidden, include_ignored: includeIgnored } = params;
  const ignoredByGit = foundNothing ? findings.ignoredByGit : undefined;
  const scope = { includeHidden, includeIgnored, mayEndInFile: !foundNothing, ignoredByGit };
  const passed = passedPartNotes({ parameter: "pattern", remainders, ...scope });
  // Nothing is left to match: the pattern names the directory where the search starts.
  const isRoot = remainders.some(({ segment, isAfterGlobstar }) => segment === undefined && !isAfterGlobstar);
  const onlyDirectories = foundNothing && (findings.fitsDirectories || isRoot);
  const isExplained = passed.length > 0 || isRoot;
  const staysHere = foundNothing && !isExplained && !pattern.includes("/") && pattern !== "**";
  const namesNoRoot = foundNothing && isList && findings.visited === 1 && pattern.includes("/");
  return [
    remainders.length === 0 && ABSOLUTE,
    namesNoRoot && `[Note: A path begins with the name of a root. Use '**/${echo(pattern)}' to search in all.]`,
    ...passed,
    onlyDirectories && ONLY_DIRECTORIES,
    staysHere && `[Note: '*' does not cross directories. Use '**/${echo(pattern)}' to search below.]`,
  ].filter((hint) => hint !== false);
}

const ABSOLUTE =
  "[Note: The absolute 'pattern' does not lead into 'path'. Leave 'path' out, or make 'pattern' relative to it.]";
const ONLY_DIRECTORIES =
  "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]";

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
    .map(({ path, reason }) => `'${echo(joinRelative(start, path))}' (${SKIP_REASONS[reason]})`);
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
  const [code, message] =
    aborted === "time_limit"
      ? (["TIMEOUT", `Search timed out (>${maxDurationMs / 1000}s) without finding results.`] as const)
      : (["INTERNAL_ERROR", "Search aborted (scanned too many items without results)."] as const);
  return new ToolError(code, message, {
    hint: NARROW_DOWN,
    report: {
      data: { paths: [], truncated: false, aborted_reason: aborted },
      stats: stats(findings),
      text: (elapsedMs) => [...summary(report, elapsedMs), `[Error: ${message} ${NARROW_DOWN}]`].join("\n"),
    },
  });
}
