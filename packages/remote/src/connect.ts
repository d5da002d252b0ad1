import { escapeText, type Tool, type ToolCategory, z } from "@fstools/protocol";
import { isToolName, toolDefinitions, type ToolName } from "@fstools/toolset";
import { type Channel, HANDSHAKE_MS, openChannel } from "./channel.ts";
import type { Endpoint } from "./http.ts";
import { CallFailure } from "./message.ts";
import type { Command } from "./process.ts";
import { createRemoteTool, NO_ENVELOPES } from "./tool.ts";

/** The tools of a project on another machine. */
export interface RemoteToolset {
  readonly tools: readonly Tool[];
  /** Ends the connection, and the program at its other end. */
  close(): Promise<void>;
}

const CATEGORIES: Readonly<Record<string, ToolCategory>> = { LS: "ls", Glob: "glob", Grep: "grep" };

const OWN_SERVER = "fstools";
const listSchema = z.object({
  tools: z.array(z.object({ name: z.string(), outputSchema: z.unknown().optional() })),
});

/**
 * Connects to a server of `@fstools/mcp` that runs where the files are, started with `--structured`. The tools are those that
 * the server offers and this package knows; names, descriptions and schemas are this package's own.
 * @throws Error if the server cannot be reached, offers no such tool, sends no envelopes, or if a token could be read on
 * its way there
 */
export async function connectToolset(options: Command | Endpoint): Promise<RemoteToolset> {
  let current = openChannel(options);
  let isClosed = false;

  const connect = async (): Promise<Channel> => {
    const known = current;
    const channel = await known.catch(() => undefined);
    if (isClosed) throw new CallFailure("closed", "The connection was closed.");
    if (channel?.isOpen === true) return channel;
    // Of several calls that find it broken, the first makes the new one.
    if (current === known) current = openChannel(options);
    return current.catch(notSent);
  };

  const definitions = toolDefinitions(await offeredTools(current));
  return {
    tools: definitions.map((definition) => {
      const next = definitions.filter((other) => other === definition || other.effect === "read");
      const category = definition.effect === "write" ? "edit" : (CATEGORIES[definition.name] ?? "read");
      return createRemoteTool({ definition, category, nextTools: next.map(({ name }) => name) }, connect);
    }),
    close: async () => {
      isClosed = true;
      const channel = await current.catch(() => undefined);
      await channel?.close();
    },
  };
}

/** The tools that can be used; without one, the connection is ended. */
async function offeredTools(opening: Promise<Channel>): Promise<ToolName[]> {
  const channel = await reached(opening);
  try {
    const names = await reached(listTools(channel));
    if (names.length === 0) throw new Error("The server offers none of these tools.");
    return names;
  } catch (error) {
    await channel.close();
    throw error;
  }
}

async function listTools(channel: Channel): Promise<ToolName[]> {
  const result = await channel.request("tools/list", {}, { timeoutMs: HANDSHAKE_MS });
  const { data: list } = listSchema.safeParse(result);
  if (list === undefined) throw new CallFailure("invalid", "The server's list of tools is not valid.");
  const known = list.tools.flatMap(({ name, ...tool }) => (isToolName(name) ? { ...tool, name } : []));
  // It would do its work and answer with text alone, so that nothing could be said about it.
  const hasEnvelopes = channel.serverName !== OWN_SERVER || known.every((tool) => tool.outputSchema !== undefined);
  if (!hasEnvelopes) throw new CallFailure("invalid", NO_ENVELOPES);
  return [...new Set(known.map(({ name }) => name))];
}

async function reached<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    const reason = escapeText(error instanceof Error ? error.message : String(error));
    const isAnswer = error instanceof CallFailure && error.progress === "invalid";
    throw new Error(isAnswer ? reason : `The server cannot be reached. ${reason}`, { cause: error });
  }
}

/** Whatever happened to the handshake, the call itself never left. */
function notSent(error: unknown): never {
  throw new CallFailure("not_sent", error instanceof Error ? error.message : "", { cause: error });
}
