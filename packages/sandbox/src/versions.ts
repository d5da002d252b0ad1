import type { BigIntStats } from "node:fs";
import { sep } from "node:path";
import type { SafePath } from "./names/safe-path.ts";

/** What distinguishes one state of a file from another. */
export interface FileVersion {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A version, and how a tool learned it: a search that matched shows only a few lines. */
interface KnownVersion {
  readonly version: FileVersion;
  readonly how: "read" | "matched" | "written";
}

/** What the tools of one conversation last showed or wrote of each file. */
export interface FileVersions {
  record(path: SafePath, version: FileVersion, how: KnownVersion["how"]): void;
  /** For a file that is gone, or a directory with all files in it. */
  forget(path: SafePath): void;
  /** For a file, or a directory with all files in it, that has another name, and with it another version. */
  move(from: SafePath, to: SafePath, version: { readonly before: FileVersion; readonly after: FileVersion }): void;
  /** What was last seen of a file, in any way. */
  known(path: SafePath): KnownVersion | undefined;
  /** The version that was last read or written, whatever a search has matched since. */
  lastRead(path: SafePath): FileVersion | undefined;
}

interface Memory {
  readonly known: KnownVersion;
  readonly lastRead: FileVersion | undefined;
}

const MAX_FILES = 4096;

/** An empty memory, which never touches the disk; the least recently used version is forgotten first. */
export function createFileVersions(): FileVersions {
  const files = createRecentMap<Memory>(MAX_FILES);
  const pathsAt = (absolute: string): string[] =>
    files.keys().filter((path) => path === absolute || path.startsWith(absolute + sep));
  return {
    record: ({ absolute }, version, how) => {
      const before = files.get(absolute);
      if (how !== "matched") {
        files.set(absolute, { known: { version, how }, lastRead: version });
      } else if (before === undefined || !isSameVersion(before.known.version, version)) {
        files.set(absolute, { known: { version, how }, lastRead: before?.lastRead });
      }
    },
    forget: ({ absolute }) => {
      for (const path of pathsAt(absolute)) files.delete(path);
    },
    move: (from, to, { before, after }) => {
      const renew = (version: FileVersion): FileVersion => (isSameVersion(version, before) ? after : version);
      for (const path of pathsAt(from.absolute)) {
        const memory = files.get(path);
        files.delete(path);
        if (memory === undefined) continue;
        const { known, lastRead } = memory;
        files.set(to.absolute + path.slice(from.absolute.length), {
          known: { ...known, version: renew(known.version) },
          lastRead: lastRead && renew(lastRead),
        });
      }
    },
    known: ({ absolute }) => files.get(absolute)?.known,
    lastRead: ({ absolute }) => files.get(absolute)?.lastRead,
  };
}

/** Whether two versions are of the same file in the same state. */
export function isSameVersion(left: FileVersion, right: FileVersion): boolean {
  return (
    // On Windows a device of 0 is unknown, as for a file that was just renamed.
    (left.device === right.device || left.device === 0n || right.device === 0n) &&
    left.inode === right.inode &&
    left.size === right.size &&
    left.mtimeNs === right.mtimeNs &&
    left.ctimeNs === right.ctimeNs
  );
}

/** The version in a file's status. */
export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileVersion {
  return { device: dev, inode: ino, size, mtimeNs, ctimeNs: HAS_STEADY_CTIME ? ctimeNs : mtimeNs };
}

// Windows records a rename, or a removed second name, only when the file is closed: after we have looked at it.
const HAS_STEADY_CTIME = process.platform !== "win32";

/** A map of at most `maxEntries`; the least recently used one goes first. */
export function createRecentMap<Value>(maxEntries: number) {
  // A Map keeps the order of insertion, so its first key is the oldest.
  const entries = new Map<string, Value>();
  const set = (key: string, value: Value): void => {
    entries.delete(key);
    entries.set(key, value);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key: string): Value | undefined => {
      const value = entries.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    delete: (key: string) => entries.delete(key),
    keys: () => [...entries.keys()],
  };
}
