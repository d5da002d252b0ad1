import { Buffer } from "node:buffer";
import { countCodePoints, firstCodePoints } from "./code-points.ts";

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
  /** Code points in `text`. */
  readonly chars: number;
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

const encoder = new TextEncoder();

/** An empty page that takes at most `maxPageBytes` of UTF-8, but never less than one character. */
export function createSheet(maxPageBytes: number): Sheet {
  const rows: string[] = [];
  let bytes = 0;
  let chars = 0;
  let next: Place | undefined;
  return {
    lines: () => rows.length,
    add: (place, { text, chars: textChars, isCut }) => {
      const prefix = `${String(place.line).padStart(4)} | `;
      const room = maxPageBytes - bytes - prefix.length - 1;
      const textBytes = Buffer.byteLength(text);
      const fits = textBytes <= room;
      if (!fits && rows.length > 0) {
        next = place;
        return false;
      }
      const shown = fits ? text : fitting(text, room);
      const shownChars = fits ? textChars : countCodePoints(shown);
      rows.push(`${prefix}${shown}\n`);
      bytes = fits ? bytes + prefix.length + textBytes + 1 : maxPageBytes;
      chars += prefix.length + shownChars + 1;
      if (!isCut && shown.length === text.length) return true;
      next = { line: place.line, column: place.column + shownChars };
      return false;
    },
    finish: (rest) => ({ content: rows.join(""), lines: rows.length, chars, next: next ?? rest }),
  };
}

function fitting(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return read === 0 ? firstCodePoints(text, 1) : text.slice(0, read);
}
