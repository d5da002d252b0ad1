import { escapeText, type Tool, type ToolCategory, z } from "@fstools/protocol";
import { isToolName, toolDefinitions, type ToolName } from "@fstools/toolset";
import { type Channel, ChannelError } from "./channel/channel.ts";
import { type Endpoint, openHttp } from "./channel/http-channel.ts";
import { type Command, openProcess } from "./channel/process-channel.ts";
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

const listSchema = z.object({
  tools: z.array(z.object({ name: z.string() })),
  nextCursor: z.string().optional(),
});

/**
 * Connects to a server of `@fstools/mcp` that runs where the files are, started with `--structured`. The tools are those that
 * the server offers and this package knows; names, descriptions and schemas are this package's own.
 * @throws Error if the server cannot be reached, offers no such tool, or if a token could be read on its way there
 */
export async function connectToolset(options: Command | Endpoint): Promise<RemoteToolset> {
  const open = (): Channel => ("url" in options ? openHttp(options) : openProcess(options));
  let current: Promise<Channel> | undefined = handshake(open());
  let isClosed = false;

  const connect = async (): Promise<Channel> => {
    const known = current;
    const channel = await known?.catch(() => undefined);
    if (isClosed) throw new ChannelError("not_sent", "The connection was closed.");
    if (channel?.isOpen === true) return channel;
    // Of several calls that find it broken, the first makes the new one.
    if (current === known || current === undefined) current = handshake(open());
    return current.catch(notSent);
  };

  const names = await offeredTools(await first(current));
  return {
    tools: toolDefinitions(names).map((definition) =>
      createRemoteTool({ definition, category: CATEGORIES[definition.name] ?? "read" }, connect),
    ),
    close: async () => {
      isClosed = true;
      const channel = await current?.catch(() => undefined);
      current = undefined;
      await channel?.close();
    },
  };
}

/** A channel on which tools can be called. */
async function handshake(channel: Channel): Promise<Channel> {
  const clientInfo = { name: "fstools-remote", version: "1" };
  const signal = AbortSignal.timeout(HANDSHAKE_MS);
  try {
    await channel.request("initialize", { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }, signal);
    await channel.notify("notifications/initialized");
    return channel;
  } catch (error) {
    await channel.close();
    throw error;
  }
}

async function offeredTools(channel: Channel): Promise<ToolName[]> {
  const names = new Set<ToolName>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const signal = AbortSignal.timeout(HANDSHAKE_MS);
    const result = await channel.request("tools/list", cursor === undefined ? {} : { cursor }, signal);
    const { tools, nextCursor } = listSchema.parse(result);
    for (const { name } of tools) if (isToolName(name)) names.add(name);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  if (names.size > 0) return [...names];
  await channel.close();
  throw new Error("The server offers none of these tools.");
}

async function first(channel: Promise<Channel>): Promise<Channel> {
  try {
    return await channel;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The server cannot be reached. ${escapeText(reason)}`, { cause: error });
  }
}

/** Whatever happened to the handshake, the call itself never left. */
function notSent(error: unknown): never {
  throw new ChannelError("not_sent", error instanceof Error ? error.message : "", { cause: error });
}
