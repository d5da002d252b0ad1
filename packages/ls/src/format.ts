import { assigned, escapeText, ToolError, type Discount, type Outcome, listedNames } from "@fstools/protocol";
import { joinRelative, type PathWords } from "@fstools/sandbox";
import type { ListedEntry, Listing } from "./list.ts";
import type { LsParams } from "./params.ts";

/** One entry of a directory. */
export interface LsEntry {
  /** POSIX, relative to the project root, not resolved. */
  readonly path: string;
  readonly type: "dir" | "file" | "link";
  /** In bytes, of a file; where the listing is sorted by size or time. */
  readonly size?: number;
  /** When it was last modified; where the listing is sorted by size or time. */
  readonly mtime_ms?: number;
}

/** The `data` of LS. */
export interface LsData {
  readonly entries: readonly LsEntry[];
  /** Whether there are more entries past this page. */
  readonly truncated: boolean;
}

const TYPES = { directory: "dir", file: "file", link: "link" } as const;
const SUFFIXES = { dir: "/", file: "", link: "@" } as const;

/** LS's own sentences for what can go wrong with a path. */
export const lsPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within the project root.",
  notDirectory: (path) => `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
  permission: (path) => ({ code: "ACCESS_DENIED", message: `Permission denied accessing '${path}'.` }),
  failure: (osError) => ({ code: "INTERNAL_ERROR", message: `Failed to list directory - ${osError}` }),
};

/** A listing, and what was asked for. */
export interface ListingReport {
  readonly listing: Listing;
  /** The listed directory, relative to the project root. */
  readonly directory: string;
  readonly params: LsParams;
  readonly maxDurationMs: number;
}

/** The figures of LS. */
export interface LsStats extends Pick<Listing, "dirs" | "files" | "links"> {
  readonly total_entries: number;
  readonly returned: number;
  readonly hidden?: number;
}

/** Puts a listing into data and words. @throws ToolError TIMEOUT, if time was up before anything was seen */
export function lsOutcome({ listing, directory, params, maxDurationMs }: ListingReport): Outcome<LsData, LsStats> {
  const { dirs, files, links, hidden, timedOut } = listing;
  const { offset } = params;
  const entries = listing.page.map((entry) => toLsEntry(entry, directory));
  const total = dirs + files + links;
  const end = offset + entries.length;
  // As when a breaker ends a search: what comes next is unknown.
  const truncated = !timedOut && entries.length > 0 && end < total;
  const tooLong = `Listing timed out (>${maxDurationMs / 1000}s).`;
  if (timedOut && total + hidden === 0) throw new ToolError("TIMEOUT", tooLong, { hint: SMALLER });
  return {
    data: { entries, truncated },
    summary: () => [
      `Listed ${entries.length} entries in '${escapeText(directory)}'`,
      `(Total: ${total} items - ${dirs} dirs, ${files} files, ${links} links)`,
    ],
    discounts: [...(timedOut ? [incomplete(tooLong)] : []), ...(truncated ? [moreItems(offset, end, total)] : [])],
    notes: [...(timedOut ? [] : pastTheEnd(offset, total)), ...notShown(hidden, total)],
    body: listedNames(
      entries.map(({ path }) => path),
      entries.map((entry) => SUFFIXES[entry.type] + SHOWN[params.sort](entry)),
    ),
    stats: { total_entries: total, dirs, files, links, returned: entries.length, ...(hidden > 0 ? { hidden } : {}) },
  };
}

function toLsEntry({ name, kind, size, mtimeMs }: ListedEntry, directory: string): LsEntry {
  return {
    path: joinRelative(directory, name),
    type: TYPES[kind],
    ...(size === undefined ? {} : { size }),
    ...(mtimeMs === undefined ? {} : { mtime_ms: mtimeMs }),
  };
}

/** What stands behind a name: what the listing is sorted by. */
const SHOWN: Readonly<Record<LsParams["sort"], (entry: LsEntry) => string>> = {
  name: () => "",
  size: ({ size }) => (size === undefined ? "" : `  ${bytes(size)}`),
  modified: ({ mtime_ms: time }) => (time === undefined ? "" : `  ${minute(time)}`),
};

const UNITS = ["KB", "MB", "GB", "TB"];

/** A size as people write it; 1 KB is 1024 bytes. */
function bytes(size: number): string {
  if (size < 1024) return `${size} B`;
  let [value, unit] = [size / 1024, 0];
  // What would be shown as 1024.0 is one of the next unit.
  while (value >= 1023.95 && unit < UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${value.toFixed(1)} ${UNITS[unit] ?? ""}`;
}

/** "2026-11-18 09:30", in UTC. */
function minute(time: number): string {
  return new Date(time).toISOString().replace("T", " ").slice(0, -8);
}

function moreItems(offset: number, end: number, total: number): Discount {
  const change = { offset: end };
  return {
    label: "Truncated",
    reason: `Showing ${offset}-${end} of ${total}. ${total - end} more items available.`,
    next: `Use ${assigned(change)} to view next page.`,
    nextOnOwnLine: true,
    change,
  };
}

function pastTheEnd(offset: number, total: number): string[] {
  return offset > 0 && offset >= total ? [`[offset=${offset} is past the end: ${total} items.]`] : [];
}

function notShown(hidden: number, total: number): string[] {
  if (hidden === 0) return [];
  if (total > 0) return [`(Not shown: ${hidden} hidden or ignored entries.)`];
  return [`(${hidden} hidden or ignored entries. Use ${assigned({ include_hidden: true })} to show them.)`];
}

const SMALLER = "List a smaller directory.";

function incomplete(why: string): Discount {
  return { label: "Partial", reason: `${why} Counts are incomplete.`, next: SMALLER, stoppedEarly: true };
}
