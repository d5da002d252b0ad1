import type { Pacer } from "@fstools/sandbox";
import type { Charset } from "./charset.ts";
import { createCheckpoints } from "../line-index/checkpoints.ts";
import type { ByteSource } from "../bytes/chunks.ts";
import { isLowSurrogate } from "../bytes/code-points.ts";
import { decodedPieces } from "./decode.ts";
import { linesUpTo, type TextIndex } from "../line-index/text-index.ts";

/** The sizes and helpers of a pass over decoded text. */
export interface DecodedScanMeans {
  readonly blockBytes: number;
  readonly checkpointBytes: number;
  readonly pacer: Pacer;
  /** Stops at the first U+FFFD: the encoding is then not the file's. */
  readonly stopAtFlaw: boolean;
}

const RETURN = 0x0d;
const NEWLINE = 0x0a;
const REPLACEMENT = 0xfffd;

/** One pass over a file in another encoding; its line ends are found in the decoded text. */
export async function scanDecoded(source: ByteSource, charset: Charset, means: DecodedScanMeans): Promise<TextIndex> {
  const { pacer } = means;
  const checkpoints = createCheckpoints({ byte: 0, line: 1, column: 1 }, means.checkpointBytes);
  const cursor: Cursor = { line: 1, column: 1, afterReturn: false, isFlawless: true };
  for (const { text, endByte, isClean } of decodedPieces(source, charset, 0, means.blockBytes)) {
    advance(cursor, text);
    if (means.stopAtFlaw && !cursor.isFlawless) break;
    if (isClean && !cursor.afterReturn) {
      checkpoints.offer({ byte: endByte, line: cursor.line, column: cursor.column });
    }
    if (pacer.due()) await pacer.rest();
  }
  return { totalLines: linesUpTo(cursor), isFlawless: cursor.isFlawless, checkpoints };
}

interface Cursor {
  line: number;
  column: number;
  /** The last character was a "\r", so a "\n" that follows ends no further line. */
  afterReturn: boolean;
  isFlawless: boolean;
}

function advance(cursor: Cursor, text: string): void {
  let { line, column, afterReturn, isFlawless } = cursor;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === RETURN || (unit === NEWLINE && !afterReturn)) {
      line++;
      column = 1;
    } else if (unit !== NEWLINE) {
      if (!isLowSurrogate(unit)) column++;
      if (unit === REPLACEMENT) isFlawless = false;
    }
    afterReturn = unit === RETURN;
  }
  Object.assign(cursor, { line, column, afterReturn, isFlawless });
}
