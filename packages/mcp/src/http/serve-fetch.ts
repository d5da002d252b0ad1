import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MAX_MESSAGE_BYTES } from "../service.ts";

/**
 * Answers a request of Node's HTTP server with a fetch handler. When the client goes away, the request's signal aborts:
 * that is how clients of MCP cancel a call.
 * @throws what the handler throws, after the client was told that something went wrong
 */
export async function serveFetch(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => {
    gone.abort();
  });
  try {
    const body = await readBody(incoming);
    const answer = body === undefined ? tooLarge() : await fetch(toRequest(incoming, body, gone.signal));
    await send(answer, outgoing);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
    throw error;
  }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A client that is refused must still get the answer, so the connection stays open.
  const incomingChunks: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
  for await (const chunk of incomingChunks) {
    bytes += chunk.length;
    if (bytes > MAX_MESSAGE_BYTES) {
      incoming.resume();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(): Response {
  return new Response(null, { status: 413, headers: { connection: "close" } });
}

function toRequest(incoming: IncomingMessage, body: Buffer, signal: AbortSignal): Request {
  const { method = "GET", url = "/", headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(new URL(url, "http://localhost"), { method, headers, signal, ...(hasBody ? { body } : {}) });
}

async function send(answer: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  // An event stream may stay silent for a long time, so the client must know at once that it is open.
  outgoing.flushHeaders();
  if (answer.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(answer.body), outgoing);
}
