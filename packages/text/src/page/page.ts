import { Buffer } from "node:buffer";
import { countCodePoints, firstCodePoints } from "../bytes/code-points.ts";

/** A place in a text. */
export interface Place {
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
}

/** Numbered lines. */
export interface Page {
  readonly content: string;
  readonly lines: number;
  /** Code points in `content`. */
  readonly chars: number;
  /** Where the next page begins; undefined on the last one. */
  readonly next: Place | undefined;
}

/** A line, or a part of one. */
export interface LinePart {
  readonly text: string;
  /** Whether the line goes on after `text`. */
  readonly isCut: boolean;
}

/** A page in the making. */
export interface Sheet {
  lines(): number;
  /** Adds what begins at `place`; false when the page ends here, or before this line if it has no room for it. */
  add(place: Place, part: LinePart): boolean;
  /** The page; `rest` is where the next one begins if no line ended this page early. */
  finish(rest: Place | undefined): Page;
}

const MAX_UNIT_BYTES = 3;
const encoder = new TextEncoder();

/** An empty page that takes at most `maxPageBytes` of UTF-8, but never less than one character. */
export function createSheet(maxPageBytes: number): Sheet {
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

  return {
    lines: () => lines,
    add: (place, { text, isCut }) => {
      const prefix = `${String(place.line).padStart(4)} | `;
      const room = roomAfter(prefix.length + text.length + 1) - prefix.length - 1;
      const textBytes = isExact ? Buffer.byteLength(text) : MAX_UNIT_BYTES * text.length;
      const fits = textBytes <= room;
      if (!fits && lines > 0) {
        next = place;
        return false;
      }
      const shown = fits ? text : fitting(text, room);
      content.push(prefix, shown, "\n");
      lines++;
      bytes = fits ? bytes + prefix.length + textBytes + 1 : maxPageBytes;
      if (!isCut && shown.length === text.length) return true;
      next = { line: place.line, column: place.column + countCodePoints(shown) };
      return false;
    },
    finish: (rest) => {
      const whole = content.join("");
      return { content: whole, lines, chars: countCodePoints(whole), next: next ?? rest };
    },
  };
}

function fitting(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return read === 0 ? firstCodePoints(text, 1) : text.slice(0, read);
}
