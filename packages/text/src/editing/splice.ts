import { Buffer } from "node:buffer";
import { countNewlines, isLowSurrogate } from "@fstools/protocol";
import { type ByteChange, type LineRange, MAX_LISTED_PLACES, type Pacer } from "@fstools/sandbox";
import { canEncode, type TextEncoding } from "../encoding/text-encoding.ts";
import { bytePositions, countOf, rawPositions, STEPS_PER_CLOCK } from "./editable-text.ts";
import type { EditableText, Range } from "./editable-text.ts";
import { createEndFinder } from "../lines.ts";
import type { Replacement } from "./match.ts";

/** The new bytes of a file. */
export interface SplicedFile {
  readonly bytes: Buffer;
  /** The byte ranges of the old file that were replaced, in order, and the length of what took their place. */
  readonly changes: Iterable<ByteChange>;
  /** The lines of the new file that the first replacements left. */
  readonly lines: readonly LineRange[];
  /** What makes the plain text of the new file of the old one. */
  readonly replacements: readonly Replacement[];
}

const BLOCK_CHARS = 64 * 1024;

type LineEnd = "\n" | "\r\n" | "\r";

/**
 * Puts replacements, which are in order and do not overlap, into a file; every byte outside of them stays. Does nothing
 * if the new file would have more than `maxBytes`, or a replacement begins or ends inside a character.
 */
export async function splice(
  text: EditableText,
  replacements: readonly Replacement[],
  maxBytes: number,
  pacer: Pacer,
): Promise<SplicedFile | "too_large" | "inside_character"> {
  const { bytes, encoding } = text;
  const positions: number[] = [];
  let newChars = 0;
  for (const [index, { start, end, newText }] of replacements.entries()) {
    positions.push(start, end);
    newChars += newText.length;
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  // No encoding has less than a byte for each UTF-16 unit.
  if (newChars > maxBytes) return "too_large";
  const raw = await rawPositions(text, positions, pacer);
  const places = await bytePositions(text, raw, pacer);
  if (places.includes(undefined)) return "inside_character";
  const placeAt = (index: number) => places[index] ?? 0;

  const encoded = new Map<string, Buffer>();
  const newTexts: Buffer[] = [];
  let size = bytes.length;
  for (let at = 0; at < places.length; at += 2) size -= placeAt(at + 1) - placeAt(at);
  const withLineEnds = await createLineEnder(text, pacer);
  const made: Replacement[] = [];
  for (const [index, one] of replacements.entries()) {
    const { newText, hasOwnLineEnds } = one;
    made.push(joinsLineEnds(text, raw, one, index) ? { ...one, start: one.start - 1 } : one);
    const range = { start: raw[2 * index] ?? 0, end: raw[2 * index + 1] ?? 0 };
    const ended = hasOwnLineEnds === true ? newText : withLineEnds(range, newText);
    const inserted = encoded.get(ended) ?? (await encodeBlocks(encoding, ended, pacer));
    encoded.set(ended, inserted);
    newTexts.push(inserted);
    size += inserted.length;
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  if (size > maxBytes) return "too_large";

  const spliced = Buffer.allocUnsafe(size);
  let from = 0;
  let at = 0;
  for (const [index, inserted] of newTexts.entries()) {
    at += bytes.copy(spliced, at, from, placeAt(2 * index));
    at += inserted.copy(spliced, at);
    from = placeAt(2 * index + 1);
    if (index % STEPS_PER_CLOCK === 0 && pacer.due()) await pacer.rest();
  }
  bytes.copy(spliced, at, from);
  // Made when asked for: a million objects would keep the garbage collector busy.
  const changes = {
    *[Symbol.iterator]() {
      for (const [index, { length: newLength }] of newTexts.entries()) {
        yield { start: placeAt(2 * index), end: placeAt(2 * index + 1), newLength };
      }
    },
  };
  return { bytes: spliced, changes, lines: changedLines(text, made), replacements: made };
}

/** Whether a lone "\r" and a "\n" become one line end, since all between them goes. */
function joinsLineEnds(
  { raw }: EditableText,
  places: readonly number[],
  { newText }: Replacement,
  index: number,
): boolean {
  const [before = 0, start = 0, end = 0] = [places[2 * index - 1], places[2 * index], places[2 * index + 1]];
  return newText === "" && start > before && raw[end] === "\n" && isLoneReturn(raw, start - 1);
}

/** What a diff compares: bytes in which only a line feed has the byte 10. */
export function diffContent(
  { bytes, encoding }: Pick<EditableText, "bytes" | "encoding">,
  { bytes: newBytes, changes }: Pick<SplicedFile, "bytes" | "changes">,
) {
  const isWide = encoding.encode("\n").length > 1;
  if (!isWide) return { before: bytes, after: newBytes, changes, decode: (part: Buffer) => encoding.decode(part) };
  const toUtf8 = (content: Buffer) => Buffer.from(encoding.decode(content));
  return { before: toUtf8(bytes), after: toUtf8(newBytes) };
}

/** The bytes of a text, in slices that do not block the event loop. */
async function encodeBlocks(encoding: TextEncoding, text: string, pacer: Pacer): Promise<Buffer> {
  if (text.length <= BLOCK_CHARS) return encoding.encode(text);
  const blocks: Buffer[] = [];
  for (const block of textBlocks(text)) {
    blocks.push(encoding.encode(block));
    if (pacer.due()) await pacer.rest();
  }
  return Buffer.concat(blocks);
}

/** The first character for which an encoding has no bytes; undefined if it has some for all. */
export async function findUnencodable(encoding: TextEncoding, text: string, pacer: Pacer): Promise<string | undefined> {
  for (const block of textBlocks(text)) {
    if (pacer.due()) await pacer.rest();
    if (!canEncode(encoding, block)) return Array.from(block).find((character) => !canEncode(encoding, character));
  }
  return undefined;
}

/** A text in blocks between characters. */
function* textBlocks(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const cut = from + BLOCK_CHARS;
    const end = isLowSurrogate(text.charCodeAt(cut)) ? cut + 1 : cut;
    yield text.slice(from, end);
    from = end;
  }
}

function changedLines({ lines }: EditableText, replacements: readonly Replacement[]): LineRange[] {
  let shift = 0;
  return replacements.slice(0, MAX_LISTED_PLACES + 1).map(({ start, end, newText }) => {
    const first = lines.lineAt(start) + shift;
    const added = countNewlines(newText);
    shift += added - (lines.lineAt(end) - lines.lineAt(start));
    return { first, last: first + added - (added > 0 && newText.endsWith("\n") ? 1 : 0) };
  });
}

/**
 * Gives new text the line ends of the range that it replaces, one by one; further ones are like the last of them.
 * Ranges come in order.
 */
async function createLineEnder(text: EditableText, pacer: Pacer): Promise<(range: Range, newText: string) => string> {
  const { raw } = text;
  if (raw === text.plain) return (_, newText) => newText;
  const nextLineEnd = createEndFinder(raw, "any");
  const commonest = await commonestLineEnd(text, pacer);
  return ({ start, end }, newText) => {
    if (!newText.includes("\n")) return newText;
    let at = nextLineEnd(start);
    // A range without a line end takes that of the line in which it lies.
    let last = lineEndAt(raw, at) ?? commonest;
    let afterReturn = isLoneReturn(raw, start - 1) ? 0 : -1;
    const beforeNewline = raw[end] === "\n" ? newText.length - 1 : -1;
    return newText.replaceAll("\n", (_, offset: number) => {
      if (at < end) {
        last = lineEndAt(raw, at) ?? last;
        at = nextLineEnd(at + last.length);
      }
      // A "\r" right before a "\n" would be one line end with it.
      const isAfter = offset === afterReturn;
      const isBefore = offset === beforeNewline;
      if (isBefore && (isAfter || last === "\r")) return isAfter ? "\r\n" : "\n";
      const chosen = last === "\n" && isAfter ? "\r" : last;
      if (chosen === "\r") afterReturn = offset + 1;
      return chosen;
    });
  };
}

function lineEndAt(raw: string, position: number): LineEnd | undefined {
  if (raw[position] === "\n") return "\n";
  if (raw[position] !== "\r") return undefined;
  return raw[position + 1] === "\n" ? "\r\n" : "\r";
}

function isLoneReturn(raw: string, position: number): boolean {
  return raw[position] === "\r" && raw[position + 1] !== "\n";
}

/** The line end that most lines of a file have. */
async function commonestLineEnd({ raw, plain }: EditableText, pacer: Pacer): Promise<LineEnd> {
  const pairs = raw.length - plain.length;
  const returns = (await countOf("\r", raw, pacer)) - pairs;
  const newlines = (await countOf("\n", raw, pacer)) - pairs;
  if (pairs >= returns && pairs >= newlines) return "\r\n";
  return returns > newlines ? "\r" : "\n";
}
