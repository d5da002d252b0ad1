import { countCodePoints, firstCodePoints, withoutCodePoints } from "../bytes/code-points.ts";
import { createSheet, type Page, type Place } from "./page.ts";
import { createLineSplitter } from "../bytes/split-lines.ts";

/** Which part of a text a page shows. */
export interface PageRequest {
  readonly start: Place;
  /** The most lines on the page. */
  readonly limit: number;
  /** The most bytes of the page's content in UTF-8. */
  readonly maxPageBytes: number;
  /** The most characters of one line. */
  readonly maxLineChars: number;
}

/** The first line has no character at the column asked for. */
export interface ShortLine {
  readonly lineLength: number;
}

/** Collects a page from a text that comes in pieces. */
export interface PageBuilder {
  /** Takes the next piece; false when the page needs no more. */
  push(piece: string): boolean;
  /** The page, once it is full or the text is over. */
  finish(): Page | ShortLine;
}

/** A builder for a text of `totalLines`, whose pieces begin at the place `from`, at or before the page. */
export function createPageBuilder(request: PageRequest, from: Place, totalLines: number): PageBuilder {
  const { start, limit, maxPageBytes, maxLineChars } = request;
  const sheet = createSheet(maxPageBytes);
  let { line, column } = from;
  let shown = "";
  // Counted only for lines with so many units that there may be too many characters.
  let shownChars: number | undefined;
  let isFull = false;
  let shortLine: ShortLine | undefined;

  /** How many of the characters that come stand before the page's first column. */
  const charsToSkip = () => (line === start.line ? Math.max(0, start.column - column) : 0);

  const endLine = (isCut: boolean): boolean => {
    if (line === start.line && start.column > 1 && shown === "") {
      shortLine = { lineLength: column - 1 };
      return false;
    }
    if (line >= start.line) {
      const place = { line, column: line === start.line ? start.column : 1 };
      isFull = !sheet.add(place, { text: shown, isCut }) || sheet.lines() === limit;
    }
    line++;
    column = 1;
    shown = "";
    shownChars = undefined;
    return !isFull;
  };

  /** Adds as much of a part as the line has room for; false if that is not all. */
  const extend = (part: string): boolean => {
    if (shownChars === undefined && shown.length + part.length <= maxLineChars) {
      shown += part;
      return true;
    }
    shownChars ??= countCodePoints(shown);
    const chars = countCodePoints(part);
    const room = maxLineChars - shownChars;
    shown += chars > room ? firstCodePoints(part, room) : part;
    shownChars += Math.min(chars, room);
    return chars <= room;
  };

  const show = (part: string): boolean => {
    const isWhole = extend(part);
    // A line too big for any page need not be collected further: a UTF-16 unit takes at least one byte, and only
    // a single character is shown where there is no room for it.
    const isTooBig = shown.length > maxPageBytes && shown !== firstCodePoints(shown, 1);
    return isWhole && !isTooBig ? true : endLine(true);
  };

  const text = (part: string): boolean => {
    if (line < start.line) return true;
    const skipped = charsToSkip();
    if (skipped === 0) return show(part);
    const chars = countCodePoints(part);
    column += Math.min(chars, skipped);
    return chars <= skipped ? true : show(withoutCodePoints(part, skipped));
  };

  return {
    push: createLineSplitter({ text, end: () => endLine(false) }),
    finish: () => {
      if (!isFull && shortLine === undefined && line <= totalLines) endLine(false);
      return shortLine ?? sheet.finish(line <= totalLines ? { line, column: 1 } : undefined);
    },
  };
}
