import { Buffer } from "node:buffer";
import { createRequire } from "node:module";
import type * as Iconv from "iconv-lite";
import { unfinishedBytes } from "../bytes/chunks.ts";
import { endlessRun } from "../page/problems.ts";

/** How the bytes of a file that is not UTF-8 become text. */
export interface Charset {
  /** Decodes bytes that begin and end between characters. */
  decode(bytes: Buffer): string;
  /**
   * How many bytes of a block, which begins between characters, end between characters too.
   * @throws ToolError EXECUTION_ERROR if the block has no such place
   */
  cleanLength(block: Buffer): number;
}

const ENCODING_NAME = /^[a-z\d][\w.:() -]{0,39}$/iu;
// Not character encodings, though iconv-lite has them.
const NOT_TEXT: ReadonlySet<string> = new Set(["hex", "base64", "binary"]);
const UTF8_NAMES: ReadonlySet<string> = new Set(["utf8", "utf8sig", "unicode11utf8"]);
const SPACE = 0x20;

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
  return {
    decode: (bytes) => {
      const { text, rest } = decodeParts(bytes, encoding);
      return text + rest;
    },
    cleanLength: cleanLengthFor(encoding),
  };
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

function cleanLengthFor(encoding: string): Charset["cleanLength"] {
  const unitBytes = iconv().encode("A", encoding, { addBOM: false }).length;
  if (unitBytes > 1) return (block) => block.length - (block.length % unitBytes);
  if (isSingleByte(encoding)) return (block) => block.length;
  if (encoding.startsWith("utf7")) return (block) => lengthUpToBlank(block) ?? stuck(encoding);
  if (encoding === "cesu8") return (block) => block.length - unfinishedBytes(block);
  return (block) => lengthUpToBlank(block) ?? block.length - heldBytes(block, encoding);
}

// A decoder that says something at once after any byte holds nothing back.
function isSingleByte(encoding: string): boolean {
  return Array.from({ length: 256 }, (_, byte) => Buffer.from([byte])).every((bytes) => {
    return iconv().getDecoder(encoding, { stripBOM: false }).write(bytes) !== "";
  });
}

// In every encoding that extends ASCII, a blank or control character is a character of its own and ends a shifted run.
function lengthUpToBlank(block: Buffer): number | undefined {
  for (let index = block.length - 1; index >= 0; index--) {
    if ((block[index] ?? 0) <= SPACE) return index + 1;
  }
  return undefined;
}

// A decoder of UTF-7 that holds nothing back may still be inside a shifted run, so only a blank will do.
function stuck(encoding: string): never {
  throw endlessRun(encoding);
}

// In the end a decoder says one character for each byte that it still held back.
function heldBytes(block: Buffer, encoding: string): number {
  return decodeParts(block, encoding).rest.length;
}

function decodeParts(bytes: Buffer, encoding: string): { readonly text: string; readonly rest: string } {
  const decoder = iconv().getDecoder(encoding, { stripBOM: false });
  const text = decoder.write(bytes);
  const rest: unknown = decoder.end();
  // The one for CESU-8 ends with the number 0, and adds U+FFFD to that if a character is unfinished.
  return { text, rest: typeof rest === "string" ? rest.replace(/^0(?=\ufffd)/u, "") : "" };
}
