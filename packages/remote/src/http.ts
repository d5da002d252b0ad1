import { type FetchLike, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "@fstools/protocol";
import { CallFailure, readLines, readMessage } from "./message.ts";

/** A server that speaks MCP over streamable HTTP. */
export interface Endpoint {
  /** https, or http on loopback. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`, to this URL only. */
  readonly token: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const sentSchema = z.object({
  id: z.number().optional(),
  method: z.string(),
  params: z.object({ requestId: z.unknown() }).partial().optional(),
});

const NOTICE_MS = 10_000;
const GOODBYE_MS = 2000;

/** The failures of a connection that was never made. */
const NOT_LEFT: ReadonlySet<string> = new Set("ECONNREFUSED ENOTFOUND EHOSTUNREACH ENETUNREACH EAI_AGAIN".split(" "));

/** The statuses that a server answers with before it does anything. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 413, 429]);

/** @throws TypeError if the token could be read on its way there */
export function createHttpTransport({ url, token }: Endpoint): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(safeUrl(url), {
    fetch: createBoundedFetch(),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

/** @throws TypeError */
function safeUrl(url: string): URL {
  const parsed = new URL(url);
  const isSafe = parsed.protocol === "https:" || (parsed.protocol === "http:" && LOOPBACK.test(parsed.hostname));
  if (!isSafe) throw new TypeError("A token is sent to https or to a loopback address only.");
  if (parsed.username !== "" || parsed.password !== "") {
    throw new TypeError("The URL must not hold a user name or a password.");
  }
  return parsed;
}

/**
 * A fetch for the SDK that follows no redirect, ends, and lets through one thing only: the answer to the request that was
 * sent, of a bounded size. Whatever else a server says (questions, streams of its own) would be answered without end.
 */
function createBoundedFetch(): FetchLike {
  const open = new Map<unknown, AbortController>();
  return async (url, init = {}) => {
    const { method, body } = init;
    if (method === "GET") return new Response(null, { status: 405 });
    const sent =
      method === "POST" && typeof body === "string" ? sentSchema.safeParse(JSON.parse(body)).data : undefined;
    if (sent?.method === "notifications/cancelled") open.get(sent.params?.requestId)?.abort();
    const gone = new AbortController();
    if (sent?.id !== undefined) open.set(sent.id, gone);
    try {
      const deadline = AbortSignal.timeout(method === "DELETE" ? GOODBYE_MS : NOTICE_MS);
      const signals = [init.signal ?? [], gone.signal, sent?.id === undefined ? deadline : []].flat();
      const response = await send(url, { ...init, redirect: "manual", signal: AbortSignal.any(signals) });
      const hasSession = new Headers(init.headers).has("mcp-session-id");
      if (response.ok && sent?.id !== undefined) return await answerIn(response, sent.id);
      await response.body?.cancel();
      if (!response.ok) throw refusal(response.status, hasSession);
      return new Response(null, { status: 200 });
    } finally {
      open.delete(sent?.id);
    }
  };
}

async function send(url: string | URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = causeOf(error);
    if (NOT_LEFT.has(cause)) throw new CallFailure("not_sent", `Nothing answers at this address (${cause}).`);
    throw new CallFailure("lost", `The connection broke off (${cause}).`);
  }
}

function refusal(status: number, hasSession: boolean): CallFailure {
  // Nothing was done, and another connection may be of use.
  if (status === 404 && hasSession) return new CallFailure("not_sent", "It does not know this session any more.");
  if (status === 404) return new CallFailure("not_sent", "There is no MCP server at this address.");
  if (status >= 300 && status < 400) {
    return new CallFailure("lost", "It answered with a redirect, which is not followed.");
  }
  const reason =
    status === 401 || status === 403 ? "It does not accept the token." : `It answered with HTTP status ${status}.`;
  return new CallFailure(REFUSALS.has(status) ? "refused" : "lost", reason);
}

/** The answer to a request, which comes as JSON or in a stream of events, as JSON. */
async function answerIn(response: Response, id: number): Promise<Response> {
  const session = response.headers.get("mcp-session-id");
  try {
    for await (const text of texts(response)) {
      const message = readMessage(text);
      if (message === undefined || "method" in message || message.id !== id) continue;
      return Response.json(message, { headers: session === null ? {} : { "mcp-session-id": session } });
    }
  } catch (error) {
    if (error instanceof CallFailure) throw error;
    throw new CallFailure("lost", `The connection broke off (${causeOf(error)}).`);
  }
  throw new CallFailure("lost", "The server ended its answer without a result.");
}

/** The data of each event, or the whole text. */
async function* texts({ body, headers }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const held: string[] = [];
  for await (const line of readLines(body, true)) {
    if (!isStream) held.push(line);
    else if (line.startsWith("data:")) held.push(line.slice(5).trimStart());
    else if (line === "") yield held.splice(0).join("\n");
  }
  yield held.join("\n");
}

function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string")
    return cause.code;
  return cause instanceof Error ? cause.name : "unknown error";
}
