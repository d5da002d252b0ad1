import { once, z } from "@fstools/protocol";
import { changeParams, FILE_ALIASES, filePathParam } from "@fstools/sandbox";

const CONTENT_MISSING = "Missing required parameter 'content'.";
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What a model may pass to Write. */
export const writeParams = once(() =>
  z.strictObject({
    path: filePathParam("The file, relative to the project root."),
    content: z
      .string({ error: ({ input }) => (input === undefined ? CONTENT_MISSING : "content must be a string.") })
      .refine((content) => !LONE_SURROGATE.test(content), {
        error: "content has half of a surrogate pair, which is not a character.",
      })
      .describe("The whole new content."),
    ...changeParams(),
  }),
);

/** A checked call of Write. */
export type WriteParams = z.output<ReturnType<typeof writeParams>>;

/** The parameters of Write in code. */
export type WriteInput = z.input<ReturnType<typeof writeParams>>;

/** Names that models use for Write's parameters, learned from other tools. */
export const writeAliases = {
  ...FILE_ALIASES,
  contents: "content",
  text: "content",
  file_text: "content",
} as const;
