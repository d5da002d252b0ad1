import { echo, ErrorCode, ToolError, z } from "@fstools/protocol";
import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { leadByteLength, readFully, unfinishedBytes, type ByteSource } from "../bytes/chunks.ts";
import { TextError } from "../error.ts";
import { ENCODING_NAMES } from "./encoding-names.ts";
import { createIconvEncoding } from "./iconv.ts";

/** How the bytes of a file become text, and text becomes bytes. */
export interface TextEncoding {
  /** As the caller or the byte order mark names it; "utf-8" without either. */
  readonly name: string;
  readonly isUtf8: boolean;
  readonly isUtf16: boolean;
  /** Whether text in the middle can be replaced: not if the meaning of a byte depends on what came before. */
  readonly isEditable: boolean;
  /** The length of the byte order mark at the front of the file. */
  readonly markBytes: number;
  /** Decodes bytes that begin and end between characters; the text is well-formed, bad bytes become U+FFFD. */
  decode(bytes: Buffer): string;
  /** The bytes of a text, without a byte order mark; characters that the encoding lacks are replaced. */
  encode(text: string): Buffer;
  /**
   * How many bytes of a block, which begins between characters, end between characters too.
   * @throws TextError "endless_run" if the block has no such place
   */
  cleanLength(block: Buffer): number;
  /** The length of the character that begins at a place in some bytes; undefined where that cannot be told. */
  characterBytes(bytes: Buffer, at: number): number | undefined;
}

/** An encoding that a byte order mark can name. */
export type MarkedEncoding = "utf-8-sig" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** How many bytes at the front of a file decide whether it is text. */
export const HEAD_BYTES = 8192;

const ENCODING_NAME = /^[a-z\d][\w.:() -]{0,39}$/iu;
const UTF8_NAMES: ReadonlySet<string> = new Set(["utf8", "utf8sig", "unicode11utf8"]);
const EXAMPLES = "utf-16le, gb18030, shift_jis, big5, euc-kr, windows-1252";
const LONE_SURROGATE = /\p{Surrogate}/u;
const EVERY_LONE_SURROGATE = /\p{Surrogate}/gu;
const BYTE_ORDER_MARK = "\ufeff";
const REPLACEMENT = "\ufffd";
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The encoding that the byte order mark at the front of a file names; undefined where there is none. */
export function markedEncoding(head: Uint8Array): MarkedEncoding | undefined {
  const [first, second, third, fourth] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8-sig";
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return "utf-32be";
  return undefined;
}

/** Whether a file is binary, by its first {@link HEAD_BYTES}: a NUL, unless a byte order mark says that it is UTF-16. */
export function isBinary(head: Uint8Array): boolean {
  return head.includes(0) && !isUtf16(markedEncoding(head));
}

/** Whether a byte order mark says that the file is text in UTF-16. */
export function isUtf16(marked: MarkedEncoding | undefined): marked is "utf-16le" | "utf-16be" {
  return marked === "utf-16le" || marked === "utf-16be";
}

/** Whether the name means UTF-8, which needs no conversion. */
export function isUtf8Name(name: string): boolean {
  return UTF8_NAMES.has(canonical(name));
}

/** Whether a file can be read in the encoding of this name. */
export function isKnownEncoding(name: string): boolean {
  return ENCODING_NAME.test(name) && (isUtf8Name(name) || ENCODING_NAMES.has(canonical(name)));
}

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
  const codec = await createIconvEncoding(ordered);
  const decode = (bytes: Buffer) => wellFormed(codec.decode(bytes));
  return { name, isUtf8: false, isUtf16: false, isEditable, markBytes, ...codec, decode };
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

function utf8Encoding(name: string, markBytes: number): TextEncoding {
  return {
    name,
    isUtf8: true,
    isUtf16: false,
    isEditable: true,
    markBytes,
    decode: (bytes) => (isAscii(bytes) ? bytes.toString("latin1") : utf8.decode(bytes)),
    encode: (text) => Buffer.from(text),
    cleanLength: (block) => block.length - unfinishedBytes(block),
    characterBytes: utf8CharacterBytes,
  };
}

/** Bad bytes that become one U+FFFD together count as one character. */
function utf8CharacterBytes(bytes: Buffer, at: number): number {
  const length = leadByteLength(bytes[at] ?? 0);
  const character = bytes.subarray(at, at + length);
  if (character.length === length && isUtf8(character)) return length;
  for (let count = character.length; count > 1; count--) {
    if (utf8.decode(bytes.subarray(at, at + count)) === REPLACEMENT) return count;
  }
  return 1;
}

function utf16Encoding(name: string, markBytes: number, isBigEndian: boolean): TextEncoding {
  const swapped = (bytes: Buffer): Buffer => {
    return isBigEndian ? Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16() : bytes;
  };
  // The high byte of a unit tells whether it is half of a pair.
  const endsWithHalf = (bytes: Buffer, at: number): boolean => {
    const lead = bytes[at - (isBigEndian ? 2 : 1)] ?? 0;
    return lead >= 0xd8 && lead <= 0xdb;
  };
  return {
    name,
    isUtf8: false,
    isUtf16: true,
    isEditable: true,
    markBytes,
    decode: (bytes) => wellFormed(swapped(bytes).toString("utf16le")),
    encode: (text) => swapped(Buffer.from(text, "utf16le")),
    cleanLength: (block) => {
      const length = block.length & ~1;
      return endsWithHalf(block, length) ? length - 2 : length;
    },
    characterBytes: (bytes, at) => (endsWithHalf(bytes, at + 2) ? 4 : 2),
  };
}

/** A text in which halves of pairs that stand alone are U+FFFD. */
function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(EVERY_LONE_SURROGATE, REPLACEMENT) : text;
}

/** Decodes a whole file, without its byte order mark. */
export function decodeText(encoding: TextEncoding, bytes: Buffer): string {
  const text = encoding.decode(bytes);
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Whether an encoding has bytes for every character of a text; no encoding has any for half a surrogate pair. */
export function canEncode(encoding: TextEncoding, text: string): boolean {
  if (LONE_SURROGATE.test(text)) return false;
  return encoding.isUtf8 || encoding.decode(encoding.encode(text)) === text;
}

/** Whether {@link TextEncoding.decode} had to replace nothing in these bytes; `text` is its result. */
export function isFlawless(encoding: TextEncoding, bytes: Buffer, text: string): boolean {
  return encoding.isUtf8 ? isUtf8(bytes) : !text.includes(REPLACEMENT);
}

/**
 * The text of a file from a position between two characters, block by block, and where each block ends in the file; a byte
 * order mark is left out. No block ends inside a character, so decoding can start anew after each.
 */
export function* textPieces(
  source: ByteSource,
  encoding: TextEncoding,
  startByte: number,
  blockBytes: number,
): Generator<{ readonly text: string; readonly endByte: number }> {
  const memory = Buffer.allocUnsafeSlow(Math.min(blockBytes, source.size - startByte));
  for (let byte = startByte; byte < source.size;) {
    const block = readFully(source, memory.subarray(0, source.size - byte), byte);
    const isLast = byte + block.length === source.size;
    // Each block on its own: iconv-lite's decoders lose characters at the border if they continue from block to block.
    const bytes = isLast ? block : block.subarray(0, encoding.cleanLength(block));
    const text = encoding.decode(bytes);
    const isMarked = byte === 0 && text.startsWith(BYTE_ORDER_MARK);
    byte += bytes.length;
    yield { text: isMarked ? text.slice(1) : text, endByte: byte };
  }
}

// What a file is, and the bytes at its front that say so, in Latin-1.
/* eslint-disable no-control-regex -- magic bytes often are control characters */
const KINDS: readonly (readonly [kind: string, bytes: RegExp])[] = [
  ["a PNG image", /^\x89PNG\r\n\x1a\n/u],
  ["a JPEG image", /^\xff\xd8\xff/u],
  ["a GIF image", /^GIF8/u],
  ["a WebP image", /^RIFF.{4}WEBP/su],
  ["a TIFF image", /^(?:II\*\0|MM\0\*)/u],
  ["a Photoshop image", /^8BPS/u],
  ["an icon", /^\0\0\x01\0/u],
  ["a PDF document", /^%PDF-/u],
  ["a zip archive", /^PK(?:\x03\x04|\x05\x06)/u],
  ["a gzip archive", /^\x1f\x8b/u],
  ["a bzip2 archive", /^BZh/u],
  ["an xz archive", /^\xfd7zXZ\0/u],
  ["a Zstandard archive", /^\x28\xb5\x2f\xfd/u],
  ["a 7-Zip archive", /^7z\xbc\xaf\x27\x1c/u],
  ["a RAR archive", /^Rar!\x1a\x07/u],
  ["a tar archive", /^.{257}ustar/su],
  ["an ELF executable", /^\x7fELF/u],
  ["a Mach-O executable", /^(?:[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\xca\xfe\xba\xbf)/u],
  ["a Windows executable", /^MZ/u],
  ["a WebAssembly module", /^\0asm/u],
  ["an SQLite database", /^SQLite format 3\0/u],
  ["a Git pack", /^PACK/u],
  ["a Microsoft Office document", /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/u],
  ["a Java class or a Mach-O executable", /^\xca\xfe\xba\xbe/u],
  ["an audio file", /^ID3/u],
  ["a WAV audio file", /^RIFF.{4}WAVE/su],
  ["a FLAC audio file", /^fLaC/u],
  ["an Ogg file", /^OggS/u],
  ["an AVIF image", /^.{4}ftypavi/su],
  ["a HEIC image", /^.{4}ftyp(?:hei|hev|mif1|msf1)/su],
  ["an M4A audio file", /^.{4}ftypM4[AB]/su],
  ["a QuickTime video", /^.{4}ftypqt/su],
  ["an MP4 video", /^.{4}ftyp/su],
  ["a Matroska video", /^\x1a\x45\xdf\xa3/u],
  ["a WOFF font", /^wOFF/u],
  ["a WOFF2 font", /^wOF2/u],
  ["an OpenType font", /^OTTO/u],
  ["a TrueType font", /^\0\x01\0\0/u],
];
/* eslint-enable no-control-regex */

/** What the magic bytes at the front of a file say, as in "It is a PNG image."; undefined if they say nothing. */
export function fileKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  return KINDS.find(([, bytes]) => bytes.test(text))?.[0];
}

const PDF = Buffer.from("%PDF-");

/** Many PDF files begin with text, and may have no NUL, but none is meant to be read as text. */
function isNotText(head: Uint8Array): boolean {
  return isBinary(head) || PDF.equals(head.subarray(0, PDF.length));
}

/** What is known about a file's encoding before it is read. */
export interface EncodingRequest {
  /** The caller's choice; undefined to test for UTF-8. */
  readonly encoding: string | undefined;
  /** Tried in this order on what is not UTF-8. */
  readonly fallbackEncodings: readonly string[];
}

/** A text whose encoding is settled. */
export interface SettledText<Found> {
  /** The encoding by its name, with how bad bytes were handled. */
  readonly encodingName: string;
  /** Set if the file is not the UTF-8 that it should be: "replace", or the encoding that was used instead. */
  readonly fallback?: string;
  readonly encoding: TextEncoding;
  readonly found: Found;
}

/** Settles a file's encoding by its first bytes, and by trying. @throws TextError "binary" */
export async function settleEncoding<Found extends { readonly isFlawless: boolean }>(
  head: Uint8Array,
  request: EncodingRequest,
  attempt: (encoding: TextEncoding, stopAtFlaw: boolean) => Found | Promise<Found>,
): Promise<SettledText<Found>> {
  const readAs = async (name: string, stopAtFlaw = false): Promise<SettledText<Found>> => {
    const encoding = await encodingNamed(name, head);
    return { encodingName: name, encoding, found: await attempt(encoding, stopAtFlaw) };
  };
  if (request.encoding !== undefined) return readAs(request.encoding);
  const marked = markedEncoding(head);
  if (isUtf16(marked)) return readAs(marked);
  if (isNotText(head)) throw new TextError({ reason: "binary", kind: fileKind(head), markedEncoding: marked });
  const text = await readAs(marked ?? "utf-8");
  if (text.found.isFlawless) return text;
  for (const fallback of request.fallbackEncodings) {
    const other = await readAs(fallback, true);
    if (other.found.isFlawless) return { ...other, fallback };
  }
  return asReplaced(text);
}

/** A text in UTF-8 some of whose bytes are shown as U+FFFD. */
export function asReplaced<Found>(text: SettledText<Found>): SettledText<Found> {
  return { ...text, encodingName: "utf-8 (replace)", fallback: "replace" };
}

/**
 * The encoding in which a file is changed: the one that is named, else what its first bytes say. `hint` is for a file of an
 * unknown kind that looks binary.
 * @throws ToolError BINARY_FILE, or INVALID_PARAM if it cannot be changed piece by piece
 */
export async function editableEncoding(
  bytes: Buffer,
  path: string,
  hint: string,
  named?: string,
): Promise<TextEncoding> {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (named === undefined && isNotText(head)) {
    const kind = fileKind(head);
    throw new ToolError(ErrorCode.BINARY_FILE, `File '${echo(path)}' appears to be binary.`, {
      hint: kind === undefined ? hint : `It is ${kind}.`,
    });
  }
  const encoding = await (named === undefined ? detectEncoding(head) : encodingNamed(named, head));
  if (encoding.isEditable) return encoding;
  throw new ToolError(ErrorCode.INVALID_PARAM, `Files in ${echo(encoding.name)} cannot be edited.`, {
    hint: "In this encoding a byte means something else after a change before it. Replace the whole file instead.",
  });
}
