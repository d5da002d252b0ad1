import { z } from "@fstools/protocol";
import { segments } from "../names/safe-path.ts";

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

/** What tells a process from all others, also from a later one with the same number. */
const identity = z.object({
  pid: z.int(),
  /** When it began, if the system tells. */
  start: z.string(),
  /** Where its number means this process: this boot of the machine, this container. */
  host: z.string(),
  /** This module in it: another thread has its own. */
  copy: z.string(),
});

/** What is noted of a set before anything is written. */
export const beginning = z.object({
  tool: z.string(),
  process: identity,
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

export type ProcessIdentity = z.output<typeof identity>;

export type Beginning = z.output<typeof beginning>;

type Outcome = z.output<typeof outcome>["effects"][number];

/** What a set did to a path. */
export type Effect = Beginning["effects"][number] & Partial<Outcome>;

/** A set of changes. */
export interface Part extends Omit<Beginning, "effects"> {
  readonly effects: readonly Effect[];
  /** Whether it came so far that something may have been put in place. */
  readonly isReady: boolean;
}
