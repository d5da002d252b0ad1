import { once, z } from "@fstools/protocol";
import { DIRECTORY_ALIASES, isShortPattern, MAX_PATTERN_CHARS } from "@fstools/sandbox";

/** The most matches that one call returns. */
const MAX_LIMIT = 200;

const MISSING_PATTERN = "Missing required parameter 'pattern'.";
const PATTERN_TOO_LONG = `pattern must be at most ${MAX_PATTERN_CHARS} characters long.`;
const PATTERN_WITH_NUL = "pattern must not contain a NUL byte.";
const OFFSET = "offset must be a non-negative integer.";
const LIMIT = `limit must be an integer between 1 and ${MAX_LIMIT}.`;

/** The parameters of Glob, described for the model. */
export const globParams = once(() =>
  z.strictObject({
    pattern: z
      .string({ error: "pattern must be a string." })
      .refine((pattern) => pattern.trim() !== "", { error: MISSING_PATTERN })
      .refine(isShortPattern, { error: PATTERN_TOO_LONG })
      .refine((pattern) => !pattern.includes("\0"), { error: PATTERN_WITH_NUL })
      .describe("Glob pattern relative to the search root (path), e.g. '**/*.js'."),
    path: z
      .string({ error: "path must be a string." })
      .default(".")
      .describe("Directory to start search from (relative to project root)."),
    limit: z
      .int({ error: LIMIT })
      .min(1, LIMIT)
      .max(MAX_LIMIT, LIMIT)
      .default(50)
      .describe(`Max matches to return (1-${MAX_LIMIT}).`),
    include_hidden: z
      .boolean({ error: "include_hidden must be a boolean." })
      .default(false)
      .describe("If true, include hidden files and directories."),
    include_ignored: z
      .boolean({ error: "include_ignored must be a boolean." })
      .default(false)
      .describe("If true, traverse ignored directories (node_modules, dist, etc)."),
    offset: z.int({ error: OFFSET }).min(0, OFFSET).default(0).describe("Matches to skip."),
  }),
);

/** The parameters of a call to Glob, checked and with defaults filled in. */
export type GlobParams = z.output<ReturnType<typeof globParams>>;

/** The parameters of Glob in code. */
export type GlobInput = z.input<ReturnType<typeof globParams>>;

/** Names that models use for a parameter, and the parameter that they mean. */
export const globAliases: Readonly<Record<string, string>> = {
  glob: "pattern",
  glob_pattern: "pattern",
  query: "pattern",
  regex: "pattern",
  file_pattern: "pattern",
  include: "pattern",
  ...DIRECTORY_ALIASES,
  max_results: "limit",
  head_limit: "limit",
  lines: "limit",
  show_hidden: "include_hidden",
};

/** Names that models try, and what to do instead. */
export const globNotParameters = {
  recursive: "Put '**/' in front of 'pattern' to search below 'path'.",
  depth: "Write one '*/' for each level in 'pattern'.",
  max_depth: "Write one '*/' for each level in 'pattern'.",
  case_sensitive: "Case always matters; write '[aA]' for either.",
  exclude: "Narrow 'pattern' or 'path' instead.",
  ignore: "Narrow 'pattern' or 'path' instead.",
};
