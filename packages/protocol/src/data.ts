import { z } from "zod";
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
  const entry = z.looseObject({ path: z.string().min(1), type: z.enum(["file", "dir", "link"]) });
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
  const match = z.looseObject({ file: z.string().min(1), line: z.int().min(1), text: z.string() });
  return z.looseObject({ matches: z.array(match), truncated: truncated(), fallback: z.string().optional() });
});

const readData = once(() =>
  z.looseObject({ content: z.string(), truncated: truncated(), fallback_encoding: z.string().optional() }),
);

const editData = once(() => z.looseObject({ applied: z.boolean() }));

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

/** Whether a field says something: older tools also fill one in with `null`, `false` or "". */
export function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "";
}
