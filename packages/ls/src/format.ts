import { escapeText, type Discount, type Outcome } from "@fstools/protocol";
import type { DirectoryEntry } from "@fstools/sandbox";
import type { Listing } from "./list.ts";
import type { LsParams } from "./params.ts";

/** One entry of a directory. */
export interface LsEntry {
  /** POSIX, relative to the project root, not resolved. */
  readonly path: string;
  readonly type: "dir" | "file" | "link";
}

/** The `data` of LS. */
export interface LsData {
  readonly entries: readonly LsEntry[];
  /** Whether there are more entries past this page. */
  readonly truncated: boolean;
}

const TYPES = { directory: "dir", file: "file", link: "link" } as const;
const SUFFIXES = { dir: "/", file: "", link: "@" } as const;

/** Puts a listing of `directory` (relative to the project root) into data and words. */
export function lsOutcome(listing: Listing, directory: string, params: LsParams): Outcome<LsData> {
  const { dirs, files, links } = listing;
  const { offset } = params;
  const entries = listing.page.map((entry) => toLsEntry(entry, directory));
  const total = dirs + files + links;
  const end = offset + entries.length;
  const truncated = entries.length > 0 && end < total;
  return {
    data: { entries, truncated },
    summary: () => [
      `Listed ${entries.length} entries in '${escapeText(directory)}'`,
      `(Total: ${total} items - ${dirs} dirs, ${files} files, ${links} links)`,
    ],
    discounts: truncated ? [moreItems(offset, end, total)] : [],
    notes: [...pastTheEnd(offset, total), ...onlyHidden(listing.hidden, total)],
    body: entries.map(({ path, type }) => escapeText(path) + SUFFIXES[type]).join("\n"),
    stats: { total_entries: total, dirs, files, links, returned: entries.length },
  };
}

function toLsEntry({ name, kind }: DirectoryEntry, directory: string): LsEntry {
  return { path: directory === "." ? name : `${directory}/${name}`, type: TYPES[kind] };
}

function moreItems(offset: number, end: number, total: number): Discount {
  return {
    label: "Truncated",
    reason: `Showing ${offset}-${end} of ${total}. ${total - end} more items available.`,
    next: `Use offset=${end} to view next page.`,
    nextOnOwnLine: true,
  };
}

function pastTheEnd(offset: number, total: number): string[] {
  return offset > 0 && offset >= total ? [`[offset=${offset} is past the end: ${total} items.]`] : [];
}

function onlyHidden(hidden: number, total: number): string[] {
  if (total > 0 || hidden === 0) return [];
  return [`(${hidden} hidden or ignored entries. Use include_hidden=true to show them.)`];
}
