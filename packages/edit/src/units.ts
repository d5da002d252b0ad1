import { Buffer } from "node:buffer";
import type { Pacer } from "@fstools/sandbox";
import { createLineMap, type LineMap, type TextEncoding } from "@fstools/text";

/**
 * A file as a string in which text is found: one unit for each byte of UTF-8 and for each two of UTF-16, so that bytes
 * that are not text keep their place; characters in other encodings. Every line end is "\n".
 */
export interface Units {
  readonly encoding: TextEncoding;
  readonly bytes: Buffer;
  readonly text: string;
  /** The first place of a part of the text, or -1; what is nowhere is not looked for twice. */
  readonly find: (part: string) => number;
  /** What to look for where a caller wrote `text`. */
  readonly from: (text: string) => string;
  /** A part of the file, as people read it. */
  readonly show: (part: string) => string;
  /** The byte at which a unit begins; undefined inside a character. */
  readonly byteAt: (index: number) => number | undefined;
  /** The line end that the "\n" at an index replaces. */
  readonly lineEndAt: (index: number) => LineEnd;
  /** Whether all line ends are "\n", so that none has to be looked up. */
  readonly isPlain: boolean;
}

/** What ends a line. */
export type LineEnd = "\n" | "\r\n" | "\r";

const BLOCK_BYTES = 32 * 1024;
const BLOCK_UNITS = 256 * 1024;
const MAX_CHARACTER_BYTES = 8;
const MAX_ABSENT = 64;
const MAX_WORDS_UNITS = 4096;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Makes every line end of a text "\n". */
export function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/gu, "\n") : text;
}

/** The units of a whole file, in slices that do not block the event loop. */
export async function createUnits(bytes: Buffer, encoding: TextEncoding, pacer: Pacer): Promise<Units> {
  const raw = await rawUnits(bytes, encoding, pacer);
  if (pacer.due()) await pacer.rest();
  const lines = await plainLines(raw.text, pacer);
  return {
    encoding,
    bytes,
    text: lines.text,
    find: createFinder(lines.text),
    from: raw.from,
    show: raw.show,
    byteAt: (index) => raw.byteAt(index + countBefore(lines.pairs, index)),
    lineEndAt: (index) => (has(lines.pairs, index) ? "\r\n" : has(lines.returns, index) ? "\r" : "\n"),
    isPlain: lines.pairs.length + lines.returns.length === 0,
  };
}

/**
 * A look through a whole file takes milliseconds, and an edit that fits nowhere needs several. Each begins with a word,
 * which is found faster than what it stands in; and if it is nowhere, nothing is that has it.
 */
function createFinder(text: string): Units["find"] {
  const absent: string[] = [];
  const look = (part: string, from: number): number => {
    const at = text.indexOf(part, from);
    if (at === -1 && absent.length < MAX_ABSENT) absent.push(part);
    return at;
  };
  return (part) => {
    if (absent.some((known) => part.includes(known))) return -1;
    const word = part.length > MAX_WORDS_UNITS ? "" : longestWord(part);
    const at = look(word, 0);
    return at === -1 || word === part ? at : look(part, Math.max(0, at - part.indexOf(word)));
  };
}

/** The longest run of letters and digits in a text; the first of several. */
export function longestWord(text: string): string {
  return text.split(/[\s!-/:-@[-`{-~]+/u).reduce((best, word) => (word.length > best.length ? word : best), "");
}

type RawUnits = Pick<Units, "text" | "from" | "show" | "byteAt">;

async function rawUnits(bytes: Buffer, encoding: TextEncoding, pacer: Pacer): Promise<RawUnits> {
  const { markBytes } = encoding;
  const content = bytes.subarray(markBytes);
  if (encoding.isUtf8) {
    return {
      text: content.toString("latin1"),
      from: (text) => Buffer.from(text).toString("latin1"),
      show: (part) => encoding.decode(Buffer.from(part, "latin1")),
      byteAt: (index) => markBytes + index,
    };
  }
  if (encoding.encode("\u1234").length === 2 && encoding.encode("ab").length === 4) {
    const isBigEndian = encoding.encode("a")[0] === 0;
    const whole = content.subarray(0, content.length & ~1);
    return {
      text: (isBigEndian ? Buffer.from(whole).swap16() : whole).toString("utf16le"),
      from: (text) => text,
      show: (part) => part.replaceAll(LONE_SURROGATE, "\ufffd"),
      byteAt: (index) => markBytes + 2 * index,
    };
  }
  return decodedUnits(content, encoding, pacer);
}

/** Whole lines, decoded together. */
interface Block {
  readonly firstLine: number;
  readonly lastLine: number;
  /** Where its text begins. */
  readonly unit: number;
}

/** In blocks of whole lines, since only line ends are certain to be character boundaries. */
async function decodedUnits(content: Buffer, encoding: TextEncoding, pacer: Pacer): Promise<RawUnits> {
  const { markBytes } = encoding;
  const map = createLineMap({ ...encoding, markBytes: 0 }, content);
  const blocks: Block[] = [];
  const texts: string[] = [];
  let length = 0;
  for (let firstLine = 1; firstLine <= map.lines;) {
    const start = map.startOf(firstLine);
    const lastLine = Math.max(firstLine, Math.min(map.lines, map.lineAt(start + BLOCK_BYTES) - 1));
    const text = encoding.decode(content.subarray(start, map.startOf(lastLine + 1)));
    blocks.push({ firstLine, lastLine, unit: length });
    texts.push(text);
    length += text.length;
    firstLine = lastLine + 1;
    if (pacer.due()) await pacer.rest();
  }
  const starts = blocks.map(({ unit }) => unit);
  const lineStarts = createLineStarts(content, encoding, map);
  const byteAt = (index: number): number | undefined => {
    if (index >= length) return index === length ? markBytes + content.length : undefined;
    const block = blocks[countBefore(starts, index + 1) - 1] ?? { firstLine: 1, lastLine: 1, unit: 0 };
    const units = lineStarts(block);
    const lineInBlock = Math.max(1, countBefore(units, index + 1)) - 1;
    let at = map.startOf(block.firstLine + lineInBlock);
    let unit = units[lineInBlock] ?? 0;
    while (unit < index) {
      const character = characterAt(content, encoding, at);
      unit += encoding.decode(character).length;
      at += character.length;
    }
    return unit === index ? markBytes + at : undefined;
  };
  return { text: texts.join(""), from: (text) => text, show: (part) => part, byteAt };
}

/** Where the text of each line of a block begins; most questions are about the block that was asked for last. */
function createLineStarts(content: Buffer, encoding: TextEncoding, map: LineMap): (block: Block) => readonly number[] {
  let last: { readonly block: Block; readonly starts: readonly number[] } | undefined;
  return (block) => {
    if (last?.block === block) return last.starts;
    const starts: number[] = [];
    let unit = block.unit;
    for (let line = block.firstLine; line <= block.lastLine; line += 1) {
      starts.push(unit);
      unit += encoding.decode(content.subarray(map.startOf(line), map.startOf(line + 1))).length;
    }
    last = { block, starts };
    return starts;
  };
}

function characterAt(bytes: Buffer, encoding: TextEncoding, at: number): Buffer {
  const rest = bytes.subarray(at, at + MAX_CHARACTER_BYTES);
  for (let length = 1; length < rest.length; length += 1) {
    const character = rest.subarray(0, length);
    if (encoding.isBoundary(character, length)) return character;
  }
  return rest;
}

interface PlainLines {
  readonly text: string;
  /** Where "\n" replaces "\r\n", in order. */
  readonly pairs: readonly number[];
  /** Where it replaces a lone "\r". */
  readonly returns: readonly number[];
}

async function plainLines(raw: string, pacer: Pacer): Promise<PlainLines> {
  const pairs: number[] = [];
  const returns: number[] = [];
  if (!raw.includes("\r")) return { text: raw, pairs, returns };
  const parts: string[] = [];
  for (let from = 0; from < raw.length;) {
    const cut = from + BLOCK_UNITS;
    const end = raw[cut - 1] === "\r" && raw[cut] === "\n" ? cut + 1 : cut;
    const block = raw.slice(from, end);
    for (let at = block.indexOf("\r"); at !== -1; at = block.indexOf("\r", at + 1)) {
      (block[at + 1] === "\n" ? pairs : returns).push(from + at - pairs.length);
    }
    parts.push(block.replaceAll(/\r\n?/gu, "\n"));
    from = end;
    if (pacer.due()) await pacer.rest();
  }
  return { text: parts.join(""), pairs, returns };
}

/** How many of the ordered numbers are smaller than `limit`. */
function countBefore(ordered: readonly number[], limit: number): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function has(ordered: readonly number[], wanted: number): boolean {
  return ordered[countBefore(ordered, wanted)] === wanted;
}
