import { Buffer, isAscii, isUtf8 } from "node:buffer";
import { leadByteLength, unfinishedBytes } from "../bytes/chunks.ts";

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

const LONE_SURROGATE = /\p{Surrogate}/u;
const EVERY_LONE_SURROGATE = /\p{Surrogate}/gu;
const BYTE_ORDER_MARK = "\ufeff";
const REPLACEMENT = "\ufffd";
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

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

/** UTF-8 under this name. */
export function utf8Encoding(name: string, markBytes: number): TextEncoding {
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

/** UTF-16 under this name. */
export function utf16Encoding(name: string, markBytes: number, isBigEndian: boolean): TextEncoding {
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
export function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(EVERY_LONE_SURROGATE, "\ufffd") : text;
}
