import * as z from "./zod.ts";
import { once } from "./once.ts";

/** What `data` holds in each category of tools; further fields are allowed. Built on first use: most hosts need none. */
export const dataSchemas = {
  /** Listing a directory. */
  get ls() {
    return lsData();
  },
  /** Finding files by name. */
  get glob() {
    return globData();
  },
  /** Searching in files: one match per line. */
  get grep() {
    return grepData();
  },
  /** Reading a file. */
  get read() {
    return readData();
  },
  /** Changing a file; not applied means a dry run. */
  get edit() {
    return editData();
  },
} as const;

const truncated = once(() => z.boolean().optional());

const lsData = once(() => {
  const entry = z.looseObject({
    path: z.string().min(1),
    type: z.enum(["file", "dir", "link"]),
    size: z.int().min(0).optional(),
    mtime_ms: z.int().optional(),
  });
  return z.looseObject({ entries: z.array(entry), truncated: truncated() });
});

const globData = once(() =>
  z.looseObject({
    paths: z.array(z.string().min(1)),
    truncated: truncated(),
    aborted_reason: z.enum(["count_limit", "time_limit"]).optional(),
  }),
);

const grepData = once(() => {
  const position = z.int().min(1);
  const match = z.looseObject({
    file: z.string().min(1),
    line: position,
    text: z.string(),
    column: position.optional(),
    end_line: position.optional(),
    before: z.array(z.string()).optional(),
    after: z.array(z.string()).optional(),
    count: position.optional(),
  });
  return z.looseObject({
    matches: z.array(match),
    truncated: truncated(),
    aborted_reason: z.enum(["count_limit", "time_limit"]).optional(),
    fallback: z.string().optional(),
    fallback_reason: z.string().optional(),
  });
});

const readData = once(() =>
  z.looseObject({ content: z.string(), truncated: truncated(), fallback_encoding: z.string().optional() }),
);

const editData = once(() => {
  const count = z.int().min(0);
  const changedFile = z.looseObject({
    path: z.string().min(1),
    operation: z.enum(["create", "update", "delete", "move"]),
    from: z.string().min(1).optional(),
  });
  return z.looseObject({
    applied: z.boolean(),
    operation: z.enum(["edit", "create", "update", "patch", "move", "copy", "delete", "undo"]).optional(),
    from: z.string().min(1).optional(),
    path: z.string().min(1).optional(),
    files: z.union([count, z.array(changedFile)]).optional(),
    bytes: count.optional(),
    replacements: count.optional(),
    diff_preview: z.string().optional(),
    diff_truncated: z.boolean().optional(),
    fallback: z.string().optional(),
  });
});

/** A category of tools that share the shape of their `data`. */
export type ToolCategory = keyof typeof dataSchemas;

/** The field by which each category is recognised. */
export const CATEGORY_FIELDS = {
  ls: "entries",
  glob: "paths",
  grep: "matches",
  read: "content",
  edit: "applied",
} as const satisfies Record<ToolCategory, string>;
