import { echo, z } from "@fstools/protocol";
import { markedEncoding } from "./byte-order-mark.ts";
import { ENCODING_NAMES } from "./encoding-names.ts";
import { createIconvEncoding } from "./iconv.ts";
import { type TextEncoding, utf16Encoding, utf8Encoding } from "./text-encoding.ts";

const ENCODING_NAME = /^[a-z\d][\w.:() -]{0,39}$/iu;
const UTF8_NAMES: ReadonlySet<string> = new Set(["utf8", "utf8sig", "unicode11utf8"]);

/** Whether the name means UTF-8, which needs no conversion. */
export function isUtf8Name(name: string): boolean {
  return UTF8_NAMES.has(canonical(name));
}

/** Whether a file can be read in the encoding of this name. */
export function isKnownEncoding(name: string): boolean {
  return ENCODING_NAME.test(name) && (isUtf8Name(name) || ENCODING_NAMES.has(canonical(name)));
}

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

/** The encoding that the byte order mark of a file names, by its first bytes; UTF-8 where there is none. */
export function detectEncoding(head: Uint8Array): Promise<TextEncoding> {
  return encodingNamed(markedEncoding(head) ?? "utf-8", head);
}

/** A known encoding; `head`, the file's first bytes, decides the byte order where the name does not. */
export async function encodingNamed(name: string, head: Uint8Array): Promise<TextEncoding> {
  const plain = canonical(name);
  const mark = markedEncoding(head);
  if (UTF8_NAMES.has(plain)) return utf8Encoding(name, mark === "utf-8-sig" ? 3 : 0);
  const ordered = withByteOrder(plain, head);
  const markBytes = mark !== undefined && canonical(mark) === ordered ? (ordered.startsWith("utf16") ? 2 : 4) : 0;
  if (ordered === "utf16le" || ordered === "ucs2") return utf16Encoding(name, markBytes, false);
  if (ordered === "utf16be") return utf16Encoding(name, markBytes, true);
  const isEditable = !/^(?:utf7|iso2022|hz)/u.test(plain);
  return { name, isUtf8: false, isUtf16: false, isEditable, markBytes, ...(await createIconvEncoding(ordered)) };
}

// As iconv-lite reduces names, so that "Shift_JIS", "shift-jis" and "shiftjis" are equal.
function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/:\d{4}$|[^\da-z]/gu, "");
}

function withByteOrder(encoding: string, head: Uint8Array): string {
  if (encoding === "utf16") return isBigEndian(head, 2) ? "utf16be" : "utf16le";
  if (encoding === "utf32" || encoding === "ucs4") return isBigEndian(head, 4) ? "utf32be" : "utf32le";
  return encoding;
}

function isBigEndian(head: Uint8Array, unitBytes: 2 | 4): boolean {
  const mark = markedEncoding(head);
  if (mark?.startsWith(unitBytes === 2 ? "utf-16" : "utf-32")) return mark.endsWith("be");
  // The bytes of "\ufeff\0" in UTF-16 are also those of UTF-32's mark.
  if (unitBytes === 2 && mark === "utf-32le") return false;
  let leadingZeros = 0;
  let trailingZeros = 0;
  for (let at = 0; at + unitBytes <= head.length; at += unitBytes) {
    if (head[at] === 0) leadingZeros++;
    if (head[at + unitBytes - 1] === 0) trailingZeros++;
  }
  return leadingZeros > trailingZeros;
}
