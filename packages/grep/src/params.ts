import { once, z } from "@fstools/protocol";
import { booleanParam, DIRECTORY_ALIASES, integerParam, limitParam, offsetParam, patternParam } from "@fstools/sandbox";

const MAX_LIMIT = 200;
const MAX_CONTEXT = 20;
const CONTEXT = `context must be an integer between 0 and ${MAX_CONTEXT}.`;
const OUTPUT_MODE = 'output_mode must be "content", "files" or "count".';

/** The parameters of Grep, described for the model. */
export const grepParams = once(() =>
  z.strictObject({
    pattern: patternParam("pattern").refine((pattern) => pattern !== "", "Missing required parameter 'pattern'."),
    path: z.string({ error: "path must be a string." }).default(".").describe("Directory or file."),
    include: patternParam("include", "include must be a string if provided.")
      .refine((include) => include.trim() !== "", "include must not be empty.")
      .optional()
      .describe("Glob: '*.ts', 'src/**'."),
    case_sensitive: booleanParam("case_sensitive").default(false),
    literal: booleanParam("literal").default(false),
    output_mode: z
      .enum(["content", "files", "count", "files_with_matches"], { error: OUTPUT_MODE })
      .default("content")
      // The last one is another tool's word for "files": understood, but not offered.
      .meta({ enum: ["content", "files", "count"] })
      .transform((mode) => (mode === "files_with_matches" ? "files" : mode)),
    context: integerParam(CONTEXT, 0).max(MAX_CONTEXT, CONTEXT).default(0),
    multiline: booleanParam("multiline").default(false).describe("Match across lines."),
    limit: limitParam(MAX_LIMIT).default(100),
    offset: offsetParam().default(0),
    sort: z.enum(["path", "modified"], { error: 'sort must be "path" or "modified".' }).default("path"),
    include_hidden: booleanParam("include_hidden").default(false),
    include_ignored: booleanParam("include_ignored").default(false).describe("node_modules etc."),
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
