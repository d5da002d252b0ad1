import { closeSync, lstatSync, readdirSync } from "node:fs";
import type { Boundary } from "../path/boundary.ts";
import { joinRelative } from "../path/relative-path.ts";
import { entryPath, locate, openVerified } from "../disk/descriptor.ts";
import { errnoCode, reasonOf } from "../errno.ts";
import type { Glance } from "../path/lstat.ts";
import { isSmall, kindOf, readAll, type DirectoryEntry } from "../disk/listing.ts";
import { walk } from "../path/follow.ts";
import type { SafePath } from "../path/safe-path.ts";
import { SandboxError, type SandboxReason } from "../error.ts";

/**
 * What became of a name that a search found; "unnameable" is there, but its bytes are not UTF-8.
 * "permission" and "unreadable" are about its directory, none of whose names can be confirmed.
 */
export type Confirmation = "present" | "gone" | "unnameable" | "permission" | "unreadable";

/** Checks names through a verified descriptor of their directory, which is kept for the next name. */
export interface Confirmer {
  readonly confirm: (directory: string, name: string) => Confirmation;
  readonly close: () => void;
}

/** What Node puts in place of bytes that are not UTF-8. */
export const REPLACEMENT_CHARACTER = "\uFFFD";

/** Makes a confirmer for relative directories; whoever makes it closes it. */
export function createConfirmer(boundary: Boundary): Confirmer {
  let directory: string | undefined;
  let held: HeldDirectory | Confirmation = "gone";
  const close = (): void => {
    if (typeof held === "object") closeSync(held.descriptor);
    held = "gone";
    directory = undefined;
  };
  return {
    confirm: (relative, name) => {
      if (directory !== relative) {
        close();
        held = hold(boundary, boundary.paths.mint(relative));
        directory = relative;
      }
      return typeof held === "object" ? check(boundary, held, name) : held;
    },
    close,
  };
}

/** Whether the link `name` in a relative directory leads to a directory inside that is not denied. */
export function leadsToDirectory(boundary: Boundary, directory: string, name: string, look?: Glance): boolean {
  const end = walk(boundary, directory, name, look);
  return "found" in end && end.isDirectory;
}

interface HeldDirectory {
  readonly path: SafePath;
  readonly descriptor: number;
  /** Where it really is, relative to the project root. */
  readonly relative: string;
  /** Whether to list it costs little, and what is listed stays true of it. */
  readonly isSmall: boolean;
  /** The names that it lists, for those that the system cannot be asked about one by one. */
  readonly names: () => ReadonlySet<string>;
  /** What it lists, for when it is asked about many names. */
  readonly kinds: () => ReadonlyMap<string, DirectoryEntry["kind"]>;
  asked: number;
}

// To list a small directory costs as much as to ask about four names.
const MAX_ASKED = 4;

function hold(boundary: Boundary, path: SafePath): HeldDirectory | Confirmation {
  try {
    const { descriptor, relative, stats } = openVerified(boundary, path, "directory");
    const location = entryPath(boundary, path, descriptor, "");
    let names: ReadonlySet<string> | undefined;
    let kinds: ReadonlyMap<string, DirectoryEntry["kind"]> | undefined;
    return {
      path,
      descriptor,
      relative,
      // What is listed by path may be of another directory, so it is never kept.
      isSmall: boundary.usesProc && isSmall(stats),
      names: () => {
        if (!boundary.usesProc) names = undefined;
        return (names ??= new Set(readdirSync(location)));
      },
      kinds: () => (kinds ??= new Map(readAll(location).map(({ name, kind }) => [name, kind]))),
      asked: 0,
    };
  } catch (error) {
    if (error instanceof SandboxError) return afterFailure(error.reason);
    throw error;
  }
}

function check(boundary: Boundary, held: HeldDirectory, name: string): Confirmation {
  if (boundary.deny.names(joinRelative(held.relative, name))) return "gone";
  try {
    const verdict = look(boundary, held, name);
    // Asked by path, the answer counts only if the path still leads to the directory that was verified.
    const isHeld = boundary.usesProc || locate(boundary, held.descriptor, held.path.absolute) !== undefined;
    return isHeld ? verdict : "gone";
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return afterFailure(reasonOf(error));
  }
}

/** Only what is missing, or not let through, is gone; what could not be asked about may still be there. */
function afterFailure(reason: SandboxReason): Confirmation {
  if (reason === "permission") return "permission";
  return reason === "io" || reason === "unknown" ? "unreadable" : "gone";
}

function look(boundary: Boundary, held: HeldDirectory, name: string): Confirmation {
  const kind = kindIn(boundary, held, name);
  if (kind === "unknown") return held.names().has(name) ? "present" : "gone";
  if (kind === "absent") return name.includes(REPLACEMENT_CHARACTER) && held.names().has(name) ? "unnameable" : "gone";
  if (kind === "directory") return "gone";
  return kind === "link" && leadsToDirectory(boundary, held.relative, name) ? "gone" : "present";
}

function kindIn(boundary: Boundary, held: HeldDirectory, name: string): EntryKind {
  held.asked += 1;
  // A name that stands for bytes which are not UTF-8 would be found in the listing, though nothing can be opened by it.
  if (held.asked > MAX_ASKED && held.isSmall && !name.includes(REPLACEMENT_CHARACTER)) {
    return held.kinds().get(name) ?? "absent";
  }
  return kindOfEntry(entryPath(boundary, held.path, held.descriptor, name));
}

type EntryKind = DirectoryEntry["kind"] | "absent" | "unknown";

function kindOfEntry(absolute: string): EntryKind {
  try {
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    return stats === undefined ? "absent" : kindOf(stats);
  } catch (error) {
    // A directory that may be listed but not entered tells no more than its names.
    if (errnoCode(error) === "EACCES") return "unknown";
    throw error;
  }
}
