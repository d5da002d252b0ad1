import { Buffer } from "node:buffer";
import { createPacer } from "@fstools/sandbox";
import { detectEncoding, type EditableText, encodingNamed, readEditable } from "../../src/index.ts";

export const pacer = createPacer();

/** A file of this content as text that can be edited. */
export async function editable(content: string | Buffer, encoding?: string): Promise<EditableText> {
  const bytes = Buffer.from(content);
  return readEditable(
    bytes,
    encoding === undefined ? await detectEncoding(bytes) : await encodingNamed(encoding, bytes),
    pacer,
  );
}
