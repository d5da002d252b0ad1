import { Buffer } from "node:buffer";
import { ErrorCode, escapeText } from "@fstools/protocol";
import type { Pacer, SandboxFile } from "@fstools/sandbox";
import { readChunks } from "./chunks.ts";
import { ReadFailedError } from "./errors.ts";
import { MAX_ATTACHMENT_BYTES } from "./limits.ts";

/** A file that comes back as itself rather than as text. */
export interface Attachment {
  readonly type: "file";
  readonly mime: string;
  /** A `data:` URL with the whole file in base64. */
  readonly url: string;
}

/** A kind of file that can be attached. */
export interface AttachmentKind {
  readonly mime: string;
  readonly label: "Image" | "PDF";
  /** Position → the bytes there, in Latin-1. */
  readonly magic: Readonly<Record<number, string>>;
}

const KINDS: readonly AttachmentKind[] = [
  { mime: "image/png", label: "Image", magic: { 0: "\x89PNG\r\n\x1a\n" } },
  { mime: "image/jpeg", label: "Image", magic: { 0: "\xff\xd8\xff" } },
  { mime: "image/gif", label: "Image", magic: { 0: "GIF8" } },
  { mime: "image/webp", label: "Image", magic: { 0: "RIFF", 8: "WEBP" } },
  { mime: "application/pdf", label: "PDF", magic: { 0: "%PDF-" } },
];

/** Tells by a file's first bytes, never by its name, whether it can be attached, and as what. */
export function attachmentKind(sample: Uint8Array): AttachmentKind | undefined {
  const start = Buffer.from(sample.subarray(0, 16)).toString("latin1");
  return KINDS.find(({ magic }) =>
    Object.entries(magic).every(([position, bytes]) => start.startsWith(bytes, Number(position))),
  );
}

/**
 * Reads a whole file into an attachment.
 * @throws ReadFailedError EXECUTION_ERROR if it is over 10 MiB
 */
export async function readAttachment(file: SandboxFile, { mime }: AttachmentKind, pacer: Pacer): Promise<Attachment> {
  if (file.size > MAX_ATTACHMENT_BYTES) throw tooLarge(file);
  const bytes = Buffer.alloc(file.size);
  let length = 0;
  for await (const chunk of readChunks(file, 0, pacer)) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return { type: "file", mime, url: `data:${mime};base64,${bytes.toString("base64", 0, length)}` };
}

function tooLarge({ path, size }: SandboxFile): ReadFailedError {
  const sizes = `${size} bytes is over the limit of ${MAX_ATTACHMENT_BYTES} bytes (10 MiB)`;
  return new ReadFailedError(ErrorCode.EXECUTION_ERROR, `Cannot attach ${escapeText(path.absolute)}: ${sizes}.`, {
    hint: "Ask for a smaller version of this file, such as a scaled-down image or a few pages of the document.",
  });
}
