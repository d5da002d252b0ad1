import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Readable, Writable } from "node:stream";
import { MAX_MESSAGE_BYTES } from "../message-size.ts";
import type { ServerFactory } from "../server.ts";
import { createLineReader, type DroppedLine } from "./line-reader.ts";

/** Where messages come from and go to, one a line. */
export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
  /** @default 96 MiB */
  readonly maxBytes?: number;
}

/** Serves one client over a pair of streams. A message that is too long is refused; the ones after it are answered. */
export function serveLines(createServer: ServerFactory, streams: LineStreams): void {
  const { input, output, onError, maxBytes = MAX_MESSAGE_BYTES } = streams;
  const lines = createLineReader(maxBytes, (line) => {
    onError(new Error(`A message of ${line.bytes} bytes was not read; at most ${maxBytes} are.`));
    output.write(`${JSON.stringify(refusal(line, maxBytes))}\n`);
  });
  input.pipe(lines);
  // One chunk may hold the end of one message and many whole ones after it.
  const transport = new StdioServerTransport(lines, output, { maxBufferSize: 2 * maxBytes });
  serveStdio(createServer, { transport, onerror: onError });
}

function refusal(line: DroppedLine, maxBytes: number): object {
  const message = `The message is too large: ${line.bytes} bytes, at most ${maxBytes}.`;
  return { jsonrpc: "2.0", id: idOf(line), error: { code: -32_600, message } };
}

// Clients write the id first or last; whoever waits for the answer learns that there is none.
function idOf({ start, end }: DroppedLine): number | string | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?<id>\d+|"[^"\\]*")/u.exec(start);
  const last = /"id"\s*:\s*(?<id>\d+|"[^"\\]*")\s*\}\s*$/u.exec(end);
  const id = (first ?? last)?.groups?.id;
  if (id === undefined) return null;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
