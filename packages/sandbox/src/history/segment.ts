import { z } from "@fstools/protocol";
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { errnoCode } from "../disk/errno.ts";
import { GUARDED } from "../disk/verifier.ts";
import { addLine, lineAt, lineOf, type Line, type LineKind } from "./line.ts";
import { amendment, beginning, intent, type Part } from "./part.ts";
import { identity, isGone, ownIdentity } from "./process-identity.ts";

/** A file of the log: written by one process, and removed as a whole. */
export interface Segment {
  readonly path: string;
  readonly size: number;
  /** Newest first. */
  readonly entries: readonly LoggedEntry[];
  /** Whether nobody adds to it any more. */
  readonly isClosed: boolean;
  /** The contents that are named in it. */
  hashes(): Set<string>;
}

/** A change in the log. */
export interface LoggedEntry {
  readonly id: string;
  readonly state: "open" | "done" | "back";
  /** Whether something temporary may be left of it, and nobody is at work on it. */
  readonly isAbandoned: boolean;
  /** Its sets in order; none if one of its lines is damaged. */
  parts(): readonly Part[];
  /** Whether no line of its file is damaged: otherwise the one that says it is done may have been lost. */
  isCertain(): boolean;
  /** Adds to what a process wrote that is gone. */
  append(kind: LineKind, payload?: object): void;
}

const HASH = /"hash":"([\da-f]{64})"/gu;
const NEWLINE = 0x0a;
const anything = z.looseObject({});
const NOBODY = { pid: 0, start: "", host: "" };

/** Reads a file of the log; undefined if nothing was written to it since a time, or if it is gone. */
export function readSegment(path: string, since: number, underWay: ReadonlySet<string>): Segment | undefined {
  const read = readSince(path, since);
  if (read === undefined) return undefined;
  const { bytes, changedMs } = read;
  const found = new Map<string, Line[]>();
  let [end, last, isDamaged] = [0, "", false];
  for (let next = bytes.indexOf(NEWLINE); next >= 0; next = bytes.indexOf(NEWLINE, end)) {
    const line = lineAt(bytes, end, next);
    end = next + 1;
    if (line === undefined) isDamaged = true;
    else if (!found.get(line.id)?.push(line)) found.set(line.id, [line]);
    last = line?.kind ?? "";
  }
  const [[header] = []] = found.values();
  const owner = (header?.kind === "process" && header.read(identity)) || NOBODY;
  const isOwn = JSON.stringify(owner) === JSON.stringify(ownIdentity());
  const isLeft = isGone(owner, changedMs);
  const isCertain = () => !isDamaged && [...found.values()].flat().every((line) => line.read(anything) !== undefined);
  const entries = [...found].filter(([, [line]]) => line !== header);
  return {
    path,
    size: bytes.length,
    isClosed: isLeft || last === "end",
    hashes: () => new Set([...bytes.toString("latin1").matchAll(HASH)].map(([, hash = ""]) => hash)),
    entries: entries.reverse().map(([id, lines]): LoggedEntry => {
      const state = lines.reduce<LoggedEntry["state"]>(
        (before, { kind }) => (kind === "done" || kind === "back" ? kind : before),
        "open",
      );
      const isClear = state === "back" || lines.some(({ kind }) => kind === "clear");
      return {
        id,
        state,
        isAbandoned: !isClear && (isOwn || isLeft) && !underWay.has(id),
        parts: () => partsOf(lines),
        isCertain,
        append: (kind, payload) => {
          const isTorn = isLeft && end < bytes.length && statSync(path).size === bytes.length;
          addLine(path, lineOf(kind, id, payload), isTorn ? end : undefined);
        },
      };
    }),
  };
}

function readSince(path: string, since: number) {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | GUARDED);
    try {
      const { mtimeMs: changedMs } = fstatSync(descriptor);
      return changedMs < since ? undefined : { changedMs, bytes: readFileSync(descriptor) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // Somebody else has removed it as too old.
    if (errnoCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function partsOf(lines: readonly Line[]): readonly Part[] {
  const parts: Part[] = [];
  for (const line of lines) {
    const part = parts.at(-1);
    if (line.kind === "begin") {
      const begun = line.read(beginning);
      if (begun === undefined) return [];
      parts.push({ ...begun, effects: begun.places, isReady: false });
    } else if (line.kind === "ready" || line.kind === "again") {
      const said = line.read(line.kind === "ready" ? intent : amendment);
      // The line between them is gone.
      if (said === undefined || part === undefined || part.isReady === (line.kind === "ready")) return [];
      const effects = part.effects.map((effect, at) => ({ ...effect, ...said.effects[at] }));
      parts.splice(-1, 1, { ...part, effects, isReady: true });
    }
  }
  return parts;
}
