/**
 * How far a call came: it never left, and another may; it never left, since this side closed the connection; the server
 * refused it; it left and nothing came back; or what came back is of no use. After the last two it may have been carried out.
 */
export type Progress = "not_sent" | "closed" | "refused" | "lost" | "invalid";

/** Why a call has no result; of an "invalid" one the message is a sentence about the server that needs no other. */
export class CallFailure extends Error {
  readonly progress: Progress;

  constructor(progress: Progress, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CallFailure";
    this.progress = progress;
  }
}
