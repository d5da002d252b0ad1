import { toMcpToolConfig } from "@fstools/adapters/mcp";
import { z } from "@fstools/protocol";
import { createRecentMap } from "@fstools/sandbox";
import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from "@modelcontextprotocol/server";
import { inputRequired, inputResponse, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { fileURLToPath } from "node:url";
import type { Conversation, McpServerOptions, Service } from "./service.ts";
import { annotations, createService, VERSION } from "./service.ts";

/** Makes a server for one connection or, where there is none, for one HTTP request. */
export type ServerFactory = (context?: { readonly requestInfo?: Request | undefined }) => McpServer;

const MAX_CLIENTS = 64;

const clientSchema = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string().max(200) }) });

/**
 * Prepares servers: one for each connection, as MCP wants it. Each has its own memory of the files that it has shown; of
 * clients that keep no connection, each name has one.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createServerFactory(options: McpServerOptions = {}): ServerFactory {
  const service = createService(options);
  const clients = createRecentMap<Conversation>(MAX_CLIENTS);
  const ofClient = ({ mcpReq }: ServerContext): Conversation => {
    const { data } = clientSchema.safeParse(mcpReq.envelope);
    const name = data?.[CLIENT_INFO_META_KEY].name ?? "";
    const conversation = clients.get(name) ?? service.openConversation();
    clients.set(name, conversation);
    return conversation;
  };
  return (context) => {
    if (context?.requestInfo !== undefined) return createServer(service, ofClient);
    const conversation = service.openConversation();
    return createServer(service, () => conversation);
  };
}

export function createServer(service: Service, conversationOf: (context: ServerContext) => Conversation): McpServer {
  const { definitions, instructions, asksForRoots, structured } = service;
  const server = new McpServer({ name: "fstools", version: VERSION }, { instructions });
  for (const definition of definitions) {
    const config = toMcpToolConfig(definition, { structured, annotations });
    server.registerTool(definition.name, config, async (input, context) => {
      const roots = asksForRoots ? clientRoots(server, context) : [];
      if (roots === undefined) return inputRequired({ inputRequests: { [REQUEST_KEY]: inputRequired.listRoots() } });
      return conversationOf(context).call(definition.name, input, roots, context);
    });
  }
  return server;
}

const REQUEST_KEY = "roots";

/**
 * The client's roots, as directories; undefined if it must be asked first. Newer clients send them along when asked in an
 * answer, older ones when sent a request; the SDK does the one or the other. A client that has no roots returns none.
 */
function clientRoots(server: McpServer, context: ServerContext): string[] | undefined {
  const given = inputResponse(context.mcpReq.inputResponses, REQUEST_KEY);
  if (given.kind === "roots") return given.roots.flatMap(toDirectory);
  return canListRoots(server, context) ? undefined : [];
}

function toDirectory({ uri }: { readonly uri: string }): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Not a local directory: nothing here can open it.
    return [];
  }
}

function canListRoots({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients of 2025 say it once, not with every request
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  return typeof capabilities === "object" && "roots" in capabilities;
}
