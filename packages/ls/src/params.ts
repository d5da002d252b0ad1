import { once, z } from "@fstools/protocol";
import { booleanParam, DIRECTORY_ALIASES, limitParam, offsetParam } from "@fstools/sandbox";

/** The most entries that one call returns. */
const MAX_LIMIT = 200;

const MAX_IGNORE_PATTERNS = 200;

/** Past this, matching a single name could block the event loop. */
const MAX_IGNORE_CHARS = 16_384;

const SORT = 'sort must be "name", "size" or "modified".';
const IGNORE = "ignore must be a list of glob patterns.";
const IGNORE_TOO_MANY = `ignore must be a list of at most ${MAX_IGNORE_PATTERNS} glob patterns.`;
const IGNORE_TOO_LONG = `ignore must be a list of glob patterns of at most ${MAX_IGNORE_CHARS} characters in all.`;

/** The parameters of LS, described for the model. */
export const lsParams = once(() =>
  z.strictObject({
    path: z
      .string({ error: "path must be a string." })
      .default(".")
      .describe("Directory path to list (relative to project root or absolute within it)."),
    offset: offsetParam().default(0).describe("Pagination start index (>=0)."),
    limit: limitParam(MAX_LIMIT).default(100).describe(`Max items to return (1-${MAX_LIMIT}).`),
    include_hidden: booleanParam("include_hidden")
      .default(false)
      .describe("Whether to include hidden files (starting with '.')."),
    ignore: z
      .array(z.string({ error: IGNORE }), { error: IGNORE })
      .refine((patterns) => patterns.length <= MAX_IGNORE_PATTERNS, { error: IGNORE_TOO_MANY, abort: true })
      .refine((patterns) => patterns.join("").length <= MAX_IGNORE_CHARS, { error: IGNORE_TOO_LONG })
      .nullable()
      .default(null)
      .describe("Optional list of glob patterns to ignore."),
    sort: z.enum(["name", "size", "modified"], { error: SORT }).default("name").describe("Largest or newest first."),
  }),
);

/** The parameters of a call to LS, checked and with defaults filled in. */
export type LsParams = z.output<ReturnType<typeof lsParams>>;

/** The parameters of LS in code. */
export type LsInput = z.input<ReturnType<typeof lsParams>>;

/** Names that models use for a parameter, and the parameter that they mean. */
export const lsAliases: Readonly<Record<string, string>> = {
  ...DIRECTORY_ALIASES,
  start_line: "offset",
  max_results: "limit",
  lines: "limit",
  show_hidden: "include_hidden",
  exclude: "ignore",
  excludes: "ignore",
  exclude_patterns: "ignore",
};

/** Names that models try, and what to do instead. */
export const lsNotParameters = {
  recursive: searchBelow,
  depth: searchBelow,
  max_depth: searchBelow,
};

function searchBelow(has: (tool: string) => boolean): string {
  return `LS lists one directory. ${has("Glob") ? "Use Glob with pattern '**' to see what is below it." : "Call it for each one."}`;
}
