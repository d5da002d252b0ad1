import { Buffer } from "node:buffer";
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  type BigIntStats,
  type Dir,
} from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Boundary } from "../disk/boundary.ts";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { joinRelative, parentOf } from "../names/safe-path.ts";
import type { Pacer } from "../pacer.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import type { HeldDirectory } from "./held-directory.ts";
import { StaleTargetError } from "./write-error.ts";

/** An entry of a verified directory. */
export interface HeldEntry {
  readonly boundary: Boundary;
  readonly directory: HeldDirectory;
  readonly name: string;
}

/** An entry with everything in it, as it was seen. */
export interface Tree {
  /** The entry itself first, and every directory before what is in it. */
  readonly entries: readonly TreeEntry[];
  /** How many of them are no directories. */
  readonly files: number;
  /** How many bytes the regular files have. */
  readonly bytes: number;
}

/** What was at a path of a tree. */
export interface TreeEntry {
  /** Below the entry itself, which is "."; a character stands for a byte, since a name need not be UTF-8. */
  readonly path: string;
  readonly kind: "file" | "link" | "directory" | "other";
  /** Its permissions, and its setuid, setgid and sticky bits. */
  readonly mode: number;
  readonly version: FileVersion;
}

/** What may be looked at, and how. */
export interface TreeLook {
  readonly pacer: Pacer;
  /** Asked about every entry before it is entered, by its path below the top as text; may throw. */
  readonly allow?: (path: string, seen: Omit<Tree, "entries"> & { readonly entries: number }) => void;
  /** Whether it must be possible to remove what is there, as far as that can be known. */
  readonly isToBeRemoved?: boolean;
}

/** Leads to the entries of a tree, through directories each of which was opened through the one above it. */
export interface TreePaths {
  /**
   * The path of an entry: where the system can, one that cannot be redirected.
   * @throws StaleTargetError if a directory on the way is not there any more
   */
  of(path: string): Buffer;
  /** An open directory of the tree, and the path of what is in it. */
  enter(path: string): { readonly descriptor: number; readonly inside: Buffer };
  close(): void;
}

const NAMES_PER_READ = 256;
const MAX_REMOVALS = 3;

/** A path of a tree as text. */
export function shownPath(path: string): string {
  return Buffer.from(path, "latin1").toString();
}

/** Opens the way to the entries of a tree; with `tree`, only to directories that were seen in it. */
export function openTree({ boundary: { verifier }, directory, name }: HeldEntry, tree?: Tree): TreePaths {
  const seen = tree && new Map(tree.entries.map((entry) => [entry.path, entry]));
  const top = Buffer.from(`${directory.path.absolute}/${name}`).toString("latin1");
  const opened: { readonly path: string; readonly absolute: string; readonly descriptor: number }[] = [];

  function of(path: string): Buffer {
    if (path === ".") return Buffer.from(directory.entry(name));
    const [parent, last] = parentOf(path);
    const { absolute, descriptor } = enter(parent);
    return Buffer.from(verifier.entryPath({ absolute }, descriptor, last), "latin1");
  }

  function enter(path: string): (typeof opened)[number] {
    for (let last = opened.at(-1); last !== undefined && !isWithin(path, last.path); last = opened.at(-1)) {
      closeSync(last.descriptor);
      opened.pop();
    }
    const last = opened.at(-1);
    if (last?.path === path) return last;
    const location = of(path);
    const descriptor = openExpected(location, seen?.get(path));
    const absolute = path === "." ? top : `${top}/${path}`;
    const entered = { path, absolute, descriptor };
    opened.push(entered);
    // Otherwise it was opened through the directory above it, which no swap of a path redirects.
    const isCertain = verifier.verification === "descriptor";
    if (!isCertain && verifier.locate(descriptor, shownPath(absolute)) !== shownPath(absolute)) {
      throw new StaleTargetError();
    }
    return entered;
  }

  return {
    of,
    enter: (path) => {
      const { absolute, descriptor } = enter(path);
      return { descriptor, inside: Buffer.from(verifier.entryPath({ absolute }, descriptor, ""), "latin1") };
    },
    close: () => {
      for (const { descriptor } of opened.splice(0)) closeSync(descriptor);
    },
  };
}

function isWithin(path: string, directory: string): boolean {
  return directory === "." || path === directory || path.startsWith(`${directory}/`);
}

function openExpected(location: Buffer, expected: TreeEntry | undefined): number {
  let descriptor: number;
  try {
    descriptor = openSync(location, constants.O_RDONLY | constants.O_DIRECTORY | GUARDED);
  } catch (error) {
    throw ["ENOENT", "ENOTDIR", "ELOOP", "EMLINK"].includes(errnoCode(error) ?? "") ? new StaleTargetError() : error;
  }
  const stats = fstatSync(descriptor, { bigint: true });
  if (expected === undefined || isStillEntry(stats, expected)) return descriptor;
  closeSync(descriptor);
  throw new StaleTargetError();
}

/**
 * Looks at an entry and everything in it, in slices that do not block the event loop.
 * @throws StaleTargetError if it changes meanwhile, what `allow` throws, or the system's error
 */
export async function lookAtTree(top: HeldEntry, look: TreeLook): Promise<Tree> {
  const { pacer, allow, isToBeRemoved = false } = look;
  const entries: TreeEntry[] = [];
  const counts = { files: 0, bytes: 0 };
  const paths = openTree(top);
  const visit = async (path: string): Promise<void> => {
    if (pacer.due()) await pacer.rest();
    const location = paths.of(path);
    const stats = lstatSync(location, { bigint: true, throwIfNoEntry: false });
    if (stats === undefined) throw new StaleTargetError();
    const kind = kindOf(stats);
    const entry = { path, kind, mode: Number(stats.mode) & 0o7777, version: versionOf(stats) };
    // Nothing of another file system is moved or removed with what holds it.
    if (stats.dev !== (entries[0]?.version.device ?? stats.dev))
      throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
    if (kind !== "directory") counts.files += 1;
    if (kind === "file") counts.bytes += Number(stats.size);
    entries.push(entry);
    allow?.(shownPath(path), { ...counts, entries: entries.length });
    if (isToBeRemoved) expectRemovable(location, kind);
    if (kind !== "directory") return;
    const names = await listNames(paths, path, pacer);
    for (const name of names) await visit(joinRelative(path, name));
  };
  try {
    await visit(".");
    return { entries, ...counts };
  } finally {
    paths.close();
  }
}

async function listNames(paths: TreePaths, path: string, pacer: Pacer): Promise<string[]> {
  const names: string[] = [];
  const listed = opendirSync(paths.enter(path).inside, { encoding: "latin1", bufferSize: NAMES_PER_READ });
  try {
    for (let name = nextName(listed); name !== undefined; name = nextName(listed)) {
      names.push(name);
      if (pacer.due()) await pacer.rest();
    }
  } finally {
    listed.closeSync();
  }
  return names.sort();
}

function nextName(listed: Dir): string | undefined {
  return listed.readSync()?.name;
}

/** An immutable file is found out before anything else is removed. */
function expectRemovable(location: Buffer, kind: TreeEntry["kind"]): void {
  try {
    if (kind === "directory" || kind === "file") accessSync(location, constants.W_OK);
  } catch (error) {
    if (kind === "directory" || errnoCode(error) !== "EACCES") throw error;
  }
}

/** Whether two looks saw the same entries, with the same content as far as sizes and times tell. */
export function isSameTree(one: Tree, other: Tree): boolean {
  return (
    one.entries.length === other.entries.length &&
    one.entries.every((entry, index) => {
      const { path, kind, version } = other.entries[index] ?? {};
      return path === entry.path && kind === entry.kind && version !== undefined && isUnchangedEntry(entry, version);
    })
  );
}

function isUnchangedEntry({ kind, version: before }: TreeEntry, now: FileVersion): boolean {
  if (before.inode !== now.inode || before.device !== now.device) return false;
  return kind === "directory" || (before.size === now.size && before.mtimeNs === now.mtimeNs);
}

/** Whether an entry is what it was; not by the time of its change, which every new name sets. */
export function isStillEntry(stats: BigIntStats, entry: TreeEntry): boolean {
  return kindOf(stats) === entry.kind && isUnchangedEntry(entry, versionOf(stats));
}

/**
 * Removes exactly what was seen in a tree.
 * @throws StaleTargetError if there is something else, or the system's error, after three attempts
 */
export async function removeTree(top: HeldEntry, tree: Tree, pacer: Pacer): Promise<void> {
  const left = [...tree.entries];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await removeAll(top, tree, left, pacer);
      return;
    } catch (error) {
      if (attempt === MAX_REMOVALS) throw error;
      await setTimeout(1);
    }
  }
}

/** The last first; what is removed is taken from the list. */
async function removeAll(top: HeldEntry, tree: Tree, left: TreeEntry[], pacer: Pacer): Promise<void> {
  const paths = openTree(top, tree);
  try {
    for (let entry = left.at(-1); entry !== undefined; entry = left.at(-1)) {
      const location = paths.of(entry.path);
      const stats = lstatSync(location, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined && !isStillEntry(stats, entry)) throw new StaleTargetError();
      if (stats !== undefined && entry.kind === "directory") rmdirSync(location);
      else if (stats !== undefined) unlinkSync(location);
      left.pop();
      if (pacer.due()) await pacer.rest();
    }
  } finally {
    paths.close();
  }
}

function kindOf(stats: BigIntStats): TreeEntry["kind"] {
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "directory";
  return stats.isFile() ? "file" : "other";
}
