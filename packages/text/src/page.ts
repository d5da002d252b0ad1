import { Buffer } from "node:buffer";
import { countCodePoints, firstCodePoints, type LineRequest, type Place } from "./lines/lines.ts";

/** Which part of a text a page shows. */
export interface PageRequest {
  readonly start: Place;
  /** The most lines on the page. */
  readonly limit: number;
  /** The most bytes of the page's content in UTF-8; one character is shown in any case. */
  readonly maxPageBytes: number;
  /** The most characters of one line. */
  readonly maxLineChars: number;
}

/** Numbered lines. */
export interface Page {
  /** Lines as "%4d | %s\n". */
  readonly content: string;
  readonly lines: number;
  /** Code points in `content`. */
  readonly chars: number;
  /** Where the next page begins; undefined on the last one. */
  readonly next: Place | undefined;
}

/** A page in the making. */
export interface PageBuilder extends Pick<LineRequest, "start" | "maxUnits" | "take"> {
  /** The page, of a text with this many lines. */
  finish(totalLines: number): Page;
}

const MAX_UNIT_BYTES = 3;
const encoder = new TextEncoder();

/** An empty page, to be filled by a line collector. */
export function createPage({ start, limit, maxPageBytes, maxLineChars }: PageRequest): PageBuilder {
  const content: string[] = [];
  let lines = 0;
  let next: Place | undefined;
  // At most so many as long as all fit anyway, which most pages do; then exactly so many.
  let bytes = 0;
  let isExact = false;

  /** How many bytes are left after what this many units may take. */
  const roomAfter = (units: number): number => {
    const room = maxPageBytes - bytes;
    if (isExact || MAX_UNIT_BYTES * units <= room) return room;
    isExact = true;
    bytes = Buffer.byteLength(content.join(""));
    return maxPageBytes - bytes;
  };

  /** Adds what begins at `place`; false when the page ends here, or before this line if it has no room for it. */
  const add = (text: string, place: Place, isCut: boolean): boolean => {
    const prefix = `${String(place.line).padStart(4)} | `;
    const room = roomAfter(prefix.length + text.length + 1) - prefix.length - 1;
    const textBytes = isExact ? Buffer.byteLength(text) : MAX_UNIT_BYTES * text.length;
    const fits = textBytes <= room;
    if (!fits && lines > 0) {
      next = place;
      return false;
    }
    const shown = fits ? text : fitting(text, room);
    content.push(`${prefix}${shown}\n`);
    lines++;
    bytes = fits ? bytes + prefix.length + textBytes + 1 : maxPageBytes;
    if (!isCut && shown.length === text.length) return lines < limit;
    next = { line: place.line, column: place.column + countCodePoints(shown) };
    return false;
  };

  return {
    start,
    // Enough to tell that a line is too long for its own limit, or for any page.
    maxUnits: Math.min(2 * maxLineChars + 1, maxPageBytes + 2),
    take: (text, place) => {
      const isCut = text.length > maxLineChars && countCodePoints(text) > maxLineChars;
      // A line that has nothing where the page begins is too short; the page stays empty.
      if (text === "" && place.column > 1) return false;
      return add(isCut ? firstCodePoints(text, maxLineChars) : text, place, isCut);
    },
    finish: (totalLines) => {
      const whole = content.join("");
      const following = start.line + lines;
      const rest = following <= totalLines ? { line: following, column: 1 } : undefined;
      return { content: whole, lines, chars: countCodePoints(whole), next: next ?? rest };
    },
  };
}

function fitting(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return read === 0 ? firstCodePoints(text, 1) : text.slice(0, read);
}
