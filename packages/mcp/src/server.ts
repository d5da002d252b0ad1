import { toMcpToolConfig } from "@fstools/adapters/mcp";
import { z } from "@fstools/protocol";
import { createRecentMap } from "@fstools/sandbox";
import { CLIENT_INFO_META_KEY, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { clientRoots } from "./client-roots.ts";
import { annotations, type Conversation, createService, type McpServerOptions, type Service } from "./service.ts";
import { VERSION } from "./version.ts";

/** Makes a server for one connection or, where there is none, for one HTTP request. */
export type ServerFactory = (context?: { readonly requestInfo?: Request | undefined }) => McpServer;

/** How many clients without a connection are remembered. */
const MAX_CLIENTS = 64;

const clientSchema = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string().max(200) }) });

/**
 * Prepares servers: one for each connection, as MCP wants it. Each has its own memory of the files that it has shown; of
 * clients that keep no connection, each name has one.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createServerFactory(options: McpServerOptions = {}): ServerFactory {
  return serverFactoryOf(createService(options));
}

/** The same for an existing service. */
export function serverFactoryOf(service: Service): ServerFactory {
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

/** A server over these conversations. */
export function createServer(service: Service, conversationOf: (context: ServerContext) => Conversation): McpServer {
  const { definitions, instructions, asksForRoots, structured } = service;
  const server = new McpServer({ name: "fstools", version: VERSION }, { instructions });
  for (const definition of definitions) {
    const config = toMcpToolConfig(definition, { structured, annotations });
    server.registerTool(definition.name, config, async (input, context) => {
      const found = asksForRoots ? clientRoots(server, context) : { roots: [] };
      if ("ask" in found) return found.ask;
      return conversationOf(context).call(definition.name, input, found.roots, context);
    });
  }
  return server;
}
