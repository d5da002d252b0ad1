import { Buffer } from "node:buffer";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, ftruncateSync, futimesSync, openSync, truncateSync } from "node:fs";
import { appendFileSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { EXCLUSIVE, flush } from "../write/held-directory.ts";
import { beginning, outcome, type Part } from "./part.ts";
import { isGone } from "./process-identity.ts";

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
function readLog(path: string): { readonly bytes: Buffer; readonly seenMs: number } | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | GUARDED);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO"].includes(errnoCode(error) ?? "")) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() ? { bytes: readFileSync(descriptor), seenMs: stats.mtimeMs } : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined if there is nothing to be read. */
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
      return { kind, json: sumOf(id, kind, json) === sum ? json : undefined };
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

/** Undefined if it is not JSON. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function partsOf(lines: readonly { readonly kind: string; readonly json: string | undefined }[]): readonly Part[] {
  const parts: Part[] = [];
  for (const { kind, json } of lines) {
    const part = parts.at(-1);
    const payload = json === undefined ? undefined : parsed(json);
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
