import { CallFailure } from "./failure.ts";

/** An answer of a tool is at most an attachment of 10 MiB in base64; nothing larger is taken from a server. */
const MAX_ANSWER_BYTES = 24 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Yields the lines of a stream; joins the pieces of a long one once.
 * @throws CallFailure if a line, or with `isBounded` the whole, is larger than an answer can be
 */
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
