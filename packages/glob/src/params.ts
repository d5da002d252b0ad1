import { once, z } from "@fstools/protocol";
import { booleanParam, DIRECTORY_ALIASES, limitParam, offsetParam, patternParam } from "@fstools/sandbox";

/** The most matches that one call returns. */
const MAX_LIMIT = 200;

/** The parameters of Glob, described for the model. */
export const globParams = once(() =>
  z.strictObject({
    pattern: patternParam("pattern")
      .refine((pattern) => pattern.trim() !== "", "Missing required parameter 'pattern'.")
      .describe("Glob pattern relative to the search root (path), e.g. '**/*.js'."),
    path: z
      .string({ error: "path must be a string." })
      .default(".")
      .describe("Directory to start search from (relative to project root)."),
    limit: limitParam(MAX_LIMIT).default(50).describe(`Max matches to return (1-${MAX_LIMIT}).`),
    include_hidden: booleanParam("include_hidden")
      .default(false)
      .describe("If true, include hidden files and directories."),
    include_ignored: booleanParam("include_ignored")
      .default(false)
      .describe("If true, traverse ignored directories (node_modules, dist, etc)."),
    offset: offsetParam().default(0).describe("Matches to skip."),
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
