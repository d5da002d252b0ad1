import { z } from "@fstools/protocol";

const state = z.object({
  /** Below the entry itself, which is "."; a character stands for a byte. */
  path: z.string(),
  kind: z.enum(["file", "link", "directory", "other"]),
  mode: z.int(),
  size: z.int(),
  /** The SHA-256 of a file's content. */
  hash: z.string().optional(),
  /** When a file was modified, in ns, if its content was not looked at. */
  mtime: z.string().optional(),
  /** Where a link leads; a character stands for a byte. */
  target: z.string().optional(),
});

const states = z.array(state).min(1);

const place = z.object({
  /** The real path of what is changed, removed or put there. */
  path: z.string(),
  /** Where it was, if it moves. */
  from: z.string().optional(),
  /** The directories that are made for it, outermost first. */
  missing: z.array(z.string()),
});

/** The form of a {@link Beginning}. */
export const beginning = z.object({
  tool: z.string(),
  /** The real paths of the project roots in which it is. */
  roots: z.array(z.string()).min(1),
  /** What the names of its temporary files come from. */
  temporary: z.string(),
  places: z.array(place),
});

/** What is noted before anything is put in place; in the order of the places. */
export const intent = z.object({
  effects: z.array(z.object({ before: states.optional(), after: states.optional(), isLost: z.boolean().optional() })),
});

/** What is noted when what followed has changed files again: `after` of those, `null` if there is none any more. */
export const amendment = z.object({
  effects: z.array(z.object({ after: states.nullish() })),
});

/** What is noted of a set before anything is written. */
export type Beginning = z.output<typeof beginning>;

/** What was at a path: one entry, or a directory with everything in it. */
export type EntryState = z.output<typeof state>;

/** A change of one path, as the log has it. */
export interface Effect extends z.output<typeof place> {
  /** What it replaced, removed or moved; undefined if nothing was there. */
  readonly before?: readonly EntryState[] | undefined;
  /** What was there afterwards; undefined if nothing, or if it was moved as it is. */
  readonly after?: readonly EntryState[] | null | undefined;
  /** Whether what it replaced was not kept. */
  readonly isLost?: boolean | undefined;
}

/** A set of changes, as the log has it. */
export interface Part extends Omit<Beginning, "places"> {
  readonly effects: readonly Effect[];
  /** Whether it came so far that something may have been put in place. */
  readonly isReady: boolean;
}
