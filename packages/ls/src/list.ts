import { createIgnoreTest, createPacer, createPageSelection, LS_IGNORED_NAMES } from "@fstools/sandbox";
import type { DirectoryEntry, Sandbox, SandboxDirectory } from "@fstools/sandbox";
import { createIgnoreFilter } from "./fnmatch.ts";
import type { LsParams } from "./params.ts";

/** An entry; its size (of a file) and time are known where they are what it is sorted by. */
export interface ListedEntry extends DirectoryEntry {
  readonly size?: number;
  readonly mtimeMs?: number;
}

/** One page of a directory, and the counts of everything in it that is shown. */
export interface Listing {
  readonly page: readonly ListedEntry[];
  readonly dirs: number;
  readonly files: number;
  readonly links: number;
  /** Entries that `include_hidden` would have shown. */
  readonly hidden: number;
  /** Whether time was up before everything was seen. */
  readonly timedOut: boolean;
}

const COUNTED = { directory: "dirs", file: "files", link: "links" } as const;

interface Candidate {
  readonly entry: ListedEntry;
  readonly isFirstGroup: boolean;
  readonly lowerCased: string;
}

/** Reads a directory once and selects the page that was asked for. */
export async function listDirectory(
  sandbox: Sandbox,
  directory: SandboxDirectory,
  params: LsParams,
  { maxDurationMs, signal }: { readonly maxDurationMs: number; readonly signal: AbortSignal },
): Promise<Listing> {
  const startedAt = performance.now();
  const isTimeOver = (): boolean => performance.now() - startedAt > maxDurationMs;
  const pacer = createPacer(signal);
  const { ignore, include_hidden: includeHidden, sort } = params;
  const selection = createPageSelection(params, ORDERS[sort], pacer);
  const isIgnored =
    ignore === null || ignore.length === 0 ? undefined : createIgnoreFilter(ignore, directory.path.relative);
  const showsAll = includeHidden || directory.isList;
  const isIgnoredByGit = showsAll ? undefined : createIgnoreTest(sandbox, directory.path);
  const isSlow = isIgnored !== undefined || isIgnoredByGit !== undefined || sort !== "name";
  const leadsToDirectory = sandbox.createLinkProbe(directory.path);
  const counts = { dirs: 0, files: 0, links: 0, hidden: 0 };
  let timedOut: boolean;

  reading: for (;;) {
    const batch = directory.next(pacer.due);
    timedOut = isTimeOver();
    if (timedOut) break;
    for (const entry of batch) {
      // Reading the clock costs more than handling most entries; the batches themselves come in slices.
      if ((isSlow || entry.kind === "link") && pacer.due()) {
        await pacer.rest();
        timedOut = isTimeOver();
        if (timedOut) break reading;
      }
      if (isIgnored?.(entry.name) === true) continue;
      if (!showsAll && (isHidden(entry) || isIgnoredByGit?.(entry.name, entry.kind === "directory") === true)) {
        counts.hidden += 1;
        continue;
      }
      const listed = sort === "name" ? entry : lookAt(directory, entry);
      if (listed === undefined) continue;
      counts[COUNTED[listed.kind]] += 1;
      const candidate = place(listed, listed.kind !== "file");
      if (!selection.wants(candidate)) continue;
      const isLink = sort === "name" && entry.kind === "link";
      const settling = selection.add(isLink ? place(entry, leadsToDirectory(entry.name)) : candidate);
      if (settling !== undefined) await settling;
    }
    if (directory.isAtEnd()) break;
    await pacer.rest();
  }
  const page = await selection.page();
  return { page: page.map(({ entry }) => entry), ...counts, timedOut };
}

/** A regular file called `build` is likely a script; only directories and links of such names are noise. */
function isHidden({ name, kind }: DirectoryEntry): boolean {
  return name.startsWith(".") || (kind !== "file" && LS_IGNORED_NAMES.has(name));
}

function place(entry: DirectoryEntry, isFirstGroup: boolean): Candidate {
  return { entry, isFirstGroup, lowerCased: entry.name.toLowerCase() };
}

/** The entry with its size and time; undefined if it is gone. */
function lookAt(directory: SandboxDirectory, { name, kind }: DirectoryEntry): ListedEntry | undefined {
  const seen = directory.look(name);
  if (seen === "missing") return undefined;
  if (seen === "unknown") return { name, kind };
  const size = seen.kind === "file" ? { size: seen.size } : {};
  const mtimeMs = Math.floor(seen.mtimeMs);
  // Some file systems keep times that no date can hold.
  const time = Math.abs(mtimeMs) <= MAX_DATE_MS ? { mtimeMs } : {};
  return { name, kind: seen.kind, ...size, ...time };
}

const MAX_DATE_MS = 8.64e15;

type Order = (left: Candidate, right: Candidate) => boolean;

/** By lower-cased name, then by name. */
const byName: Order = (left, right) => {
  if (left.lowerCased < right.lowerCased) return true;
  return left.lowerCased === right.lowerCased && left.entry.name < right.entry.name;
};

/** The entry with the greater value first. */
function descending(valueOf: (entry: ListedEntry) => number): Order {
  return (left, right) => {
    const difference = valueOf(left.entry) - valueOf(right.entry);
    return difference > 0 || (difference === 0 && byName(left, right));
  };
}

const ORDERS: Readonly<Record<LsParams["sort"], Order>> = {
  // Directories and links to directories first.
  name: (left, right) => (left.isFirstGroup === right.isFirstGroup ? byName(left, right) : left.isFirstGroup),
  // Directories last.
  size: descending(({ kind, size = kind === "directory" ? -2 : -1 }) => size),
  modified: descending(({ mtimeMs = Number.MIN_SAFE_INTEGER }) => mtimeMs),
};
