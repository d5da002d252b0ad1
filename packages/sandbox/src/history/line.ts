import { z } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, constants, ftruncateSync, openSync, writeSync } from "node:fs";
import { GUARDED } from "../disk/verifier.ts";

/**
 * What a line says of a change: a set begins; it is ready to be put in place; files of it were changed again; all is done, or
 * taken back; nothing temporary is left. And of a file of the log: which process writes it, and that it writes no more.
 */
export type LineKind = "begin" | "ready" | "again" | "done" | "back" | "clear" | "process" | "end";

/** A line of the log, somewhere in its file. */
export interface Line {
  readonly kind: string;
  readonly id: string;
  /** What it says besides, if that is what its checksum stands for, and of this form. */
  read<Schema extends z.ZodType>(schema: Schema): z.output<Schema> | undefined;
}

const HEAD = /^([a-z]+) ([\da-z]{9}-[\da-f]{8}) ([\da-f]{16}) /u;
const MAX_HEAD_CHARS = 64;

/** A line with a checksum. */
export function lineOf(kind: LineKind, id: string, payload: object = {}): Buffer {
  const json = JSON.stringify(payload);
  return Buffer.from(`${kind} ${id} ${sumOf(kind, id, json)} ${json}\n`);
}

/** The line between two places, without its end; undefined if it begins like none. */
export function lineAt(bytes: Buffer, start: number, end: number): Line | undefined {
  const head = HEAD.exec(bytes.toString("latin1", start, Math.min(start + MAX_HEAD_CHARS, end)));
  if (head === null) return undefined;
  const [{ length }, kind = "", id = "", sum] = head;
  return {
    kind,
    id,
    read: (schema) => {
      const json = bytes.toString("utf8", start + length, end);
      return sumOf(kind, id, json) === sum ? schema.safeParse(JSON.parse(json)).data : undefined;
    },
  };
}

function sumOf(kind: string, id: string, json: string): string {
  return createHash("sha256").update(`${kind} ${id} ${json}`).digest("hex").slice(0, 16);
}

/**
 * Adds a line to a file of the log that no process holds open.
 * @param torn - where the last line ends, if all after it is what a process could not finish
 */
export function addLine(path: string, line: Buffer, torn?: number): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND | GUARDED);
  try {
    if (torn !== undefined) ftruncateSync(descriptor, torn);
    writeSync(descriptor, line);
  } finally {
    closeSync(descriptor);
  }
}
