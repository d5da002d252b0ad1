import { echo, ToolError } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { join, sep } from "node:path";
import * as fs from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED, statusKind } from "../disk/verifier.ts";
import { joinRelative, parentOf } from "../names/safe-path.ts";
import { createPacer, type Pacer } from "../pacer.ts";
import { versionOf, type FileVersion } from "../versions.ts";
import { copyExactly } from "./entries.ts";
import { flushDirectory, isSameFile, type FileIdentity, type HeldEntry } from "./held-directory.ts";
import { StaleTargetError } from "./write-error.ts";

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
  readonly pacer?: Pacer;
  /** Asked about every entry before it is entered, by its path below the top as text; may throw. */
  readonly allow?: (path: string, seen: Omit<Tree, "entries"> & { readonly entries: number }) => void;
  /** Whether it must be possible to remove what is there, as far as that can be known. */
  readonly isToBeRemoved?: boolean;
}

/** Leads to the entries of a tree, through directories each of which was opened through the one above it. */
type TreePaths = ReturnType<typeof openTree>;

const NAMES_PER_READ = 256;
const MAX_REMOVALS = 3;
const MAX_REMOVALS_BY_PATH = 50;

/** A path of a tree as text. */
export function shownPath(path: string): string {
  return Buffer.from(path, "latin1").toString();
}

/** Opens the way to the entries of a tree; with `entries`, only to directories that were seen. */
export function openTree({ boundary: { verifier }, directory, name }: HeldEntry, entries?: readonly TreeEntry[]) {
  const seen = entries && new Map(entries.map((entry) => [entry.path, entry]));
  const top = Buffer.from(join(directory.path.absolute, name)).toString("latin1");
  const opened: { readonly path: string; readonly absolute: string; readonly descriptor: number }[] = [];

  /**
   * The path of an entry: where the system can, one that cannot be redirected.
   * @throws StaleTargetError if a directory on the way is not there any more
   */
  function of(path: string): Buffer {
    if (path === ".") return Buffer.from(directory.entry(name));
    const [parent, last] = parentOf(path);
    const { absolute, descriptor } = enter(parent);
    return Buffer.from(verifier.entryPath({ absolute }, descriptor, last), "latin1");
  }

  function enter(path: string): (typeof opened)[number] {
    for (let last = opened.at(-1); last !== undefined && !isWithin(path, last.path); last = opened.at(-1)) {
      fs.closeSync(last.descriptor);
      opened.pop();
    }
    const last = opened.at(-1);
    if (last?.path === path) return last;
    const location = of(path);
    const descriptor = openExpected(location, seen?.get(path));
    const absolute = path === "." ? top : top + sep + path.replaceAll("/", sep);
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
    /** An open directory of the tree, and the path of what is in it. */
    enter: (path: string) => {
      const { absolute, descriptor } = enter(path);
      return { descriptor, inside: Buffer.from(verifier.entryPath({ absolute }, descriptor, ""), "latin1") };
    },
    close: () => {
      for (const { descriptor } of opened.splice(0)) fs.closeSync(descriptor);
    },
  };
}

function isWithin(path: string, directory: string): boolean {
  return directory === "." || path === directory || path.startsWith(`${directory}/`);
}

function openExpected(location: Buffer, expected: TreeEntry | undefined): number {
  let descriptor: number;
  try {
    descriptor = fs.openSync(location, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | GUARDED);
  } catch (error) {
    throw ["ENOENT", "ENOTDIR", "ELOOP", "EMLINK"].includes(errnoCode(error) ?? "") ? new StaleTargetError() : error;
  }
  const stats = fs.fstatSync(descriptor, { bigint: true });
  if (expected === undefined || isStillEntry(stats, expected)) return descriptor;
  fs.closeSync(descriptor);
  throw new StaleTargetError();
}

/**
 * Looks at an entry and everything in it, in slices that do not block the event loop.
 * @throws StaleTargetError if it changes meanwhile, what `allow` throws, or the system's error
 */
export async function lookAtTree(top: HeldEntry, look: TreeLook = {}): Promise<Tree> {
  const { pacer = createPacer(), allow, isToBeRemoved = false } = look;
  const entries: TreeEntry[] = [];
  const counts = { files: 0, bytes: 0 };
  const paths = openTree(top);
  const visit = async (path: string): Promise<void> => {
    if (pacer.due()) await pacer.rest();
    const location = paths.of(path);
    const stats = fs.lstatSync(location, { bigint: true, throwIfNoEntry: false });
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
    for (const name of await listNames(paths, path, pacer)) await visit(joinRelative(path, name));
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
  const listed = fs.opendirSync(paths.enter(path).inside, { encoding: "latin1", bufferSize: NAMES_PER_READ });
  try {
    for (let entry = listed.readSync(); entry !== null; entry = listed.readSync()) {
      names.push(entry.name);
      if (pacer.due()) await pacer.rest();
    }
  } finally {
    listed.closeSync();
  }
  return names.sort();
}

/** An immutable file is found out before anything else is removed. */
function expectRemovable(location: Buffer, kind: TreeEntry["kind"]): void {
  try {
    if (kind === "directory" || kind === "file") fs.accessSync(location, fs.constants.W_OK);
  } catch (error) {
    if (kind === "directory" || errnoCode(error) !== "EACCES") throw error;
  }
}

/** Whether two looks saw the same entries, with the same content as far as sizes and times tell. */
export function isSameTree(one: Tree, other: Tree): boolean {
  return isAlike(one, other, (entry, { kind, version }) => kind === entry.kind && isUnchangedEntry(entry, version));
}

function isAlike(one: Tree, other: Tree, isSame: (entry: TreeEntry, other: TreeEntry) => boolean): boolean {
  if (one.entries.length !== other.entries.length) return false;
  return one.entries.every((entry, at) => {
    const twin = other.entries[at];
    return twin?.path === entry.path && isSame(entry, twin);
  });
}

function isUnchangedEntry({ kind, version: before }: TreeEntry, now: FileVersion): boolean {
  if (before.inode !== now.inode || before.device !== now.device) return false;
  return kind === "directory" || (before.size === now.size && before.mtimeNs === now.mtimeNs);
}

/** Whether an entry is what it was; not by the time of its change, which every new name sets. */
export function isStillEntry(stats: fs.BigIntStats, entry: TreeEntry): boolean {
  return kindOf(stats) === entry.kind && isUnchangedEntry(entry, versionOf(stats));
}

/**
 * Removes exactly what was seen in a tree.
 * @throws StaleTargetError if there is something else, or the system's error, after three attempts
 */
export async function removeTree(top: HeldEntry, { entries }: Tree): Promise<void> {
  const left = [...entries];
  await attempted(MAX_REMOVALS, () => removeAll(top, entries, left));
}

/** Removes what a set has made itself, if it is this; never throws. */
export async function removeEntry(entry: HeldEntry, expected?: FileIdentity): Promise<void> {
  // Without `/proc` a path leads elsewhere while somebody swaps its directory, perhaps only for a moment.
  const mayHide = expected !== undefined && entry.boundary.verifier.verification !== "descriptor";
  const remove = async (): Promise<void> => {
    const stats = fs.lstatSync(entry.directory.entry(entry.name), { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && (expected === undefined || isSameFile(stats, expected))) {
      if (!stats.isDirectory()) {
        fs.unlinkSync(entry.directory.entry(entry.name));
        return;
      }
      const { entries } = await lookAtTree(entry);
      await removeAll(entry, entries, [...entries]);
    } else if (mayHide) throw new StaleTargetError();
  };
  // Otherwise it stays under a temporary name; whatever is being reported matters more.
  await attempted(mayHide ? MAX_REMOVALS_BY_PATH : MAX_REMOVALS, remove).catch(() => undefined);
}

async function attempted(most: number, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt === most) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

/** The last first; what is removed is taken from the list. */
async function removeAll(top: HeldEntry, seen: readonly TreeEntry[], left: TreeEntry[]): Promise<void> {
  const pacer = createPacer();
  const paths = openTree(top, seen);
  try {
    for (let entry = left.at(-1); entry !== undefined; entry = left.at(-1)) {
      const location = paths.of(entry.path);
      const stats = fs.lstatSync(location, { bigint: true, throwIfNoEntry: false });
      if (stats !== undefined && !isStillEntry(stats, entry)) throw new StaleTargetError();
      if (stats !== undefined && entry.kind === "directory") fs.rmdirSync(location);
      else if (stats !== undefined) fs.unlinkSync(location);
      left.pop();
      if (pacer.due()) await pacer.rest();
    }
  } finally {
    paths.close();
  }
}

/**
 * Builds a tree at a name that is free; `make` puts everything there but the directories.
 * @throws the system's error, or what `make` throws; then a part of it may be there
 */
export async function buildTree<Entry extends Pick<TreeEntry, "path" | "kind" | "mode">>(
  to: HeldEntry,
  entries: readonly Entry[],
  isDurable: boolean,
  make: (entry: Entry, path: Buffer) => Promise<void>,
): Promise<void> {
  const pacer = createPacer();
  const paths = openTree(to);
  try {
    for (const entry of entries) {
      const path = paths.of(entry.path);
      if (entry.kind === "directory") fs.mkdirSync(path, 0o700);
      await make(entry, path);
      if (pacer.due()) await pacer.rest();
    }
    for (const { path, kind, mode } of entries.toReversed()) {
      if (kind !== "directory") continue;
      const { descriptor } = paths.enter(path);
      fs.fchmodSync(descriptor, mode);
      if (isDurable) await flushDirectory(descriptor);
    }
  } finally {
    paths.close();
  }
}

/**
 * Copies exactly what was seen in a tree to a name that is free, with modes, and makes sure that nothing changed
 * meanwhile and that all of it is there.
 * @throws StaleTargetError, or the system's error; then a part of it may be there
 */
export async function copyTree(from: HeldEntry, to: HeldEntry, tree: Tree, isDurable: boolean): Promise<void> {
  const source = openTree(from, tree.entries);
  const copy = async (entry: TreeEntry, fresh: Buffer): Promise<void> => {
    const old = source.of(entry.path);
    if (entry.kind === "link") fs.symlinkSync(fs.readlinkSync(old, "buffer"), fresh);
    // Node makes no FIFOs, sockets and devices.
    else if (entry.kind === "other") throw notCopied(entry.path);
    else if (entry.kind === "file") {
      await copyExactly(old, fresh, { dev: entry.version.device, ino: entry.version.inode }, isDurable);
    }
    if (!isStillEntry(fs.lstatSync(old, { bigint: true }), entry)) throw new StaleTargetError();
  };
  try {
    await buildTree(to, tree.entries, isDurable, copy);
  } finally {
    source.close();
  }
  const [now, copied] = [await lookAtTree(from), await lookAtTree(to)];
  const isCopy = copied.bytes === tree.bytes && isAlike(copied, tree, (one, other) => one.kind === other.kind);
  if (!isCopy || !isSameTree(now, tree)) throw new StaleTargetError();
}

function notCopied(path: string): ToolError {
  const what = path === "." ? "It" : `'${echo(shownPath(path))}' in it`;
  return new ToolError("INVALID_PARAM", `${what} is a FIFO, socket or device, which cannot be copied.`, {
    hint: "Nothing was written. Choose what is around it, one by one.",
  });
}

function kindOf(stats: fs.BigIntStats): TreeEntry["kind"] {
  return stats.isSymbolicLink() ? "link" : statusKind(stats);
}
