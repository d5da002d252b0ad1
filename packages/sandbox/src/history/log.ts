import { once, z } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import * as fs from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { segments } from "../names/safe-path.ts";
import { EXCLUSIVE, flush } from "../write/held-directory.ts";

/** Whether it is "." or leads down from it: nothing else was ever noted. */
function isBelowItself(path: string): boolean {
  const names = segments(path);
  return path === "." || (names.join("/") === path && path !== "" && !names.includes("..") && !path.includes("\0"));
}

const SHA256 = /^[\da-f]{64}$/u;

// The schemas are made when a log is first read: that takes milliseconds, and most processes have no history.
const state = once(() =>
  z.object({
    /** Below the entry itself, which is "."; here and in `target` a character stands for a byte. */
    path: z.string().refine(isBelowItself),
    kind: z.enum(["file", "link", "directory", "other"]),
    mode: z.int().min(0).max(0o7777),
    size: z.int(),
    /** Of a file's content. */
    hash: z.string().regex(SHA256).optional(),
    /** When a file was modified, in ns, if its content was not looked at. */
    mtime: z.string().optional(),
    /** Where a link leads. */
    target: z.string().optional(),
  }),
);

/** What is noted of a set before anything is written. */
export const beginning = once(() =>
  z.object({
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
  }),
);

/** What goes, what comes instead, if it does not only move, and whether what goes is not kept; in the same order. */
export const outcome = once(() => {
  const states = z.array(state()).optional();
  return z.object({
    effects: z.array(z.object({ before: states, after: states, isLost: z.boolean().optional() })),
  });
});

/** What was at a path: one entry, or a directory with everything in it. */
export type EntryState = z.output<ReturnType<typeof state>>;

export type Beginning = z.output<ReturnType<typeof beginning>>;

/** What a set did to a path. */
export type Effect = Beginning["effects"][number] & z.output<ReturnType<typeof outcome>>["effects"][number];

/** A set of changes. */
export interface Part extends Beginning {
  readonly effects: Effect[];
  /** Whether it came so far that something may have been put in place. */
  readonly isReady: boolean;
}

/** A set begins; it is ready to be put in place; all sets of the change are in place; files were changed again. */
type LineKind = "begin" | "ready" | "done" | "again";

/** What happened: a file for each change, which lies elsewhere while something is left to do. */
export type Log = ReturnType<typeof createLog>;

/** A change that this process is making. */
export type OpenEntry = ReturnType<Log["start"]>;

/** A change in the log. */
export interface LoggedEntry {
  readonly id: string;
  /** In order; none if a line is damaged. */
  readonly parts: readonly Part[];
  readonly isDone: boolean;
  /** Whether something temporary may be left of it, and nobody is at work on it. */
  readonly isAbandoned: () => boolean;
  readonly append: OpenEntry["append"];
  readonly close: (isDone: boolean) => void;
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
export function createLog(directories: { readonly open: string; readonly done: string }) {
  const finish = (id: string, isDone: boolean): void => {
    const path = `${directories.open}/${id}`;
    if (isDone) fs.renameSync(path, `${directories.done}/${id}`);
    else fs.unlinkSync(path);
  };

  function start() {
    lastMs = Math.max(lastMs + 1, Date.now());
    const id = `${lastMs.toString(36).padStart(9, "0")}-${crypto.randomUUID().slice(0, 8)}`;
    const descriptor = fs.openSync(`${directories.open}/${id}`, EXCLUSIVE | fs.constants.O_APPEND, PRIVATE_FILE);
    underWay.add(id);
    // Otherwise another machine, or container, would take this process for gone.
    const renewing = setInterval(() => {
      fs.futimesSync(descriptor, new Date(), new Date());
    }, RENEW_MS).unref();
    let size = 0;
    return {
      id,
      append: (kind: LineKind, payload?: object): void => {
        const line = lineOf(id, kind, payload);
        try {
          fs.writeFileSync(descriptor, line);
        } catch (error) {
          fs.ftruncateSync(descriptor, size);
          throw error;
        }
        size += line.length;
      },
      /** Waits until its lines are on the disk; its name is in the directory of the contents. */
      flush: () => flush(descriptor),
      /** When it is closed as done. */
      amend: (effects: object): void => {
        fs.appendFileSync(`${directories.done}/${id}`, lineOf(id, "again", { effects }));
      },
      /** When nothing temporary is left of it; without a word on that it stays as it is. */
      close: (isDone?: boolean): void => {
        clearInterval(renewing);
        fs.closeSync(descriptor);
        underWay.delete(id);
        try {
          if (isDone !== undefined) finish(id, isDone);
        } catch {
          // Whoever comes next looks for what is left, and finds nothing.
        }
      },
    };
  }

  /** Newest first. */
  function* entries(which: "open" | "done", isWanted = (_: string) => true): Generator<LoggedEntry> {
    const ids = fs.readdirSync(directories[which]).filter((name) => isId(name) && isWanted(name));
    for (const id of ids.sort().reverse()) {
      const path = `${directories[which]}/${id}`;
      const read = readLog(path);
      if (read === undefined) continue;
      // What comes after the last line is what a process could not finish.
      const end = read.bytes.lastIndexOf("\n") + 1;
      const lines = read.bytes.toString("utf8", 0, end).split("\n").slice(0, -1);
      const parts = partsOf(id, lines);
      const owner = parts[0]?.process;
      yield {
        id,
        parts,
        isDone: lines.some((line) => line.startsWith("done ")),
        isAbandoned: () => !underWay.has(id) && owner !== undefined && isGone(owner, read.seenMs),
        append: (kind, payload) => {
          if (end < read.bytes.length) fs.truncateSync(path, end);
          fs.appendFileSync(path, lineOf(id, kind, payload));
        },
        close: (isDone) => {
          finish(id, isDone);
        },
      };
    }
  }

  return { start, entries };
}

function lineOf(id: string, kind: LineKind, payload: object = {}): Buffer {
  const json = JSON.stringify(payload);
  return Buffer.from(`${kind} ${sumOf(id, kind, json)} ${json}\n`);
}

/** Its module takes Node several milliseconds to load, and most processes have no history. */
export function createSha256() {
  return process.getBuiltinModule("node:crypto").createHash("sha256");
}

function sumOf(id: string, kind: string, json: string): string {
  return createSha256().update(`${id} ${kind} ${json}`).digest("hex").slice(0, 16);
}

/** Undefined if somebody else has just removed or finished it, or it is no file. */
function readLog(path: string): { readonly bytes: Buffer; readonly seenMs: number } | undefined {
  try {
    const stats = fs.lstatSync(path);
    return stats.isFile() ? { bytes: fs.readFileSync(path), seenMs: stats.mtimeMs } : undefined;
  } catch (error) {
    if (errnoCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function partsOf(id: string, lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let isDone = false;
  try {
    for (const line of lines) {
      const [, kind = "", sum, json = ""] = LINE.exec(line) ?? [];
      const isSound = sum === sumOf(id, kind, json);
      // Behind a finished change, one only says what was changed again, which an undo finds out by itself.
      if (!isSound && isDone) continue;
      if (!isSound) return [];
      isDone ||= kind === "done";
      const payload: unknown = JSON.parse(json);
      const part = parts.at(-1);
      if (kind === "begin") parts.push({ ...beginning().parse(payload), isReady: false });
      else if (kind !== "done") {
        if (part?.isReady !== (kind === "again")) return [];
        const said = outcome().parse(payload);
        const effects = part.effects.map((effect, at) => ({ ...effect, ...said.effects[at] }));
        parts.splice(-1, 1, { ...part, effects, isReady: true });
      }
    }
    return parts;
  } catch {
    // It is not JSON, or not what is noted.
    return [];
  }
}

let own: Beginning["process"] | undefined;

/** What tells this process from all others. */
export function ownIdentity(): Beginning["process"] {
  return (own ??= { pid: process.pid, start: startOf(process.pid), host: hostOf(), copy: crypto.randomUUID() });
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
    const status = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything.
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function hostOf(): string {
  try {
    const boot = fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    return `${boot} ${fs.readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return process.getBuiltinModule("node:os").hostname();
  }
}
