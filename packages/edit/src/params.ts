import { echo, z } from "@fstools/protocol";
import { isKnownEncoding } from "@fstools/text";

const PATH_MISSING = "Missing required parameter 'path'.";
const EDITS = "edits must be a non-empty list of { old_string, new_string }.";
const ENCODING_EXAMPLES = "utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252";

const mustBe = (name: string, type: string) => ({ error: `${name} must be ${type}.` });
const version = (name: string) => z.int(mustBe(name, "a whole number")).min(0, mustBe(name, "a whole number"));

/** What a model may pass to Edit. */
export const editParams = z.strictObject({
  path: z
    .string({ error: ({ input }) => (input === undefined ? PATH_MISSING : "path must be a string.") })
    .refine((path) => path !== "", PATH_MISSING)
    .describe("The file, relative to the project root."),
  old_string: z.string(mustBe("old_string", "a string")).optional().describe("Text to replace."),
  new_string: z.string(mustBe("new_string", "a string")).optional().describe("Text in its place."),
  replace_all: z.boolean(mustBe("replace_all", "a boolean")).default(false).describe("Replace every occurrence."),
  edits: z
    .array(
      z.strictObject(
        {
          old_string: z.string({ error: EDITS }),
          new_string: z.string({ error: EDITS }),
          replace_all: z.boolean({ error: EDITS }).default(false),
        },
        { error: EDITS },
      ),
      { error: EDITS },
    )
    .min(1, EDITS)
    .optional()
    .describe("Several replacements instead, all or none."),
  encoding: z
    .string(mustBe("encoding", "a string"))
    .refine(isKnownEncoding, { error: ({ input }) => unknownEncoding(input) })
    .optional()
    .describe("If not UTF-8."),
  dry_run: z.boolean(mustBe("dry_run", "a boolean")).default(false).describe("Only show the diff."),
  expected_mtime_ms: version("expected_mtime_ms").optional(),
  expected_size_bytes: version("expected_size_bytes").optional(),
});

/** A checked call of Edit. */
export type EditParams = z.output<typeof editParams>;

/** What a person passes to Edit. */
export type EditInput = z.input<typeof editParams>;

/** Names that models use for Edit's parameters, learned from other tools. */
export const editAliases = {
  file_path: "path",
  filePath: "path",
  filepath: "path",
  file: "path",
  file_name: "path",
  filename: "path",
  target_file: "path",
  absolute_path: "path",
  old_str: "old_string",
  oldString: "old_string",
  old_text: "old_string",
  oldText: "old_string",
  search: "old_string",
  new_str: "new_string",
  newString: "new_string",
  new_text: "new_string",
  newText: "new_string",
  replace: "new_string",
  replacement: "new_string",
  all: "replace_all",
  replaceAll: "replace_all",
  changes: "edits",
  charset: "encoding",
  dryRun: "dry_run",
} as const;

function unknownEncoding(input: unknown): string {
  return `Unknown encoding '${echo(String(input))}'. Examples: ${ENCODING_EXAMPLES}.`;
}
