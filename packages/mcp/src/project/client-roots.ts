import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { fileURLToPath, pathToFileURL } from "node:url";

const REQUEST_KEY = "roots";

/** Either the directories that a call may look into, or what the client must be asked first. */
export type RootsAnswer = { readonly roots: readonly string[] } | { readonly ask: InputRequiredResult };

/**
 * The client's roots, as directories. Newer clients send them along when asked in an answer, older ones when sent a
 * request; the SDK does the one or the other. A client that has no roots gives none.
 */
export function clientRoots(server: McpServer, context: ServerContext): RootsAnswer {
  const given = inputResponse(context.mcpReq.inputResponses, REQUEST_KEY);
  if (given.kind === "roots") return { roots: given.roots.flatMap(toDirectory) };
  if (!canListRoots(server, context)) return { roots: [] };
  return { ask: inputRequired({ inputRequests: { [REQUEST_KEY]: inputRequired.listRoots() } }) };
}

/** A root of the command line as a call would name it. */
export function toAbsolute(root: string): string {
  // An empty path stays one, to be refused: it must not become the current directory.
  return root === "" ? root : fileURLToPath(pathToFileURL(root));
}

function canListRoots({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients of 2025 say it once, not with every request
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities() ?? {};
  return typeof capabilities === "object" && "roots" in capabilities;
}

function toDirectory({ uri }: { readonly uri: string }): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // Not a local directory: nothing here can open it.
    return [];
  }
}
