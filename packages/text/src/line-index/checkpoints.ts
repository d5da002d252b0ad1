import type { Place } from "../lines.ts";

/** The position of a character: in the file, and in its text. */
export interface TextPosition extends Place {
  readonly byte: number;
}

/** A sparse index of a text: positions from which decoding can start. */
export interface Checkpoints {
  /** Keeps the position if it is far enough from the last one. */
  offer(position: TextPosition): void;
  /** The last checkpoint at or before a line and column. */
  before(line: number, column: number): TextPosition;
  /** The last checkpoint of all. */
  last(): TextPosition;
  /** The same checkpoints, to go on from there. */
  copy(): Checkpoints;
}

const MAX_CHECKPOINTS = 4096;

/** Checkpoints of one file, at least `spacingBytes` apart; in a giant file every second one is dropped at times. */
export function createCheckpoints(
  start: TextPosition,
  spacingBytes: number,
  maxCheckpoints = MAX_CHECKPOINTS,
): Checkpoints {
  return checkpointsFrom([start], spacingBytes, maxCheckpoints);
}

function checkpointsFrom(
  positions: readonly [TextPosition, ...TextPosition[]],
  spacingBytes: number,
  maxCheckpoints: number,
): Checkpoints {
  const [start] = positions;
  let kept: [TextPosition, ...TextPosition[]] = [...positions];
  let last = kept.at(-1) ?? start;
  let spacing = spacingBytes;
  return {
    offer: (position) => {
      if (position.byte - last.byte < spacing) return;
      if (kept.length === maxCheckpoints) {
        kept = [start, ...kept.filter((_, index) => index > 0 && index % 2 === 0)];
        spacing *= 2;
      }
      kept.push(position);
      last = position;
    },
    before: (line, column) => {
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
    last: () => last,
    copy: () => checkpointsFrom(kept, spacing, maxCheckpoints),
  };
}
