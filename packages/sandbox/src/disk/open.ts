import { Buffer } from "node:buffer";
import { close as closeAsync, closeSync, fstatSync, readSync, type BigIntStats } from "node:fs";
import type { Boundary } from "./boundary.ts";
import { openVerified, type VerifiedDescriptor } from "./descriptor.ts";
import { describeErrno, fsError } from "./errno.ts";
import type { SafePath } from "../names/safe-path.ts";
import { SandboxError } from "../error.ts";
import { versionOf, type FileVersion } from "../versions.ts";

/** A regular file that is open for reading; the caller that opened it closes it. */
export interface SandboxFile {
  readonly path: SafePath;
  /** Size in bytes when it was opened. */
  readonly size: number;
  /** In whole milliseconds, rounded down. */
  readonly mtimeMs: number;
  /** Its permissions, and its setuid, setgid and sticky bits. */
  readonly mode: number;
  /** Everything that tells this state of the file from another. */
  readonly version: FileVersion;
  /** For a child process that reads this very file; undefined if the system makes up what it says. */
  readonly descriptor: number | undefined;
  /** Its first bytes, at most `length`; fewer where it is shorter than its size. */
  head(length: number): Buffer;
  /** Reads from a byte position until the target is full or the file ends; returns the number of bytes. */
  read(target: Uint8Array, position: number): number;
  /** Whether its content is still what it was when it was opened, as far as its size and time tell. */
  isUnchanged(): boolean;
  close(): void;
  /** Closes it on a thread of the pool: without its last name, ext4 frees its blocks first, which takes long. */
  closeLater(): void;
}

const MAX_UNSIZED_BYTES = 1024 * 1024;
// Taken at load: a host's tests may install fake timers, and the file would stay open.
const schedule = setImmediate;
// The largest page of memory that Linux uses.
const MAX_PAGE_BYTES = 65_536n;

/** Opens a regular file through a descriptor that is known to lead inside the sandbox. @throws SandboxError */
export function openFile(
  boundary: Boundary,
  path: SafePath,
  { descriptor, stats }: VerifiedDescriptor = openVerified(boundary, path, "file"),
): SandboxFile {
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const closeLater = (): void => {
    // After the answer: waking the thread takes as long as the rename.
    if (isOpen) schedule(closeAsync, descriptor, () => undefined);
    isOpen = false;
  };
  try {
    const held = isMadeUp(stats) ? readUnsized(descriptor, path) : undefined;
    const size = held?.length ?? Number(stats.size);
    // What looks made up may be a real file; it has as many bytes as it says.
    const isReal = size === Number(stats.size);
    const readSome = (target: Uint8Array, position: number): number =>
      held === undefined ? readAt(descriptor, path, target, position) : held.copy(target, 0, Math.min(position, size));
    return {
      path,
      size,
      mtimeMs: wholeMilliseconds(stats.mtimeNs),
      mode: Number(stats.mode) & 0o7777,
      version: versionOf(stats),
      descriptor: isReal ? descriptor : undefined,
      head: (length) => {
        const target = Buffer.allocUnsafe(Math.min(length, size));
        return target.subarray(0, readUntilFull(readSome, target, 0));
      },
      read: (target, position) => readUntilFull(readSome, target, position),
      isUnchanged: () => {
        if (!isReal) return true;
        // A new name, or another mode, changes only the time of the last status change.
        const now = fstatSync(descriptor, { bigint: true });
        return now.size === stats.size && now.mtimeNs === stats.mtimeNs;
      },
      close,
      closeLater,
    };
  } catch (error) {
    close();
    throw error;
  }
}

const NS_PER_MS = 1_000_000n;

/** A time as the tools' answers show it: rounded down. */
export function wholeMilliseconds(ns: bigint): number {
  // A division of integers drops the fraction, which rounds times before 1970 up.
  const start = ns < 0n ? ns - (NS_PER_MS - 1n) : ns;
  return Number(start / NS_PER_MS);
}

/** Reads on when the system returns fewer bytes than there are, as it may. */
export function readUntilFull(
  readSome: (target: Uint8Array, position: number) => number,
  target: Uint8Array,
  position: number,
): number {
  let filled = 0;
  while (filled < target.length) {
    const count = readSome(filled === 0 ? target : target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function readAt(descriptor: number, path: SafePath, target: Uint8Array, position: number | null): number {
  try {
    return readSync(descriptor, target, 0, target.length, position);
  } catch (error) {
    throw fsError(error, path.relative);
  }
}

/** Files that the kernel makes up have no blocks, and a size of 0 or a page. Reading real ones so does no harm. */
function isMadeUp({ size, blocks }: BigIntStats): boolean {
  return size === 0n || (blocks === 0n && size <= MAX_PAGE_BYTES);
}

/** Reads to the end, since nothing else tells the size. */
function readUnsized(descriptor: number, path: SafePath): Buffer {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const chunk = new Uint8Array(chunks.length === 0 ? 4096 : 65536);
    const count = readAt(descriptor, path, chunk, null);
    if (count === 0) return Buffer.concat(chunks, length);
    chunks.push(chunk.subarray(0, count));
    length += count;
    if (length > MAX_UNSIZED_BYTES) {
      throw new SandboxError({ reason: "io", path: path.relative, osError: describeErrno("EFBIG") });
    }
  }
}
