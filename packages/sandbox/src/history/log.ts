import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { GUARDED } from "../disk/verifier.ts";
import { EXCLUSIVE, flush } from "../write/temporary-file.ts";
import { addLine, lineOf, type LineKind } from "./line.ts";
import { ownIdentity } from "./process-identity.ts";
import { readSegment, type Segment } from "./segment.ts";

/** A change that this process is making. */
export interface OpenEntry {
  readonly id: string;
  append(kind: LineKind, payload?: object): void;
  /** Says how much is kept for it elsewhere, so that no file of the log stands for too much. */
  count(bytes: number): void;
  /** Waits until its lines are on the disk, if they have to be. */
  flush(): Promise<void>;
  close(): void;
}

/** What happened, whichever process wrote it down. */
export interface Log {
  start(durable: boolean): OpenEntry;
  /** Newest first; only those with lines since a time, which may become later on the way. */
  segments(since?: () => number): Generator<Segment>;
}

const MAX_ENTRIES = 64;
const RENEW_MS = 20_000;
const PRIVATE_FILE = 0o600;

/** The changes that this process is making, in whichever history. */
const underWay = new Set<string>();
let lastMs = 0;

/** In the order of time. */
function nextId(): string {
  lastMs = Math.max(lastMs + 1, Date.now());
  return `${lastMs.toString(36).padStart(9, "0")}-${randomBytes(4).toString("hex")}`;
}

/** When a change began. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}

/** The log in a directory that nobody else can write to; each of its files stands for about `segmentBytes`. */
export function createLog(directory: string, segmentBytes: number): Log {
  let current: WrittenSegment | undefined;
  return {
    start: (durable) => {
      if (current?.isUsable(segmentBytes) !== true) {
        current?.retire();
        current = writeSegment(directory);
      }
      return current.start(durable);
    },
    *segments(since = () => 0) {
      const names = readdirSync(directory).filter((name) => name.endsWith(".log"));
      for (const name of names.sort().reverse()) {
        const segment = readSegment(`${directory}/${name}`, since(), underWay);
        if (segment !== undefined) yield segment;
      }
    },
  };
}

interface WrittenSegment {
  isUsable(maxBytes: number): boolean;
  start(durable: boolean): OpenEntry;
  /** No more entries begin in it. */
  retire(): void;
}

function writeSegment(directory: string): WrittenSegment {
  const own = nextId();
  const path = `${directory}/${own}.log`;
  const descriptor = openSync(path, EXCLUSIVE | constants.O_APPEND, PRIVATE_FILE);
  let [size, bytes, entries, running] = [0, 0, 0, 0];
  let [isRetired, isNameFlushed] = [false, false];
  let renewing: NodeJS.Timeout | undefined;
  const append = (kind: LineKind, id: string, payload?: object): void => {
    const line = lineOf(kind, id, payload);
    try {
      for (let written = 0; written < line.length;) written += writeSync(descriptor, line, written);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
    size += line.length;
    bytes += line.length;
  };
  const leave = (): void => {
    if (running > 0) return;
    clearInterval(renewing);
    renewing = undefined;
    if (!isRetired) return;
    try {
      append("end", own);
    } finally {
      closeSync(descriptor);
    }
  };

  try {
    append("process", own, ownIdentity());
  } catch (error) {
    closeSync(descriptor);
    unlinkSync(path);
    throw error;
  }
  return {
    isUsable: (maxBytes) => entries < MAX_ENTRIES && bytes < maxBytes && fstatSync(descriptor).nlink > 0,
    retire: () => {
      isRetired = true;
      leave();
    },
    start: (durable) => {
      const id = nextId();
      underWay.add(id);
      entries += 1;
      running += 1;
      // Otherwise another machine, or container, would take this process for gone.
      renewing ??= setInterval(() => {
        futimesSync(descriptor, new Date(), new Date());
      }, RENEW_MS).unref();
      return {
        id,
        append: (kind, payload) => {
          if (underWay.has(id)) append(kind, id, payload);
          else addLine(path, lineOf(kind, id, payload));
        },
        count: (more) => {
          bytes += more;
        },
        flush: async () => {
          if (!durable || !underWay.has(id)) return;
          await Promise.all([flush(descriptor), isNameFlushed ? undefined : flushNames(directory)]);
          isNameFlushed = true;
        },
        close: () => {
          underWay.delete(id);
          running -= 1;
          leave();
        },
      };
    },
  };
}

/** Waits until the names in a directory are on the disk, where the system can do that. */
export async function flushNames(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | GUARDED);
  try {
    await flush(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
