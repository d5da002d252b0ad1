import { z } from "@fstools/protocol";
import { type Channel, ChannelError, MAX_ANSWER_BYTES } from "./channel.ts";
import { type Message, parseMessage, resultOf } from "./message.ts";

/** A server that speaks MCP over streamable HTTP. */
export interface Endpoint {
  /** https, or http on loopback. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`, to this URL only. */
  readonly token: string;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;
const versionSchema = z.object({ protocolVersion: z.string().regex(/^[\d-]{10}$/u) });
const SESSION_ID = /^[\x21-\x7e]{1,256}$/u;

/** The failures of a connection that was never made. */
const NOT_LEFT: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
]);

/** The statuses that a server answers with before it does anything. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 413, 429]);

/**
 * Prepares requests to a server.
 * @throws TypeError if the token could be read on its way there
 */
export function openHttp({ url, token }: Endpoint): Channel {
  const endpoint = safeUrl(url);
  const base = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
  };
  let session: Record<string, string> = {};
  let nextId = 0;
  let isOpen = true;

  const send = async (init: RequestInit): Promise<Response> => {
    try {
      // A redirect could lead the token elsewhere.
      return await fetch(endpoint, { ...init, headers: { ...base, ...session }, redirect: "manual" });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      isOpen = false;
      const cause = causeOf(error);
      if (NOT_LEFT.has(cause)) throw new ChannelError("not_sent", `Nothing answers at this address (${cause}).`);
      throw new ChannelError("lost", `The connection broke off (${cause}).`);
    }
  };
  const post = (message: object, signal?: AbortSignal): Promise<Response> =>
    send({
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal === undefined ? {} : { signal }),
    });

  return {
    get isOpen() {
      return isOpen;
    },
    request: async (method, params, signal) => {
      if (!isOpen) throw new ChannelError("not_sent", "The connection is closed.");
      signal?.throwIfAborted();
      const id = nextId;
      nextId += 1;
      const cancel = (): void => {
        void post({ method: "notifications/cancelled", params: { requestId: id } }).catch(ignore);
      };
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        const response = await post({ id, method, params }, signal);
        if (response.status === 404) isOpen = false;
        if (!response.ok) throw await refusal(response, "mcp-session-id" in session);
        const result = resultOf(await answerIn(response, id));
        if (method === "initialize") session = sessionOf(response, result);
        return result;
      } catch (error) {
        if (error instanceof ChannelError && error.progress === "lost") isOpen = false;
        throw error;
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
    notify: async (method, params = {}) => {
      const response = await post({ method, params });
      await response.body?.cancel();
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      if ("mcp-session-id" in session) {
        const response = await send({ method: "DELETE" }).catch(ignore);
        await response?.body?.cancel();
      }
    },
  };
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

/** What goes with every further request, as the server's first answer wants it. */
function sessionOf({ headers }: Response, result: unknown): Record<string, string> {
  const id = headers.get("mcp-session-id");
  const { data: version } = versionSchema.safeParse(result);
  return {
    ...(id !== null && SESSION_ID.test(id) ? { "mcp-session-id": id } : {}),
    ...(version === undefined ? {} : { "mcp-protocol-version": version.protocolVersion }),
  };
}

async function refusal(response: Response, hasSession: boolean): Promise<ChannelError> {
  await response.body?.cancel();
  const { status } = response;
  return new ChannelError(REFUSALS.has(status) ? "refused" : "lost", reasonOf(status, hasSession));
}

function reasonOf(status: number, hasSession: boolean): string {
  if (status >= 300 && status < 400) return "It answered with a redirect, which is not followed.";
  if (status === 401 || status === 403) return "It does not accept the token.";
  if (status !== 404) return `It answered with HTTP status ${status}.`;
  return hasSession ? "It does not know this session any more." : "There is no MCP server at this address.";
}

/** The answer to a request, which comes as JSON or in a stream of events. */
async function answerIn(response: Response, id: number): Promise<Message> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  try {
    for await (const text of isStream ? events(response) : [await textOf(response)]) {
      const message = parseMessage(text);
      if (message !== undefined && !("method" in message) && message.id === id) return message;
    }
  } catch (error) {
    if (error instanceof ChannelError || nameOf(error) === "AbortError" || nameOf(error) === "TimeoutError")
      throw error;
    throw new ChannelError("lost", `The connection broke off (${causeOf(error)}).`);
  }
  throw new ChannelError("lost", "The server ended its answer without a result.");
}

async function textOf(response: Response): Promise<string> {
  let text = "";
  for await (const piece of pieces(response)) text += piece;
  return text;
}

async function* events(response: Response): AsyncGenerator<string> {
  let held: string[] = [];
  for await (const raw of pieces(response)) {
    const piece = raw.replaceAll("\r", "");
    if (piece === "") continue;
    const isOpen = !`${held.at(-1)?.slice(-1) ?? ""}${piece}`.includes("\n\n");
    held.push(piece);
    // A long event comes in many pieces: they are joined once.
    if (isOpen) continue;
    const blocks = held.join("").split("\n\n");
    held = [blocks.pop() ?? ""];
    for (const block of blocks) {
      const data = block.split("\n").filter((line) => line.startsWith("data:"));
      yield data.map((line) => line.slice(5).trimStart()).join("\n");
    }
  }
}

/** The body as text, as far as a server may go. */
async function* pieces({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let bytes = 0;
  const chunks: AsyncIterable<Uint8Array> = body;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new ChannelError("lost", "The server sent an answer that is too large.");
    yield decoder.decode(chunk, { stream: true });
  }
}

function causeOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string")
    return cause.code;
  return nameOf(cause) ?? "unknown error";
}

function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

// The request that was cancelled has its answer already; a server that is gone needs no goodbye.
function ignore(): undefined {
  return undefined;
}
