// A server for each connection, to be served by any transport of the MCP SDK
export { createServerFactory, type McpServerOptions, type ServerFactory } from "./server.ts";

// Streamable HTTP with a token
export type { ListenAddress } from "./arguments.ts";
export { serveHttp, type HttpOptions, type HttpService } from "./http/http.ts";
