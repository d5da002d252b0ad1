import { z } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { segments } from "../names/safe-path.ts";
import { EXCLUSIVE, flush } from "../write/held-directory.ts";

/** Whether it is "." or leads down from it: nothing else was ever noted. */
function isBelowItself(path: string): boolean {
  const names = segments(path);
  return path === "." || (names.join("/") === path && path !== "" && !names.includes("..") && !path.includes("\0"));
}

const state = z.object({
  /** Below the entry itself, which is "."; here and in `target` a character stands for a byte. */
  path: z.string().refine(isBelowItself),
  kind: z.enum(["file", "link", "directory", "other"]),
  mode: z.int().min(0).max(0o7777),
  size: z.int(),
  /** The SHA-256 of a file's content. */
  hash: z
    .string()
    .regex(/^[\da-f]{64}$/u)
    .optional(),
  /** When a file was modified, in ns, if its content was not looked at. */
  mtime: z.string().optional(),
  /** Where a link leads. */
  target: z.string().optional(),
});

const states = z.array(state).min(1).optional();

/** What is noted of a set before anything is written. */
export const beginning = z.object({
  tool: z.string(),
  /** What tells it from all others, also from a later one with the same number. */
  process: z.object({
    pid: z.int(),
    /** When it began, if the system tells. */
    start: z.string(),
    /** Where its number means this process: this boot of the machine, this container. */
    host: z.string(),
    /** This module in it: another thread has its own. */
    copy: z.string(),
  }),
  /** The real paths of the project roots in which it is. */
  roots: z.array(z.string()).min(1),
  /** Whether its changes were waited for until they were on the disk. */
  durable: z.boolean(),
  /** What the names of its temporary files come from. */
  temporary: z.string().regex(/^[\da-f]{16}$/u),
  effects: z.array(
    z.object({
      /** The real path of what is changed, removed or put there. */
      path: z.string(),
      /** Where it was, if it moves. */
      from: z.string().optional(),
      /** What is removed, if this is the same file under another name. */
      replaces: z.string().optional(),
      /** The directories that are made for it, outermost first. */
      missing: z.array(z.string()),
    }),
  ),
});

/**
 * What is noted, in the same order, before anything is put in place: what goes, if anything, what comes, if it does not only
 * move, and whether what goes is not kept. And later of what was changed again: what is there now, null for nothing.
 */
export const outcome = z.object({
  effects: z.array(z.object({ before: states, after: states.nullable(), isLost: z.boolean().optional() })),
});

/** What was at a path: one entry, or a directory with everything in it. */
export type EntryState = z.output<typeof state>;

export type Beginning = z.output<typeof beginning>;

/** What a set did to a path. */
export type Effect = Beginning["effects"][number] & Partial<z.output<typeof outcome>["effects"][number]>;

/** A set of changes. */
export interface Part extends Omit<Beginning, "effects"> {
  readonly effects: readonly Effect[];
  /** Whether it came so far that something may have been put in place. */
  readonly isReady: boolean;
}

/** A set begins; it is ready to be put in place; all sets of the change are in place; files were changed again. */
type LineKind = "begin" | "ready" | "done" | "again";

type Append = (kind: LineKind, payload?: object) => void;

/** A change that this process is making. */
export interface OpenEntry {
  readonly id: string;
  readonly append: Append;
  /** Waits until its lines are on the disk; its name is in the directory of the contents. */
  flush(): Promise<void>;
  /** When it is closed as done. */
  amend(effects: object): void;
  /** When nothing temporary is left of it; without a word on that it stays as it is. */
  close(isDone?: boolean): void;
}

/** A change in the log. */
export interface LoggedEntry extends Pick<OpenEntry, "id" | "append"> {
  /** In order; none if a line is damaged. */
  readonly parts: readonly Part[];
  readonly isDone: boolean;
  /** Whether something temporary may be left of it, and nobody is at work on it. */
  readonly isAbandoned: boolean;
  readonly close: (isDone: boolean) => void;
}

/** What happened: a file for each change, which lies elsewhere while something is left to do. */
export interface Log {
  readonly start: () => OpenEntry;
  /** Newest first. */
  entries(which: "open" | "done", isWanted?: (id: string) => boolean): Generator<LoggedEntry>;
}

/** Who says no word for so long is taken for gone, where nothing better is known. */
export const LEASE_MS = 60_000;
const ID = /^[\da-z]{9}-[\da-f]{8}$/u;
const LINE = /^([a-z]+) ([\da-f]{16}) (.*)$/u;
const RENEW_MS = 20_000;
const PRIVATE_FILE = 0o600;

/** The changes that this process is making, in whichever history. */
const underWay = new Set<string>();
let lastMs = 0;

/** Whether a file's name is that of a change. */
export function isId(name: string): boolean {
  return ID.test(name);
}

/** When a change began. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 9), 36);
}

/** The log in two directories that nobody else can write to; in that for what is open are the contents too. */
export function createLog(directories: { readonly open: string; readonly done: string }): Log {
  const pathOf = (id: string) => `${directories.open}/${id}`;
  const close = (id: string, isDone: boolean): void => {
    if (isDone) renameSync(pathOf(id), `${directories.done}/${id}`);
    else unlinkSync(pathOf(id));
  };
  return {
    start: () => {
      lastMs = Math.max(lastMs + 1, Date.now());
      const id = `${lastMs.toString(36).padStart(9, "0")}-${randomBytes(4).toString("hex")}`;
      const descriptor = openSync(pathOf(id), EXCLUSIVE | constants.O_APPEND, PRIVATE_FILE);
      underWay.add(id);
      // Otherwise another machine, or container, would take this process for gone.
      const renewing = setInterval(() => {
        futimesSync(descriptor, new Date(), new Date());
      }, RENEW_MS).unref();
      let size = 0;
      return {
        id,
        append: (kind, payload) => {
          const line = lineOf(id, kind, payload);
          try {
            writeFileSync(descriptor, line);
          } catch (error) {
            ftruncateSync(descriptor, size);
            throw error;
          }
          size += line.length;
        },
        flush: () => flush(descriptor),
        amend: (effects) => {
          appendFileSync(`${directories.done}/${id}`, lineOf(id, "again", { effects }));
        },
        close: (isDone) => {
          clearInterval(renewing);
          closeSync(descriptor);
          underWay.delete(id);
          try {
            if (isDone !== undefined) close(id, isDone);
          } catch {
            // Whoever comes next looks for what is left, and finds nothing.
          }
        },
      };
    },
    *entries(which, isWanted = () => true) {
      const ids = readdirSync(directories[which]).filter((name) => isId(name) && isWanted(name));
      for (const id of ids.sort().reverse()) {
        const entry = readEntry(`${directories[which]}/${id}`, id);
        if (entry !== undefined) yield { ...entry, close: close.bind(undefined, id) };
      }
    },
  };
}

function lineOf(id: string, kind: LineKind, payload: object = {}): Buffer {
  const json = JSON.stringify(payload);
  return Buffer.from(`${kind} ${sumOf(id, kind, json)} ${json}\n`);
}

function sumOf(id: string, kind: string, json: string): string {
  return createHash("sha256").update(`${id} ${kind} ${json}`).digest("hex").slice(0, 16);
}

/** Undefined if somebody else has just removed or finished it, or it is no file. */
function readEntry(path: string, id: string): Omit<LoggedEntry, "close"> | undefined {
  const read = readLog(path);
  if (read === undefined) return undefined;
  const { bytes, seenMs } = read;
  // What comes after the last line is what a process could not finish.
  const end = bytes.lastIndexOf("\n") + 1;
  const lines = bytes
    .toString("utf8", 0, Math.max(end - 1, 0))
    .split("\n")
    .map((line) => {
      const [, kind = "", sum, json = ""] = LINE.exec(line) ?? [];
      return { kind, payload: sumOf(id, kind, json) === sum ? parsed(json) : undefined };
    });
  const parts = partsOf(lines);
  const owner = parts[0]?.process;
  return {
    id,
    parts,
    isDone: lines.some(({ kind }) => kind === "done"),
    isAbandoned: !underWay.has(id) && owner !== undefined && isGone(owner, seenMs),
    append: (kind, payload) => {
      if (end < bytes.length) truncateSync(path, end);
      appendFileSync(path, lineOf(id, kind, payload));
    },
  };
}

function readLog(path: string): { readonly bytes: Buffer; readonly seenMs: number } | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | GUARDED);
    const stats = fstatSync(descriptor);
    return stats.isFile() ? { bytes: readFileSync(descriptor), seenMs: stats.mtimeMs } : undefined;
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Undefined if it is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function partsOf(lines: readonly { readonly kind: string; readonly payload: unknown }[]): readonly Part[] {
  const parts: Part[] = [];
  for (const { kind, payload } of lines) {
    const part = parts.at(-1);
    const begun = kind === "begin" ? beginning.safeParse(payload).data : undefined;
    const said = kind === "ready" || kind === "again" ? outcome.safeParse(payload).data : undefined;
    if (begun !== undefined) parts.push({ ...begun, isReady: false });
    else if (said !== undefined && part?.isReady === (kind === "again")) {
      const effects = part.effects.map((effect, at) => ({ ...effect, ...said.effects[at] }));
      parts.splice(-1, 1, { ...part, effects, isReady: true });
    } else if (kind !== "done" || payload === undefined) return [];
  }
  return parts;
}

let own: Beginning["process"] | undefined;

/** What tells this process from all others. */
export function ownIdentity(): Beginning["process"] {
  return (own ??= { pid: process.pid, start: startOf(process.pid), host: hostOf(), copy: randomUUID() });
}

/** Whether a process does not run any more; this one is asked about what it does not do any more. */
function isGone({ pid, start, host, copy }: Beginning["process"], lastSeenMs: number): boolean {
  const isSilent = Date.now() - lastSeenMs > LEASE_MS;
  const self = ownIdentity();
  if (host !== self.host) return isSilent;
  // Another thread of this process may be at work.
  if (pid === process.pid) return start !== self.start || copy === self.copy || isSilent;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errnoCode(error) === "ESRCH") return true;
  }
  const now = startOf(pid);
  return now === "" || start === "" ? isSilent : now !== start;
}

/** In ticks since the boot; "" where the system does not tell. */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function hostOf(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
