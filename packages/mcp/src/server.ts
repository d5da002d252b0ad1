import { toMcpToolConfig } from "@fstools/adapters/mcp";
import { McpServer } from "@modelcontextprotocol/server";
import { clientRoots } from "./project/client-roots.ts";
import { annotations, type Conversation, createService, type McpServerOptions, type Service } from "./service.ts";
import { VERSION } from "./version.ts";

/** Makes a server for one connection. */
export type ServerFactory = () => McpServer;

/** For each factory, one whose servers share their memory of files: a client without sessions gets a server per call. */
const statelessFactories = new WeakMap<ServerFactory, ServerFactory>();

/**
 * Prepares servers: one for each connection, as MCP wants it. Each has its own memory of the files that it has shown.
 * @throws Error if a root is not an existing directory, or a rule cannot be used
 */
export function createServerFactory(options: McpServerOptions = {}): ServerFactory {
  return serverFactoryOf(createService(options));
}

/** The same for an existing service. */
export function serverFactoryOf(service: Service): ServerFactory {
  const shared = service.openConversation();
  const factory = () => createServer(service, service.openConversation());
  statelessFactories.set(factory, () => createServer(service, shared));
  return factory;
}

/** The variant of a factory for clients that keep no connection. */
export function statelessFactory(factory: ServerFactory): ServerFactory {
  return statelessFactories.get(factory) ?? factory;
}

export function createServer(service: Service, conversation: Conversation): McpServer {
  const { definitions, instructions, roots, structured } = service;
  const server = new McpServer({ name: "fstools", version: VERSION }, { instructions });
  for (const definition of definitions) {
    const config = toMcpToolConfig(definition, { structured, annotations });
    server.registerTool(definition.name, config, async (input, context) => {
      const found = roots.length > 0 ? { roots } : clientRoots(server, context);
      return "ask" in found ? found.ask : conversation.call(definition.name, input, found.roots, context);
    });
  }
  return server;
}
