import { echo, z } from "@fstools/protocol";
import { isKnownEncoding } from "./named-encoding.ts";

const EXAMPLES = "utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252";

/** The parameter `encoding` of a tool: a character encoding that is known by its name. */
export function encodingParam(description: string) {
  return z
    .string({ error: "encoding must be a string." })
    .refine(isKnownEncoding, {
      error: ({ input }) => `Unknown encoding '${echo(String(input))}'. Examples: ${EXAMPLES}.`,
    })
    .optional()
    .describe(description);
}
