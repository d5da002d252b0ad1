import { Buffer } from "node:buffer";
import type { Pacer, SandboxFile } from "@fstools/sandbox";

/** Looks through a file for a "\\r" that "\\n" does not follow, which ends a line that ripgrep does not know. */
export interface ReturnScanner {
  /** Whether it is known already that there is none up to the end of the line that a position lies in. */
  isClear(position: number): boolean;
  /** Continues up to a position; true if there is one before it. */
  isFoundBefore(position: number): Promise<boolean>;
  /** Continues to the end, alongside other work. */
  run(): Promise<void>;
  stop(): void;
}

const CHUNK_BYTES = 512 * 1024;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** Makes a scanner that starts at the beginning of the file. */
export function createReturnScanner(file: SandboxFile, pacer: Pacer): ReturnScanner {
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let scannedTo = 0;
  let foundAt: number | undefined;
  let isOver = false;
  let endsWithReturn = false;
  /** The end of the last line that was scanned completely. */
  let clearTo = 0;

  function scanChunk(): void {
    const bytes = chunk.subarray(0, file.read(chunk, scannedTo));
    if (endsWithReturn && bytes[0] !== NEWLINE) foundAt ??= scannedTo - 1;
    endsWithReturn = bytes.at(-1) === RETURN;
    for (let at = bytes.indexOf(RETURN); at !== -1 && foundAt === undefined; at = bytes.indexOf(RETURN, at + 1)) {
      if (at + 1 < bytes.length && bytes[at + 1] !== NEWLINE) foundAt = scannedTo + at;
    }
    if (foundAt === undefined) clearTo = Math.max(clearTo, scannedTo + bytes.lastIndexOf(NEWLINE) + 1);
    scannedTo += bytes.length;
    if (bytes.length === 0 || foundAt !== undefined) isOver = true;
  }

  async function scanTo(position: number): Promise<void> {
    while (!isOver && scannedTo <= position) {
      scanChunk();
      if (pacer.due()) await pacer.rest();
    }
  }

  return {
    isClear: (position) => position < clearTo,
    isFoundBefore: async (position) => {
      await scanTo(position);
      return foundAt !== undefined && foundAt < position;
    },
    run: () => scanTo(Infinity),
    stop: () => {
      isOver = true;
    },
  };
}
