import { closeSync, constants } from "node:fs";
import type { Boundary } from "../disk/boundary.ts";
import { openSeen, openVerified } from "../disk/open.ts";
import { entryKind, openDirectory, type SandboxDirectory } from "../disk/directory.ts";
import { O_PATH, type DirectoryEntry } from "../disk/verifier.ts";
import { isOnFoldingDisk } from "../disk/spelled-on-disk.ts";
import { SandboxError } from "../error.ts";
import type { Place } from "../names/safe-path.ts";
import { createPacer } from "../pacer.ts";
import type { Position } from "./position.ts";
import { IGNORE_FILE, type PassedBy, type SearchRules } from "./search-rules.ts";

/** What one directory holds that a search looks at. */
export interface Contents {
  /** Hidden ones too: they are not reported, but they were seen. */
  readonly files: string[];
  readonly links: Set<string>;
  readonly directories: string[];
  /** Entries that the search skips. */
  readonly passedBy: { readonly name: string; readonly isDirectory: boolean; readonly reason: PassedBy }[];
  hasIgnoreFile: boolean;
}

/** Why a directory could not be searched; "unreadable" is any failure of the system but missing permission. */
export type SkipReason = "permission" | "unnameable" | "unreadable";

/** How the reading of a directory ended; one that vanished, or was replaced by a file or a link, is "gone". */
export type ReadingEnd = "complete" | "stopped" | "gone" | SkipReason;

/** What Node puts in place of bytes that are not UTF-8. */
const REPLACEMENT_CHARACTER = "\uFFFD";

/**
 * Reads the directory at exactly this path, without denied entries, and sorts them by what a search does with them: no
 * name, no count of names and no reason for a failure comes from anywhere else. Between slices of a large directory
 * `isOver` may end the reading.
 */
export async function readContents(
  boundary: Boundary,
  path: string,
  request: { readonly position: Position; readonly rules: SearchRules; readonly isOver: () => boolean },
): Promise<{ readonly contents: Contents; readonly end: ReadingEnd }> {
  const contents: Contents = { files: [], links: new Set(), directories: [], passedBy: [], hasIgnoreFile: false };
  const { onlyNames } = request.position;
  // No rule hides a root.
  const rules: SearchRules = boundary.paths.isList(path) ? () => undefined : request.rules;
  let directory: SandboxDirectory<Place> | undefined;
  try {
    directory = openForSearch(boundary, path);
    if (directory === undefined) return { contents, end: "gone" };
    const pacer = createPacer();
    for (;;) {
      for (const entry of directory.next(pacer.due)) {
        contents.hasIgnoreFile ||= entry.name === IGNORE_FILE;
        if (onlyNames?.includes(entry.name) !== false) sort(entry, contents, rules);
      }
      if (request.isOver()) return { contents, end: "stopped" };
      if (directory.isAtEnd()) return { contents, end: "complete" };
      await pacer.rest();
    }
  } catch (error) {
    return { contents, end: endOf(error, path) };
  } finally {
    directory?.close();
  }
}

function sort({ name, kind }: DirectoryEntry, contents: Contents, rules: SearchRules): void {
  const isDirectory = kind === "directory";
  const reason = rules(name, isDirectory);
  if (!isDirectory) contents.files.push(name);
  if (reason !== undefined) contents.passedBy.push({ name, isDirectory, reason });
  else if (isDirectory) contents.directories.push(name);
  else if (kind === "link") contents.links.add(name);
}

/** Undefined if the directory is elsewhere inside by now. */
function openForSearch(boundary: Boundary, path: string): SandboxDirectory<Place> | undefined {
  const place = boundary.paths.place(path);
  if (boundary.paths.isList(path)) return openDirectory(boundary, place);
  const verified = openSeen(boundary, place, "directory") ?? openVerified(boundary, place, "directory");
  if (verified.relative === path) return openDirectory(boundary, place, verified);
  closeSync(verified.descriptor);
  return undefined;
}

function endOf(error: unknown, path: string): ReadingEnd {
  if (!(error instanceof SandboxError)) throw error;
  if (error.reason === "missing") return path.includes(REPLACEMENT_CHARACTER) ? "unnameable" : "gone";
  if (error.reason === "permission") return "permission";
  // It was there when its parent was read, so it has been replaced since, or what is on the way.
  return ["outside", "denied", "not_directory"].includes(error.reason) ? "gone" : "unreadable";
}

/** Whether a file is at exactly this path, through no link; false proves nothing: the way there has to be read. */
export function isFileAt(boundary: Boundary, relative: string): boolean {
  if (boundary.deny.covers(relative)) return false;
  const place = boundary.paths.place(relative);
  const opened = boundary.verifier.openExactly(place, O_PATH | constants.O_NOFOLLOW);
  if (opened === undefined) return false;
  const { descriptor, stats } = opened;
  closeSync(descriptor);
  const slash = place.absolute.lastIndexOf("/");
  const [directory, name] = [place.absolute.slice(0, slash), place.absolute.slice(slash + 1)];
  return entryKind(stats) === "file" && !isOnFoldingDisk(boundary, directory, name, Number(stats.dev));
}
