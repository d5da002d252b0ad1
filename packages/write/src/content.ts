import { Buffer } from "node:buffer";
import { countNewlines } from "@fstools/protocol";

type Encoding = "utf-8" | "utf-16le" | "utf-16be";

/** The byte order mark of a file, and what it says; a file without one is UTF-8. */
interface Mark {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

const MARKS: readonly Mark[] = [
  { encoding: "utf-8", bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", bytes: Buffer.from([0xfe, 0xff]) },
];
/** It begins like the one of UTF-16. */
const UTF_32LE_MARK = Buffer.from([0xff, 0xfe, 0, 0]);
const NO_MARK: Mark = { encoding: "utf-8", bytes: Buffer.alloc(0) };
const BYTE_ORDER_MARK = "\ufeff";
const HEAD_BYTES = 8192;

/** A text without a byte order mark, if it has one that the old file keeps anyway. */
export function withoutMark(content: string, old: Buffer): string {
  return markOf(old) !== NO_MARK && content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content;
}

/** The bytes of a text in the place of an old file, whose byte order mark and encoding are kept. */
export function encodeContent(text: string, old: Buffer): Buffer {
  const { encoding, bytes: mark } = markOf(old);
  if (encoding === "utf-8") return mark.length === 0 ? Buffer.from(text) : Buffer.concat([mark, Buffer.from(text)]);
  const units = Buffer.from(text, "utf16le");
  return Buffer.concat([mark, encoding === "utf-16be" ? units.swap16() : units]);
}

/** A whole text in UTF-8, its byte order mark included; undefined if it is binary. */
export function toUtf8(bytes: Buffer): Buffer | undefined {
  const { encoding } = markOf(bytes);
  if (encoding === "utf-8") return bytes.subarray(0, HEAD_BYTES).includes(0) ? undefined : bytes;
  return Buffer.from(decodeUtf16(bytes, encoding));
}

/**
 * How to read slices of a file that begins with `head` to find its line ends, even if it is not text; all slices but the
 * last have an even number of bytes.
 */
export function sliceDecoder(head: Buffer): (slice: Buffer) => string {
  const { encoding } = markOf(head);
  return (slice) => (encoding === "utf-8" ? slice.toString("latin1") : decodeUtf16(slice, encoding));
}

function decodeUtf16(bytes: Buffer, encoding: Encoding): string {
  const units = bytes.subarray(0, bytes.length & ~1);
  return (encoding === "utf-16be" ? Buffer.from(units).swap16() : units).toString("utf16le");
}

/** The number of lines of a text, which "\n", "\r\n" and a lone "\r" end. */
export function countLines(content: string): number {
  let count = countNewlines(content);
  for (let at = content.indexOf("\r"); at !== -1; at = content.indexOf("\r", at + 1)) {
    if (content[at + 1] !== "\n") count += 1;
  }
  return content === "" || /[\n\r]$/u.test(content) ? count : count + 1;
}

function markOf(bytes: Buffer): Mark {
  if (bytes.subarray(0, UTF_32LE_MARK.length).equals(UTF_32LE_MARK)) return NO_MARK;
  return MARKS.find(({ bytes: mark }) => bytes.subarray(0, mark.length).equals(mark)) ?? NO_MARK;
}
