import type { DirectoryEntry } from "../disk/listing.ts";
import type { Boundary } from "../disk/boundary.ts";
import type { Position } from "./position.ts";
import { IGNORE_FILE } from "./ignore-files.ts";
import { readForSearch, type ReadingEnd } from "./read-directory.ts";
import type { PassedBy, SearchRules } from "./search-rules.ts";

/** What one directory holds that is worth a closer look. */
export interface Level {
  /** Hidden ones too: they are not reported, but they were seen. */
  readonly files: string[];
  readonly links: Set<string>;
  readonly directories: string[];
  readonly passedBy: PassedEntry[];
  hasIgnoreFile: boolean;
}

/** An entry that the search skips. */
export interface PassedEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly reason: PassedBy;
}

/** What of a directory is wanted. */
export interface LevelRequest {
  readonly position: Position;
  readonly rules: SearchRules;
  readonly readsIgnoreFiles: boolean;
  /** Asked between slices of a large directory; true ends the reading. */
  readonly isOver: () => boolean;
}

/** Reads the directory at a relative path and sorts its entries by what the search does with them. */
export async function readLevel(
  boundary: Boundary,
  path: string,
  { position: { onlyNames }, rules, readsIgnoreFiles, isOver }: LevelRequest,
): Promise<{ readonly level: Level; readonly end: ReadingEnd }> {
  const level: Level = { files: [], links: new Set(), directories: [], passedBy: [], hasIgnoreFile: false };
  const names = onlyNames && readsIgnoreFiles ? [...new Set([...onlyNames, IGNORE_FILE])] : onlyNames;
  const reading = readForSearch(boundary, path, names, (entries) => {
    for (const entry of entries) {
      level.hasIgnoreFile ||= entry.name === IGNORE_FILE;
      if (names === onlyNames || onlyNames?.includes(entry.name) === true) sort(entry, level, rules);
    }
    return !isOver();
  });
  return { level, end: typeof reading === "string" ? reading : await reading };
}

function sort({ name, kind }: DirectoryEntry, level: Level, rules: SearchRules): void {
  const isDirectory = kind === "directory";
  const reason = rules(name, isDirectory);
  if (!isDirectory) level.files.push(name);
  if (reason !== undefined) level.passedBy.push({ name, isDirectory, reason });
  else if (isDirectory) level.directories.push(name);
  else if (kind === "link") level.links.add(name);
}
