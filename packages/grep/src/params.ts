import { once, z } from "@fstools/protocol";
import { DIRECTORY_ALIASES, isShortPattern, MAX_PATTERN_CHARS } from "@fstools/sandbox";

/** The most matches, or files, that one call returns. */
const MAX_LIMIT = 200;

const MAX_CONTEXT = 20;

const LIMIT = `limit must be an integer between 1 and ${MAX_LIMIT}.`;
const CONTEXT = `context must be an integer between 0 and ${MAX_CONTEXT}.`;
const OFFSET = "offset must be a non-negative integer.";
const INCLUDE = "include must be a string if provided.";
const OUTPUT_MODE = 'output_mode must be "content", "files" or "count".';

/** The parameters of Grep, described for the model. */
export const grepParams = once(() =>
  z.strictObject({
    pattern: z
      .string({ error: "pattern must be a string." })
      .refine((pattern) => pattern !== "", { error: "Missing required parameter 'pattern'." })
      .refine(isShortPattern, { error: `pattern must be at most ${MAX_PATTERN_CHARS} characters long.` })
      .refine(hasNoNul, { error: "pattern must not contain a NUL byte." }),
    path: z.string({ error: "path must be a string." }).default(".").describe("Directory or file."),
    include: z
      .string({ error: INCLUDE })
      .refine((include) => include.trim() !== "", { error: "include must not be empty." })
      .refine(isShortPattern, { error: `include must be at most ${MAX_PATTERN_CHARS} characters long.` })
      .refine(hasNoNul, { error: "include must not contain a NUL byte." })
      .optional()
      .describe("Glob: '*.ts', 'src/**'."),
    case_sensitive: z.boolean({ error: "case_sensitive must be a boolean." }).default(false),
    literal: z.boolean({ error: "literal must be a boolean." }).default(false),
    output_mode: z
      .enum(["content", "files", "count", "files_with_matches"], { error: OUTPUT_MODE })
      .default("content")
      // The last one is another tool's word for "files": understood, but not offered.
      .meta({ enum: ["content", "files", "count"] })
      .transform((mode) => (mode === "files_with_matches" ? "files" : mode)),
    context: z.int({ error: CONTEXT }).min(0, CONTEXT).max(MAX_CONTEXT, CONTEXT).default(0),
    multiline: z.boolean({ error: "multiline must be a boolean." }).default(false).describe("Match across lines."),
    limit: z.int({ error: LIMIT }).min(1, LIMIT).max(MAX_LIMIT, LIMIT).default(100),
    offset: z.int({ error: OFFSET }).min(0, OFFSET).default(0),
    sort: z.enum(["path", "modified"], { error: 'sort must be "path" or "modified".' }).default("path"),
    include_hidden: z.boolean({ error: "include_hidden must be a boolean." }).default(false),
    include_ignored: z
      .boolean({ error: "include_ignored must be a boolean." })
      .default(false)
      .describe("node_modules etc."),
  }),
);

/** What a call to Grep says, checked and with defaults filled in. */
export type GrepParams = z.output<ReturnType<typeof grepParams>>;

/** What a person passes to Grep. */
export type GrepInput = z.input<ReturnType<typeof grepParams>>;

/** Names that models use for a parameter, and the parameter that they mean. */
export const grepAliases: Readonly<Record<string, string>> = {
  query: "pattern",
  regex: "pattern",
  search_term: "pattern",
  glob: "include",
  file_pattern: "include",
  include_pattern: "include",
  includes: "include",
  ...DIRECTORY_ALIASES,
  fixed_strings: "literal",
  mode: "output_mode",
  context_lines: "context",
  head_limit: "limit",
  max_results: "limit",
  max_matches: "limit",
  max_count: "limit",
  lines: "limit",
};

function hasNoNul(value: string): boolean {
  return !value.includes("\0");
}
