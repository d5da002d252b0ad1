import type { Readable, Transform, Writable } from "node:stream";
import { MAX_MESSAGE_BYTES } from "../message-size.ts";
import type { Service } from "../service.ts";
import { createLineReader, type DroppedLine } from "./line-reader.ts";
import { isRecord } from "@fstools/protocol";
import { createSession, type Session } from "./session.ts";

/** Where messages come from and go to, one per line. */
export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly onError: (error: Error) => void;
  /** @default 96 MiB */
  readonly maxBytes?: number;
}

/**
 * Serves one client over a pair of streams. A message that is too long is refused; the ones after it are answered. A client
 * whose first message is not the handshake speaks a later revision of MCP: it is left to the SDK.
 */
export function serveLines(service: Service, streams: LineStreams): void {
  const { input, output, onError, maxBytes = MAX_MESSAGE_BYTES } = streams;
  const send = createSender(output);
  const lines = createLineReader(maxBytes, (line) => {
    onError(new Error(`A message of ${line.bytes} bytes was not read; at most ${maxBytes} are.`));
    send(refusal(line, maxBytes));
  });
  output.on("error", onError);
  input.pipe(lines);
  lines.once("data", (chunk: Buffer) => {
    if (!isHandshake(chunk)) {
      lines.pause();
      lines.unshift(chunk);
      void serveLater(service, lines, streams, 2 * maxBytes).catch(onError);
      return;
    }
    const session = createSession(service, send);
    takeLines(session, chunk, send);
    lines.on("data", (next: Buffer) => {
      takeLines(session, next, send);
    });
    lines.once("end", () => {
      session.close();
    });
  });
}

/** Writes the messages of one turn of the event loop at once: a system call for each would cost more than the work. */
function createSender(output: Writable): (message: object) => void {
  let waiting: string[] = [];
  const flush = (): void => {
    output.write(waiting.join(""));
    waiting = [];
  };
  return (message) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(`${JSON.stringify(message)}\n`);
  };
}

// Loaded only for clients that need it.
async function serveLater(
  service: Service,
  lines: Transform,
  streams: LineStreams,
  maxBufferSize: number,
): Promise<void> {
  const [{ serveStdio, StdioServerTransport }, { serverFactoryOf }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("../server.ts"),
  ]);
  const transport = new StdioServerTransport(lines, streams.output, { maxBufferSize });
  serveStdio(serverFactoryOf(service), { transport, onerror: streams.onError });
  lines.resume();
}

function takeLines(session: Session, chunk: Buffer, send: (message: object) => void): void {
  for (const line of chunk.toString().split("\n")) {
    if (line.trim() === "") continue;
    const message = parse(line);
    if (message === undefined) send({ jsonrpc: "2.0", id: null, error: { code: -32_700, message: "Parse error" } });
    else session.take(message.value);
  }
}

function isHandshake(chunk: Buffer): boolean {
  const [first = ""] = chunk.toString().trimStart().split("\n");
  const message = parse(first)?.value;
  return isRecord(message) && message.method === "initialize";
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function refusal(line: DroppedLine, maxBytes: number): object {
  const message = `The message is too large: ${line.bytes} bytes, at most ${maxBytes}.`;
  return { jsonrpc: "2.0", id: idOf(line), error: { code: -32_600, message } };
}

// Clients write the id first or last; with it, the one that waits gets an error instead of silence.
function idOf({ start, end }: DroppedLine): number | string | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(?<id>\d+|"[^"\\]*")/u.exec(start);
  const last = /"id"\s*:\s*(?<id>\d+|"[^"\\]*")\s*\}\s*$/u.exec(end);
  const id = (first ?? last)?.groups?.id;
  if (id === undefined) return null;
  return id.startsWith('"') ? id.slice(1, -1) : Number(id);
}
