import type { Place } from "../lines.ts";

/** The position of a character: in the file, and in its text. */
export interface TextPosition extends Place {
  readonly byte: number;
}

/** A sparse index of a text: positions from which decoding can start. */
export type Checkpoints = ReturnType<typeof createCheckpoints>;

/** Checkpoints of one file, at least `spacingBytes` apart, from the first one on or from those of an earlier pass. */
export function createCheckpoints(
  start: TextPosition,
  spacingBytes: number,
  earlier: readonly TextPosition[] = [start],
) {
  const kept = [...earlier];
  const last = (): TextPosition => kept.at(-1) ?? start;
  return {
    /** Keeps the position if it is far enough from the last one. */
    offer: (position: TextPosition): void => {
      if (position.byte - last().byte >= spacingBytes) kept.push(position);
    },
    /** The last checkpoint at or before a line and column. */
    before: (line: number, column: number): TextPosition => {
      let low = 0;
      let high = kept.length;
      while (high - low > 1) {
        const middle = (low + high) >>> 1;
        const position = kept[middle] ?? start;
        if (position.line < line || (position.line === line && position.column <= column)) low = middle;
        else high = middle;
      }
      return kept[low] ?? start;
    },
    last,
    /** All of them, to go on from there. */
    all: (): readonly TextPosition[] => kept,
  };
}
