import { echo, isRecord } from "@fstools/protocol";
import type { ProgressNotification } from "@fstools/adapters/mcp";
import { toDirectory } from "../project/absolute.ts";
import type { Service } from "../service.ts";
import { VERSION } from "../version.ts";
import { isRequestId, type JsonObject, type RequestId } from "./message.ts";

/** The revisions of MCP that begin with a handshake, newest first. */
const PROTOCOL_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** One client of a revision of 2024 or 2025, which begins with a handshake. */
export interface Session {
  /** Takes a message from the client. */
  take(message: unknown): void;
  /** Stops what is still under way. */
  close(): void;
}

/**
 * Answers a client over any pair of streams. It does no more than this server needs, so that neither the start nor a call
 * waits for a general SDK.
 */
export function createSession(service: Service, send: (message: object) => void): Session {
  const conversation = service.openConversation();
  const running = new Map<RequestId, AbortController>();
  const asked = new Map<string, (result: unknown) => void>();
  let capabilities: JsonObject = {};
  let knownRoots: Promise<readonly string[]> | undefined;
  let questions = 0;

  const answer = (id: RequestId, result: object): void => {
    send({ jsonrpc: "2.0", id, result });
  };
  const refuse = (id: RequestId | null, code: number, message: string): void => {
    send({ jsonrpc: "2.0", id, error: { code, message } });
  };

  const clientRoots = (): Promise<readonly string[]> => {
    if (service.roots.length > 0 || !isRecord(capabilities.roots)) return Promise.resolve([]);
    // A client that reports changes is asked once.
    if (capabilities.roots.listChanged === true && knownRoots !== undefined) return knownRoots;
    questions += 1;
    const id = `roots-${questions}`;
    knownRoots = new Promise<unknown>((resolve) => {
      asked.set(id, resolve);
    }).then(rootsOf);
    send({ jsonrpc: "2.0", id, method: "roots/list" });
    return knownRoots;
  };

  const callTool = async (id: RequestId, params: JsonObject): Promise<void> => {
    const { name, arguments: input, _meta: meta } = params;
    if (typeof name !== "string" || !service.definitions.some((definition) => definition.name === name)) {
      refuse(id, -32_602, noSuchTool(service, name));
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await conversation.call(name, input, await clientRoots(), {
        signal: controller.signal,
        ...progressOf(meta),
        sendNotification: (notification: ProgressNotification) => {
          send({ jsonrpc: "2.0", ...notification });
          return Promise.resolve();
        },
      });
      // A client that cancelled a call does not wait for its answer.
      if (!controller.signal.aborted) answer(id, result);
    } catch {
      refuse(id, -32_603, "The call failed unexpectedly.");
    } finally {
      running.delete(id);
    }
  };

  const request = (id: RequestId, method: string, params: JsonObject): void => {
    if (method === "tools/call") void callTool(id, params);
    else if (method === "tools/list") answer(id, { tools: service.tools });
    else if (method === "ping") answer(id, {});
    else if (method === "initialize") {
      capabilities = isRecord(params.capabilities) ? params.capabilities : {};
      answer(id, {
        protocolVersion:
          PROTOCOL_VERSIONS.find((version) => version === params.protocolVersion) ?? PROTOCOL_VERSIONS[0],
        capabilities: { tools: {} },
        serverInfo: { name: "fstools", version: VERSION },
        instructions: service.instructions,
      });
    } else refuse(id, -32_601, "Method not found");
  };

  const notification = (method: string, params: JsonObject): void => {
    if (method === "notifications/cancelled" && isRequestId(params.requestId)) {
      running.get(params.requestId)?.abort();
    } else if (method === "notifications/roots/list_changed") {
      knownRoots = undefined;
    }
  };

  const take = (message: unknown): void => {
    if (Array.isArray(message)) {
      for (const item of message) take(item);
      return;
    }
    if (!isRecord(message)) {
      refuse(null, -32_600, "Invalid request");
      return;
    }
    const { id, method } = message;
    const params = isRecord(message.params) ? message.params : {};
    if (typeof method === "string" && isRequestId(id)) request(id, method, params);
    else if (typeof method === "string") notification(method, params);
    else if (typeof id === "string" && asked.has(id)) {
      asked.get(id)?.(message.result);
      asked.delete(id);
    } else if (!("result" in message) && !("error" in message))
      refuse(isRequestId(id) ? id : null, -32_600, "Invalid request");
  };

  return {
    take,
    close: () => {
      for (const controller of running.values()) controller.abort();
    },
  };
}

function noSuchTool({ definitions }: Service, name: unknown): string {
  const problem = typeof name === "string" ? `There is no tool '${echo(name)}'.` : "The call names no tool.";
  return `${problem} The tools are ${definitions.map((definition) => definition.name).join(", ")}.`;
}

function progressOf(meta: unknown): { _meta?: { progressToken: RequestId } } {
  return isRecord(meta) && isRequestId(meta.progressToken) ? { _meta: { progressToken: meta.progressToken } } : {};
}

function rootsOf(result: unknown): string[] {
  const roots: unknown[] = isRecord(result) && Array.isArray(result.roots) ? result.roots : [];
  return roots.flatMap((root) =>
    isRecord(root) && typeof root.uri === "string" ? toDirectory({ uri: root.uri }) : [],
  );
}
