/** A connection to an MCP server that answers requests. */
export interface Channel {
  /** Whether it can still be used. */
  readonly isOpen: boolean;
  /**
   * Sends a request and waits for the server's result. An abort cancels it there.
   * @throws ChannelError, or the signal's reason
   */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  /** Sends what needs no answer; what is wrong with the connection shows in the next request. */
  notify(method: string, params?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * How far a request came: it never left, and another may; it never left, since this side closed the connection; the server
 * refused it; it left and nothing came back; or what came back is of no use. After the last two it may have been carried out.
 */
export type Progress = "not_sent" | "closed" | "refused" | "lost" | "invalid";

/** Why a request has no result; of an "invalid" one the message is a sentence about the server that needs no other. */
export class ChannelError extends Error {
  readonly progress: Progress;

  constructor(progress: Progress, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ChannelError";
    this.progress = progress;
  }
}

/** An answer of a tool is at most an attachment of 10 MiB in base64; nothing larger is taken from a server. */
export const MAX_ANSWER_BYTES = 24 * 1024 * 1024;
