import { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import type * as Iconv from "iconv-lite";

/** How the bytes of a file that is not UTF-8 become text. */
export interface Charset {
  createDecoder(): Iconv.DecoderStream;
  /**
   * How many bytes of a block, which begins between characters, end between characters too.
   * Undefined if that can't be told; then the same decoder must go on.
   */
  cleanLength(block: Buffer): number | undefined;
}

const ENCODING_NAME = /^[a-z\d][\w.:() -]{0,39}$/iu;
// Not character encodings, though iconv-lite has them.
const NOT_TEXT: ReadonlySet<string> = new Set(["hex", "base64", "binary"]);
const UTF8_NAMES: ReadonlySet<string> = new Set(["utf8", "utf8sig", "unicode11utf8"]);
const RETURN = 0x0d;
const SPACE = 0x20;
const MAX_CHARACTER_BYTES = 4;

let loaded: typeof Iconv | undefined;

// Loaded when first used: it takes longer than reading a page of UTF-8.
function iconv(): typeof Iconv {
  if (loaded !== undefined) return loaded;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- `require` is typed as any; the package has types
  const module: typeof Iconv = createRequire(import.meta.url)("iconv-lite");
  loaded = module;
  return module;
}

/** Whether the name means UTF-8, which needs no conversion. */
export function isUtf8Name(name: string): boolean {
  return UTF8_NAMES.has(canonical(name));
}

/** Whether a file can be read in the encoding of this name. */
export function isKnownEncoding(name: string): boolean {
  if (!ENCODING_NAME.test(name) || NOT_TEXT.has(canonical(name))) return false;
  return isUtf8Name(name) || iconv().encodingExists(name);
}

/** The charset of a known encoding; `head`, the file's first bytes, decides the byte order where the name does not. */
export function createCharset(name: string, head: Uint8Array): Charset {
  const encoding = withByteOrder(canonical(name), head);
  const createDecoder = () => iconv().getDecoder(encoding, { stripBOM: false });
  return { createDecoder, cleanLength: cleanLengthFor(encoding, createDecoder) };
}

// As iconv-lite reduces names, so that "Shift_JIS", "shift-jis" and "shiftjis" are one.
function canonical(name: string): string {
  return name.toLowerCase().replaceAll(/:\d{4}$|[^\da-z]/gu, "");
}

function withByteOrder(encoding: string, head: Uint8Array): string {
  if (encoding === "utf16") return isBigEndian(head, 2) ? "utf16be" : "utf16le";
  if (encoding === "utf32" || encoding === "ucs4") return isBigEndian(head, 4) ? "utf32be" : "utf32le";
  return encoding;
}

function isBigEndian(head: Uint8Array, unitBytes: number): boolean {
  const [first = 0, second = 0, third = 0, fourth = 0] = head;
  const unit = unitBytes === 2 ? [first, second] : [first, second, third, fourth];
  const mark = Buffer.from(unit).toString("hex");
  if (/^(?:0000)?feff$/u.test(mark)) return true;
  if (/^fffe(?:0000)?$/u.test(mark)) return false;
  let leadingZeros = 0;
  let trailingZeros = 0;
  for (let at = 0; at + unitBytes <= head.length; at += unitBytes) {
    if (head[at] === 0) leadingZeros++;
    if (head[at + unitBytes - 1] === 0) trailingZeros++;
  }
  return leadingZeros > trailingZeros;
}

function cleanLengthFor(encoding: string, createDecoder: () => Iconv.DecoderStream): Charset["cleanLength"] {
  const unitBytes = iconv().encode("A", encoding, { addBOM: false }).length;
  if (unitBytes > 1) return (block) => block.length - (block.length % unitBytes);
  if (isSingleByte(encoding)) return (block) => block.length;
  // In UTF-7 a decoder that holds nothing back may still be inside a shifted run.
  const shifts = encoding.startsWith("utf7");
  return (block) => lengthUpToBlank(block) ?? (shifts ? undefined : completeLength(block, createDecoder));
}

function isSingleByte(encoding: string): boolean {
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  return iconv().decode(everyByte, encoding).length === everyByte.length;
}

// In every encoding that extends ASCII, a blank or control character is a character of its own and ends a shifted run.
function lengthUpToBlank(block: Buffer): number | undefined {
  for (let index = block.length - 1; index >= 0; index--) {
    const byte = block[index] ?? 0;
    if (byte <= SPACE && byte !== RETURN) return index + 1;
  }
  return undefined;
}

function completeLength(block: Buffer, createDecoder: () => Iconv.DecoderStream): number | undefined {
  for (let length = block.length; length > block.length - MAX_CHARACTER_BYTES && length > 0; length--) {
    const decoder = createDecoder();
    decoder.write(block.subarray(0, length));
    if ((decoder.end() ?? "") === "") return length;
  }
  return undefined;
}
