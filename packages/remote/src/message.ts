import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { isRecord } from "@fstools/protocol";

/** The code of an error that stands for an answer which is not one. */
export const MALFORMED = -32_099;

/**
 * Reads what a server said; `undefined` if it is no message, as some programs print a greeting first. An answer that is
 * malformed becomes an error, since whoever waits for it must learn that it came.
 */
export function readMessage(text: string): JSONRPCMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
    return parseJSONRPCMessage(value);
  } catch {
    if (!isRecord(value) || typeof value.id !== "number" || "method" in value) return undefined;
    const message = "The server's answer is neither a result nor an error.";
    return { jsonrpc: "2.0", id: value.id, error: { code: MALFORMED, message } };
  }
}

/** An answer of a tool is at most an attachment of 10 MiB in base64; nothing larger is taken from a server. */
const MAX_ANSWER_BYTES = 24 * 1024 * 1024;

const NEWLINE = 0x0a;

/** @throws CallFailure if a line, or with `isBounded` the whole, is larger than an answer can be */
export async function* readLines(stream: AsyncIterable<Uint8Array>, isBounded = false): AsyncGenerator<string> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield textOf([...held, chunk.subarray(start, end)]);
      held = [];
      if (!isBounded) bytes = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    bytes += isBounded ? chunk.length : chunk.length - start;
    if (bytes > MAX_ANSWER_BYTES) throw new CallFailure("lost", "The server sent an answer that is too large.");
  }
  yield textOf(held);
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString().replace(/\r$/u, "");
}

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
