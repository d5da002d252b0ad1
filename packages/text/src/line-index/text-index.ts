import type { Charset } from "../encoding/charset.ts";
import type { Checkpoints } from "./checkpoints.ts";

/** What one pass over a text learns, so that no later page needs another. */
export interface TextIndex {
  readonly totalLines: number;
  /** False if bytes had to be replaced with U+FFFD. */
  readonly isFlawless: boolean;
  readonly checkpoints: Checkpoints;
}

/** A text of which the encoding is settled and the index is made. */
export interface IndexedText {
  /** The encoding by its name. */
  readonly encoding: string;
  /** Set if the file is not the UTF-8 that it should be: "replace", or the encoding that was used instead. */
  readonly fallback?: string;
  /** Undefined for UTF-8. */
  readonly charset?: Charset;
  readonly index: TextIndex;
}

/** The number of lines in a text that ends at this place; a last line without a line end counts. */
export function linesUpTo({ line, column }: { readonly line: number; readonly column: number }): number {
  return column > 1 ? line : line - 1;
}
