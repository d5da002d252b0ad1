import { z } from "@fstools/protocol";

const PATH_MISSING = "Missing required parameter 'path'.";
const CONTENT_MISSING = "Missing required parameter 'content'.";
const LONE_SURROGATE = /\p{Surrogate}/u;

const mustBe = (name: string, type: string) => ({ error: `${name} must be ${type}.` });
const version = (name: string) => z.int(mustBe(name, "a whole number")).min(0, mustBe(name, "a whole number"));

/** What a model may pass to Write. */
export const writeParams = z.strictObject({
  path: z
    .string({ error: ({ input }) => (input === undefined ? PATH_MISSING : "path must be a string.") })
    .refine((path) => path !== "", PATH_MISSING)
    .describe("The file, relative to the project root."),
  content: z
    .string({ error: ({ input }) => (input === undefined ? CONTENT_MISSING : "content must be a string.") })
    .refine((content) => !LONE_SURROGATE.test(content), {
      error: "content has half of a surrogate pair, which is not a character.",
    })
    .describe("The whole new content."),
  dry_run: z.boolean(mustBe("dry_run", "a boolean")).default(false).describe("Only show the diff."),
  expected_mtime_ms: version("expected_mtime_ms").optional(),
  expected_size_bytes: version("expected_size_bytes").optional(),
});

/** A checked call of Write. */
export type WriteParams = z.output<typeof writeParams>;

/** What a person passes to Write. */
export type WriteInput = z.input<typeof writeParams>;

/** Names that models use for Write's parameters, learned from other tools. */
export const writeAliases = {
  file_path: "path",
  filePath: "path",
  filepath: "path",
  file: "path",
  file_name: "path",
  filename: "path",
  target_file: "path",
  absolute_path: "path",
  contents: "content",
  text: "content",
  file_text: "content",
  fileText: "content",
  data: "content",
  dryRun: "dry_run",
} as const;
