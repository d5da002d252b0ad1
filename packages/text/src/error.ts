/** Why a text can't be read as it was asked for. */
export type TextProblem =
  | {
      readonly reason: "binary";
      /** What the first bytes say, such as "a PNG image". */
      readonly kind: string | undefined;
      /** The encoding that the byte order mark names. */
      readonly markedEncoding: string | undefined;
    }
  | { readonly reason: "line_past_end"; readonly totalLines: number }
  | { readonly reason: "column_past_end"; readonly lineLength: number }
  /** The file became shorter, or its lines changed, while it was being read. */
  | { readonly reason: "changed" }
  /** The bytes have no place where decoding can pause. */
  | { readonly reason: "endless_run"; readonly encoding: string }
  /** There was no time to reach the page; the text up to there is known. */
  | { readonly reason: "too_slow"; readonly scannedLine: number; readonly scannedColumn: number };

/** A text can't be read as it was asked for; the tool words the message. */
export class TextError extends Error {
  override readonly name = "TextError";
  readonly problem: TextProblem;

  constructor(problem: TextProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}
