import { ErrorCode, escapeText } from "@fstools/protocol";
import type { SandboxFile } from "@fstools/sandbox";
import { fileKind } from "@fstools/text";
import { ReadFailedError } from "./errors.ts";
import type { Flavour } from "./flavour.ts";

/** A file that comes back as itself rather than as text. */
export interface Attachment {
  readonly type: "file";
  readonly mime: string;
  /** A `data:` URL with the whole file in base64. */
  readonly url: string;
}

const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
const MAX_CONTROL_SHARE = 0.3;

/** The type of an image or PDF, by a file's first bytes, and in some flavours by its extension. */
export function mediaType(path: string, sample: Uint8Array, { mediaByExtension }: Flavour): string | undefined {
  const kind = /^a (PNG|JPEG|GIF|WebP|PDF) /u.exec(fileKind(sample) ?? "")?.[1];
  const byExtension = mediaByExtension ? /^\.(png|jpg|jpeg|jpe|gif|webp|pdf)$/u.exec(extension(path))?.[1] : undefined;
  const type = (kind ?? byExtension)?.toLowerCase().replace(/^jpe?g?$/u, "jpeg");
  return type && `${type === "pdf" ? "application" : "image"}/${type}`;
}

/** Whether a file is binary by its extension, or by its first bytes: a NUL, or too many control characters. */
export function isBinaryFile(path: string, sample: Uint8Array, { binaryExtensions }: Flavour): boolean {
  if (binaryExtensions.has(extension(path)) || sample.includes(0)) return true;
  const controls = sample.reduce((count, byte) => (byte < 9 || (byte > 13 && byte < 32) ? count + 1 : count), 0);
  return controls > sample.length * MAX_CONTROL_SHARE;
}

/** Reads a whole file into an attachment. @throws ReadFailedError EXECUTION_ERROR if it is over 10 MiB */
export function readAttachment(file: SandboxFile, mime: string): Attachment {
  const { path, size } = file;
  if (size > MAX_ATTACHMENT_BYTES) {
    const sizes = `${size} bytes is over the limit of ${MAX_ATTACHMENT_BYTES} bytes (10 MiB)`;
    throw new ReadFailedError(ErrorCode.EXECUTION_ERROR, `Cannot attach ${escapeText(path.absolute)}: ${sizes}.`, {
      hint: "Ask for a smaller version of this file, such as a scaled-down image or a few pages of the document.",
    });
  }
  return { type: "file", mime, url: `data:${mime};base64,${file.head(size).toString("base64")}` };
}

function extension(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  // A dot at the start makes a hidden file, not an extension.
  return dot > 0 ? name.slice(dot).toLowerCase() : "";
}
