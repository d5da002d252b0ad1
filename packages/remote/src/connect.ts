import { escapeText, isRecord, type Tool, type ToolCategory, z } from "@fstools/protocol";
import { isToolName, toolDefinitions, type ToolName } from "@fstools/toolset";
import { type Channel, ChannelError } from "./channel/channel.ts";
import { type Endpoint, openHttp } from "./channel/http-channel.ts";
import { type Command, openProcess } from "./channel/process-channel.ts";
import { NO_ENVELOPES } from "./envelope.ts";
import { createRemoteTool } from "./tool.ts";

/** The tools of a project on another machine. */
export interface RemoteToolset {
  readonly tools: readonly Tool[];
  /** Ends the connection, and the program at its other end. */
  close(): Promise<void>;
}

const PROTOCOL_VERSION = "2025-06-18";
const HANDSHAKE_MS = 30_000;
const MAX_PAGES = 10;

const CATEGORIES: Readonly<Record<string, ToolCategory>> = {
  LS: "ls",
  Glob: "glob",
  Grep: "grep",
  Edit: "edit",
  Write: "edit",
};

const initializeSchema = z.object({
  protocolVersion: z.string(),
  serverInfo: z.unknown(),
});
/** What a server of `@fstools/mcp` calls itself. */
const OWN_SERVER = "fstools";
const listSchema = z.object({
  tools: z.array(z.object({ name: z.string(), outputSchema: z.unknown().optional() })),
  nextCursor: z.string().optional(),
});

/**
 * Connects to a server of `@fstools/mcp` that runs where the files are, started with `--structured`. The tools are those that
 * the server offers and this package knows; names, descriptions and schemas are this package's own.
 * @throws Error if the server cannot be reached, offers no such tool, sends no envelopes, or if a token could be read on
 * its way there
 */
export async function connectToolset(options: Command | Endpoint): Promise<RemoteToolset> {
  const open = (): Channel => ("url" in options ? openHttp(options) : openProcess(options));
  let current: Promise<Connection> | undefined = handshake(open());
  let isClosed = false;

  const connect = async (): Promise<Channel> => {
    const known = current;
    const { channel } = (await known?.catch(() => undefined)) ?? {};
    if (isClosed) throw new ChannelError("closed", "The connection was closed.");
    if (channel?.isOpen === true) return channel;
    // Of several calls that find it broken, the first makes the new one.
    if (current === known || current === undefined) current = handshake(open());
    return (await current.catch(notSent)).channel;
  };

  const definitions = toolDefinitions(await offeredTools(current));
  return {
    tools: definitions.map((definition) => {
      const next = definitions.filter((other) => other === definition || other.effect === "read");
      const category = CATEGORIES[definition.name] ?? "read";
      return createRemoteTool({ definition, category, nextTools: next.map(({ name }) => name) }, connect);
    }),
    close: async () => {
      isClosed = true;
      const connection = await current?.catch(() => undefined);
      current = undefined;
      await connection?.channel.close();
    },
  };
}

/** A channel on which tools can be called. */
interface Connection {
  readonly channel: Channel;
  /** Whether it leads to a server of `@fstools/mcp`, by its own word. */
  readonly isOwnServer: boolean;
}

async function handshake(channel: Channel): Promise<Connection> {
  const clientInfo = { name: "fstools-remote", version: "1" };
  const signal = AbortSignal.timeout(HANDSHAKE_MS);
  try {
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo };
    const { data } = initializeSchema.safeParse(await channel.request("initialize", params, signal));
    if (data === undefined) throw new ChannelError("invalid", "The server's answer to the handshake is not valid.");
    await channel.notify("notifications/initialized");
    return { channel, isOwnServer: isRecord(data.serverInfo) && data.serverInfo.name === OWN_SERVER };
  } catch (error) {
    await channel.close();
    throw error;
  }
}

/** The tools that can be used; without one, the connection is ended. */
async function offeredTools(connecting: Promise<Connection>): Promise<ToolName[]> {
  const { channel, isOwnServer } = await reached(connecting);
  try {
    const names = await reached(listTools(channel, isOwnServer));
    if (names.length === 0) throw new Error("The server offers none of these tools.");
    return names;
  } catch (error) {
    await channel.close();
    throw error;
  }
}

async function listTools(channel: Channel, isOwnServer: boolean): Promise<ToolName[]> {
  const names = new Set<ToolName>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const signal = AbortSignal.timeout(HANDSHAKE_MS);
    const result = await channel.request("tools/list", cursor === undefined ? {} : { cursor }, signal);
    const { data: list } = listSchema.safeParse(result);
    if (list === undefined) throw new ChannelError("invalid", "The server's list of tools is not valid.");
    for (const { name, outputSchema } of list.tools) {
      if (!isToolName(name)) continue;
      // It would do its work and answer with text alone, so that nothing could be said about it.
      if (isOwnServer && outputSchema === undefined) throw new ChannelError("invalid", NO_ENVELOPES);
      names.add(name);
    }
    cursor = list.nextCursor;
    if (cursor === undefined) break;
  }
  return [...names];
}

async function reached<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    const reason = escapeText(error instanceof Error ? error.message : String(error));
    const isAnswer = error instanceof ChannelError && error.progress === "invalid";
    throw new Error(isAnswer ? reason : `The server cannot be reached. ${reason}`, { cause: error });
  }
}

/** Whatever happened to the handshake, the call itself never left. */
function notSent(error: unknown): never {
  throw new ChannelError("not_sent", error instanceof Error ? error.message : "", { cause: error });
}
