import { Buffer } from "node:buffer";
import { MAX_LINE_LENGTH } from "./limits.ts";

/** So many bytes of a line are enough to show it and to tell that it is longer: a UTF-16 unit takes at most three. */
export const MAX_LINE_BYTES = 3 * (MAX_LINE_LENGTH + 2);

const REPLACEMENT = "\uFFFD";

/** A line as a page shows it. */
export interface LineText {
  readonly text: string;
  /** Whether the line is longer than what is shown. */
  readonly cut: boolean;
  /** Whether bytes that are not UTF-8 are shown as U+FFFD. */
  readonly damaged: boolean;
}

/** Turns a line's first bytes, `MAX_LINE_BYTES` of them if it has that many, into what a page shows. */
export function lineText(bytes: Buffer, cutMark: string): LineText {
  const line = bytes.toString();
  const cut = line.length > MAX_LINE_LENGTH;
  const shown = cut ? line.slice(0, lengthBeforePairBreak(line)) : line;
  return { text: cut ? shown + cutMark : shown, cut, damaged: hasDamage(shown, bytes) };
}

/** How much of a long line to show: one unit less where the last would be half of a surrogate pair. */
function lengthBeforePairBreak(line: string): number {
  const last = line.charCodeAt(MAX_LINE_LENGTH - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate ? MAX_LINE_LENGTH - 1 : MAX_LINE_LENGTH;
}

/** Whether a U+FFFD in the text stands for something else in the file. */
function hasDamage(shown: string, bytes: Buffer): boolean {
  if (!shown.includes(REPLACEMENT)) return false;
  const encoded = Buffer.from(shown);
  return !encoded.equals(bytes.subarray(0, encoded.length));
}
