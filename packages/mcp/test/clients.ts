import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldStreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { toolResponseSchema, z } from "@fstools/protocol";
import { type Launch, launchHttp, type LaunchOptions, serverCommand } from "./launch.ts";

/** What a test does with a client of either generation. */
export interface TestClient {
  listTools(): Promise<ListedTool[]>;
  call(tool: string, input: object, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
  /** The server's process. */
  readonly pid: number;
}

interface ListedTool {
  readonly name: string;
  readonly annotations?: object | undefined;
  readonly outputSchema?: object | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number }) => void;
}

const answerSchema = z.object({
  content: z.tuple([z.object({ type: z.literal("text"), text: z.string() })]),
  structuredContent: toolResponseSchema.optional(),
  isError: z.boolean(),
});
export type Answer = z.output<typeof answerSchema>;

/** The code of an answer's error. */
export function errorCode({ structuredContent }: Answer): string | undefined {
  return structuredContent?.status === "error" ? structuredContent.error.code : undefined;
}

export type Generation = "2025" | "2026";
export type Carrier = "stdio" | "http";

/** Every official client over every transport. */
export const WAYS: readonly { generation: Generation; carrier: Carrier }[] = [
  { generation: "2025", carrier: "stdio" },
  { generation: "2026", carrier: "stdio" },
  { generation: "2025", carrier: "http" },
  { generation: "2026", carrier: "http" },
];

const INFO = { name: "test", version: "1.0.0" };

/** Starts the server as a process of its own and connects the official client of that generation to it. */
export async function connect(
  way: { generation: Generation; carrier: Carrier },
  options: LaunchOptions & { readonly offers?: readonly string[] },
): Promise<TestClient> {
  const launch = way.carrier === "http" ? await launchHttp(options) : undefined;
  return way.generation === "2026" ? connectNew(options, launch) : connectOld(options, launch);
}

type ConnectOptions = LaunchOptions & { readonly offers?: readonly string[] };

async function connectNew(options: ConnectOptions, launch: Launch | undefined): Promise<TestClient> {
  const clientOptions: ClientOptions = { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client(INFO, { ...clientOptions, capabilities: options.offers ? { roots: {} } : {} });
  if (options.offers) client.setRequestHandler("roots/list", () => ({ roots: toRoots(options.offers) }));
  const stdio = launch ? undefined : new StdioClientTransport(serverCommand(options));
  await client.connect(
    stdio ?? new StreamableHTTPClientTransport(new URL(launch?.url ?? ""), { requestInit: authorized(launch) }),
  );
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, input, callOptions) =>
      answerSchema.parse(await client.callTool({ name, arguments: { ...input } }, callOptions)),
    close: async () => {
      await client.close();
      launch?.stop();
    },
    pid: stdio?.pid ?? launch?.pid ?? 0,
  };
}

async function connectOld(options: ConnectOptions, launch: Launch | undefined): Promise<TestClient> {
  const client = new OldClient(INFO, { capabilities: options.offers ? { roots: {} } : {} });
  if (options.offers) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: toRoots(options.offers) }));
  const stdio = launch ? undefined : new OldStdioClientTransport(serverCommand(options));
  const http = new OldStreamableHTTPClientTransport(new URL(launch?.url ?? "http://127.0.0.1"), {
    requestInit: authorized(launch),
  });
  await client.connect(stdio ?? http);
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, input, callOptions) =>
      answerSchema.parse(await client.callTool({ name, arguments: { ...input } }, undefined, callOptions)),
    close: async () => {
      await client.close();
      launch?.stop();
    },
    pid: stdio?.pid ?? launch?.pid ?? 0,
  };
}

function authorized(launch: Launch | undefined): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${launch?.token ?? ""}` } };
}

function toRoots(uris: readonly string[] = []): { uri: string }[] {
  return uris.map((uri) => ({ uri }));
}
