import { Transform, type TransformCallback } from "node:stream";

/** A line that was too long to be read, without its middle. */
export interface DroppedLine {
  readonly bytes: number;
  readonly start: string;
  readonly end: string;
}

const NEWLINE = 0x0a;
const KEPT_BYTES = 1024;

/**
 * Passes whole lines on and nothing else, each run of them as one chunk: what reads them need not put a long line together
 * piece by piece. A line over the limit is dropped and reported, and the next one is read as usual.
 */
export function createLineReader(maxBytes: number, onDropped: (line: DroppedLine) => void): Transform {
  let pending: Buffer[] = [];
  let bytes = 0;
  let start = "";
  let end: Buffer = Buffer.alloc(0);

  const reset = (): void => {
    pending = [];
    bytes = 0;
    start = "";
    end = Buffer.alloc(0);
  };
  const keep = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes <= maxBytes) {
      pending.push(piece);
      return;
    }
    if (start === "")
      start = Buffer.concat([...pending, piece])
        .subarray(0, KEPT_BYTES)
        .toString();
    end = Buffer.concat([end, piece]).subarray(-KEPT_BYTES);
    pending = [];
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      const first = chunk.indexOf(NEWLINE);
      if (first < 0) {
        keep(chunk);
        done();
        return;
      }
      const last = chunk.lastIndexOf(NEWLINE);
      keep(chunk.subarray(0, first + 1));
      if (bytes > maxBytes) {
        onDropped({ bytes, start, end: end.toString() });
        pending = [];
      }
      const lines = Buffer.concat([...pending, chunk.subarray(first + 1, last + 1)]);
      reset();
      if (last + 1 < chunk.length) keep(chunk.subarray(last + 1));
      done(null, lines.length > 0 ? lines : undefined);
    },
  });
}
