// A server for each connection, to be served by any transport of the MCP SDK
export { createServerFactory, type ServerFactory } from "./server.ts";
export type { McpServerOptions } from "./service.ts";

// Streamable HTTP with a token
export { serveHttp, type HttpOptions, type HttpService, type ListenAddress } from "./http/http.ts";
