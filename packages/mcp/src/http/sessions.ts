import { isInitializeRequest, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { randomUUID } from "node:crypto";
import type { ServerFactory } from "../server.ts";
import { MAX_MESSAGE_BYTES } from "../service.ts";

/** How many clients of the 2025 revisions may be connected at a time; the one that was silent longest is dropped. */
const MAX_SESSIONS = 64;

/** A server for each session: later requests can cancel earlier ones, and the client can be asked for its roots. */
export function createSessions(createServer: ServerFactory) {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        const [oldest] = transports.values();
        if (transports.size > MAX_SESSIONS) void oldest?.close();
      },
    });
    transport.onclose = () => {
      if (transport.sessionId !== undefined) transports.delete(transport.sessionId);
    };
    await createServer().connect(transport);
    return transport;
  };

  const known = (id: string): WebStandardStreamableHTTPServerTransport | undefined => {
    const transport = transports.get(id);
    // Last in line to be dropped.
    if (transport !== undefined && transports.delete(id)) transports.set(id, transport);
    return transport;
  };

  return {
    fetch: async (request: Request): Promise<Response> => {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) return known(id)?.handleRequest(request) ?? refuse(404, "Session not found. Initialize again.");
      const sent: Promise<unknown> = request.clone().json();
      const body = await sent.catch(() => undefined);
      if (!isInitializeRequest(body)) return refuse(400, "Initialize first, then send the Mcp-Session-Id.");
      return (await open()).handleRequest(request);
    },
    close: async () => {
      await Promise.all([...transports.values()].map((transport) => transport.close()));
    },
  };
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status });
}
