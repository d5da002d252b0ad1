import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ServerFactory } from "../server.ts";
import { MAX_MESSAGE_BYTES } from "../message-size.ts";
import { createGuard } from "./guard.ts";
import { serveFetch } from "./serve-fetch.ts";
import { createSessions } from "./sessions.ts";

/** Where the server listens. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that listens. */
export interface HttpService {
  /** Where clients connect to. */
  readonly url: string;
  /** What they must send as `Authorization: Bearer`. */
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
    else if (pathOf(request) !== ENDPOINT) refuse(response, 404, `There is only ${ENDPOINT} here.`);
    else serveFetch(request, response, fetch).catch(onError);
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${portOf(server.address())}${ENDPOINT}`,
    token,
    close: async () => {
      await Promise.all([modern.close(), sessions.close()]);
      server.close();
      server.closeAllConnections();
    },
  };
}

function pathOf({ url = "" }: IncomingMessage): string {
  return url.split("?")[0] ?? "";
}

function portOf(address: ReturnType<ReturnType<typeof createHttpServer>["address"]>): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const challenge = status === 401 ? { "www-authenticate": "Bearer" } : {};
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...challenge });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }));
}
