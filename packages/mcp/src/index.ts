// A server for each connection, to be served by any transport of the MCP SDK
export { createServerFactory, type McpServerOptions } from "./server.ts";
export { TOOL_NAMES, type ToolName } from "./tool-names.ts";

// Streamable HTTP with a token
export type { ListenAddress } from "./arguments.ts";
export { serveHttp, type HttpOptions, type HttpService } from "./http.ts";
