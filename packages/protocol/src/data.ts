import * as z from "./zod.ts";
import { relativePathProblem } from "./envelope.ts";
import { once } from "./once.ts";

const truncated = () => z.boolean().optional();
const filled = () => z.string().min(1);
const count = () => z.int().min(0);
const reason = () => z.enum(["count_limit", "time_limit"]).optional();

/** What `data` holds in each category of tools; further fields are allowed. Built on first use: most hosts need none. */
export const dataSchemas = {
  /** Listing a directory. */
  ls: z.lazy(() => {
    const type = z.enum(["file", "dir", "link"]);
    const entry = z.looseObject({ path: filled(), type, size: count().optional(), mtime_ms: z.int().optional() });
    return z.looseObject({ entries: z.array(entry), truncated: truncated() });
  }),
  /** Finding files by name. */
  glob: z.lazy(() => z.looseObject({ paths: z.array(filled()), truncated: truncated(), aborted_reason: reason() })),
  /** Searching in files: one match per line. */
  grep: z.lazy(() => {
    const position = z.int().min(1);
    const match = z.looseObject({
      file: filled(),
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
      aborted_reason: reason(),
      fallback: z.string().optional(),
      fallback_reason: z.string().optional(),
    });
  }),
  /** Reading a file. */
  read: z.lazy(() =>
    z.looseObject({ content: z.string(), truncated: truncated(), fallback_encoding: z.string().optional() }),
  ),
  /** Changing a file; not applied means a dry run. */
  edit: z.lazy(() => {
    const operation = z.enum(["create", "update", "delete", "move"]);
    const lines = { lines_added: count().optional(), lines_removed: count().optional() };
    const changedFile = z.looseObject({ path: filled(), operation, from: filled().optional(), ...lines });
    return z.looseObject({
      applied: z.boolean(),
      operation: z.enum(["edit", "create", "update", "patch", "move", "copy", "delete", "undo"]).optional(),
      from: filled().optional(),
      path: filled().optional(),
      files: z.union([count(), z.array(changedFile)]).optional(),
      bytes: count().optional(),
      replacements: count().optional(),
      diff_preview: z.string().optional(),
      diff_truncated: z.boolean().optional(),
      fallback: z.string().optional(),
    });
  }),
} as const;

/** A category of tools that share the shape of their `data`. */
export type ToolCategory = keyof typeof dataSchemas;

export const CATEGORY_FIELDS = {
  ls: "entries",
  glob: "paths",
  grep: "matches",
  read: "content",
  edit: "applied",
} as const satisfies Record<ToolCategory, string>;

export const truncatedDataSchema = once(() => {
  const limit = z.int().min(1);
  const isRelative = (path: string) => relativePathProblem(path) === undefined;
  return z.strictObject({
    truncated: z.literal(true),
    truncation: z.strictObject({
      direction: z.enum(["head", "tail"]),
      max_lines: limit,
      max_bytes: limit,
      original_lines: count(),
      original_bytes: count(),
      kept_lines: count(),
      kept_bytes: count(),
      full_output_path: z.string().refine(isRelative, "Must be a POSIX path relative to the project root.").optional(),
    }),
    preview: z.string(),
  });
});

/** The `data` of an answer that was cut. */
export type TruncatedData = z.output<ReturnType<typeof truncatedDataSchema>>;

/** How an answer was cut. */
export type Truncation = TruncatedData["truncation"];
