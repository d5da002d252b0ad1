import { createMcpHandler, isLegacyRequest, localhostAllowedHostnames } from "@modelcontextprotocol/server";
import { localhostAllowedOrigins, validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { ServerFactory } from "../server.ts";
import { MAX_MESSAGE_BYTES } from "../service.ts";
import { serveFetch } from "./serve-fetch.ts";
import { createSessions } from "./sessions.ts";

/** Where the server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that listens. */
export interface HttpService {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/** How the server is reached over HTTP. */
export interface HttpOptions extends ListenAddress {
  /** @default a random one */
  readonly token?: string | undefined;
  readonly onError?: (error: Error) => void;
}

const ENDPOINT = "/mcp";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** What a client can send behind `Bearer`. */
const TOKEN = /^[\x21-\x7e]+$/u;

/**
 * Serves streamable HTTP at `/mcp`, to clients of every revision of MCP.
 * @throws Error if the address is not loopback or cannot be listened on, or if the token cannot be sent in a header
 */
export async function serveHttp(createServer: ServerFactory, options: HttpOptions): Promise<HttpService> {
  const { host, port, token = randomBytes(24).toString("base64url"), onError = () => undefined } = options;
  if (!LOOPBACK.has(host)) {
    throw new Error(
      `'${host}' is not a loopback address. Listen on 127.0.0.1 and put a proxy with TLS in front to serve others.`,
    );
  }
  if (!TOKEN.test(token)) throw new Error("The token must be visible ASCII characters, at least one, without blanks.");
  const guard = createGuard(token);
  const modern = createMcpHandler(createServer, {
    legacy: "reject",
    onerror: onError,
    maxRequestBodySize: MAX_MESSAGE_BYTES,
  });
  const sessions = createSessions(createServer);
  const fetch = async (request: Request): Promise<Response> =>
    (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_MESSAGE_BYTES }))
      ? sessions.fetch(request)
      : modern.fetch(request);
  const server = createHttpServer((request, response) => {
    const refusal = guard(request.headers);
    if (refusal !== undefined) refuse(response, refusal.status, refusal.message);
    else if (request.url?.split("?")[0] !== ENDPOINT) refuse(response, 404, `There is only ${ENDPOINT} here.`);
    else serveFetch(request, response, fetch).catch(onError);
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  const boundPort = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}${ENDPOINT}`,
    token,
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
      server.close();
      server.closeAllConnections();
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...challenge });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}

/**
 * Decides whether a request may be served, before its body is read. A page in a browser that reaches the port through
 * DNS rebinding shows a foreign Host or Origin; everyone else needs the token.
 */
export function createGuard(token: string) {
  const expected = digest(token);
  return ({ host, origin, authorization = "" }: IncomingHttpHeaders) => {
    if (!validateHostHeader(host, localhostAllowedHostnames()).ok) {
      return { status: 403, message: "The Host header is not a loopback name." };
    }
    if (!validateOriginHeader(origin, localhostAllowedOrigins()).ok) {
      return { status: 403, message: "The Origin header is not a loopback origin." };
    }
    const { given = "" } = /^Bearer +(?<given>\S+)$/iu.exec(authorization)?.groups ?? {};
    if (timingSafeEqual(digest(given), expected)) return undefined;
    return { status: 401, message: "Send the server's token: Authorization: Bearer TOKEN." };
  };
}

// Digests have one length, whatever was sent, as the comparison in constant time needs it.
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
