import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fileURLToPath } from "node:url";

const REQUEST_KEY = "roots";

/** Either the directories that a call may look into, or what the client must be asked first. */
export type RootsAnswer = { readonly roots: readonly string[] } | { readonly ask: InputRequiredResult };

/**
 * The client's roots, as directories. Newer clients send them along when asked in an answer, older ones when sent a
 * request; the SDK does the one or the other. A client that has no roots returns none.
 */
export function clientRoots(server: McpServer, context: ServerContext): RootsAnswer {
  const given = inputResponse(context.mcpReq.inputResponses, REQUEST_KEY);
  if (given.kind === "roots") return { roots: given.roots.flatMap(toDirectory) };
  if (!canListRoots(server, context)) return { roots: [] };
  return { ask: inputRequired({ inputRequests: { [REQUEST_KEY]: inputRequired.listRoots() } }) };
}

/** The directory of a `file:` URL, if it is one of this machine. */
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
