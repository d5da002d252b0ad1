import type { ToolCall } from "@fstools/protocol";
import {
  createIgnoreTest,
  createPacer,
  createPageSelection,
  LS_IGNORED_NAMES,
  type DirectoryEntry,
  type Sandbox,
  type SandboxDirectory,
} from "@fstools/sandbox";
import { createIgnoreFilter } from "./fnmatch.ts";
import type { LsParams } from "./params.ts";

/** One page of a directory, and the counts of everything in it that is shown. */
export interface Listing {
  readonly page: readonly DirectoryEntry[];
  readonly dirs: number;
  readonly files: number;
  readonly links: number;
  /** Entries that `include_hidden` would have shown. */
  readonly hidden: number;
  /** Whether time was up before everything was seen. */
  readonly timedOut: boolean;
}

/** How a directory is listed. */
export interface ListOptions {
  readonly maxDurationMs: number;
  readonly call: Pick<ToolCall, "signal">;
}

interface Candidate {
  readonly entry: DirectoryEntry;
  readonly isFirstGroup: boolean;
  readonly lowerCased: string;
}

/** Reads a directory once and selects the page that was asked for. */
export async function listDirectory(
  sandbox: Sandbox,
  directory: SandboxDirectory,
  params: LsParams,
  { maxDurationMs, call }: ListOptions,
): Promise<Listing> {
  const startedAt = performance.now();
  const isTimeOver = (): boolean => performance.now() - startedAt > maxDurationMs;
  const pacer = createPacer(() => call.signal);
  const selection = createPageSelection(params, comesBefore, pacer, { pack, unpack });
  const { ignore, include_hidden: includeHidden } = params;
  const isIgnored =
    ignore === null || ignore.length === 0 ? undefined : createIgnoreFilter(ignore, directory.path.relative);
  const isIgnoredByGit = includeHidden ? undefined : createIgnoreTest(sandbox, directory.path);
  const isSlow = isIgnored !== undefined || isIgnoredByGit !== undefined;
  const leadsToDirectory = sandbox.createLinkProbe(directory.path);
  const counts = { directory: 0, file: 0, link: 0, hidden: 0 };
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
      if (!includeHidden && (isHidden(entry) || isIgnoredByGit?.(entry.name, entry.kind === "directory") === true)) {
        counts.hidden += 1;
        continue;
      }
      counts[entry.kind] += 1;
      const candidate = place(entry, entry.kind !== "file");
      if (!selection.wants(candidate)) continue;
      const isLink = entry.kind === "link";
      const settling = selection.add(isLink ? place(entry, leadsToDirectory(entry.name)) : candidate);
      if (settling !== undefined) await settling;
    }
    if (directory.isAtEnd()) break;
    await pacer.rest();
  }
  const page = await selection.page();
  return {
    page: page.map(({ entry }) => entry),
    dirs: counts.directory,
    files: counts.file,
    links: counts.link,
    hidden: counts.hidden,
    timedOut,
  };
}

/** A regular file called `build` is likely a script; only directories and links of such names are noise. */
function isHidden({ name, kind }: DirectoryEntry): boolean {
  return name.startsWith(".") || (kind !== "file" && LS_IGNORED_NAMES.has(name));
}

function place(entry: DirectoryEntry, isFirstGroup: boolean): Candidate {
  return { entry, isFirstGroup, lowerCased: entry.name.toLowerCase() };
}

/** Directories and links to directories first; then by lower-cased name; then by name. */
function comesBefore(left: Candidate, right: Candidate): boolean {
  if (left.isFirstGroup !== right.isFirstGroup) return left.isFirstGroup;
  if (left.lowerCased < right.lowerCased) return true;
  return left.lowerCased === right.lowerCased && left.entry.name < right.entry.name;
}

const KINDS = ["directory", "file", "link"] as const;

/** The group and the kind, a character each, and the name. */
function pack({ entry: { name, kind }, isFirstGroup }: Candidate): string {
  return `${isFirstGroup ? 1 : 0}${KINDS.indexOf(kind)}${name}`;
}

function unpack(packed: string): Candidate {
  return place({ name: packed.slice(2), kind: KINDS[Number(packed[1])] ?? "file" }, packed.startsWith("1"));
}
