import { z } from "zod";

const truncated = z.boolean().optional();

const lsEntry = z.looseObject({ path: z.string().min(1), type: z.enum(["file", "dir", "link"]) });
const grepMatch = z.looseObject({ file: z.string().min(1), line: z.int().min(1), text: z.string() });

/** What `data` holds in each category of tools; further fields are allowed. */
export const dataSchemas = {
  /** Listing a directory. */
  ls: z.looseObject({ entries: z.array(lsEntry), truncated }),
  /** Finding files by name. */
  glob: z.looseObject({
    paths: z.array(z.string().min(1)),
    truncated,
    aborted_reason: z.enum(["count_limit", "time_limit"]).optional(),
  }),
  /** Searching in files: one match per line. */
  grep: z.looseObject({ matches: z.array(grepMatch), truncated, fallback: z.string().optional() }),
  /** Reading a file. */
  read: z.looseObject({ content: z.string(), truncated, fallback_encoding: z.string().optional() }),
  /** Changing a file; not applied means a dry run. */
  edit: z.looseObject({ applied: z.boolean() }),
} as const;

/** A category of tools that share the shape of their `data`. */
export type ToolCategory = keyof typeof dataSchemas;

/** The field that each category is known by. */
export const CATEGORY_FIELDS = {
  ls: "entries",
  glob: "paths",
  grep: "matches",
  read: "content",
  edit: "applied",
} as const satisfies Record<ToolCategory, string>;

/** The fields of `data` because of which an answer counts as partial. */
export function discountFields(data: Readonly<Record<string, unknown>>): string[] {
  const { truncated: cut, applied, failed_items: failed } = data;
  return [
    ...(cut === true ? ["truncated"] : []),
    ...(applied === false ? ["applied"] : []),
    ...(Array.isArray(failed) && failed.length > 0 ? ["failed_items"] : []),
    ...["fallback", "fallback_encoding", "aborted_reason"].filter((field) => isNamed(data[field])),
  ];
}

function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}
