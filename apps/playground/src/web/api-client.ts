import { z } from "zod";
import { agentEventSchema } from "../agent/event-schema.ts";
import type { AgentEvent } from "../agent/events.ts";
import { definitionCostsSchema, infoSchema, toolResultSchema } from "../server/api.ts";
import type { AgentQuestion, Decision, Info, ToolRequest, ToolResult } from "../server/api.ts";

/** Which project the page shows: the one that the server was started on, or the copy of the demo. */
export type ProjectId = "main" | "demo";

/** The server, as one project's page sees it. */
export interface Client {
  readonly project: ProjectId;
  info(signal: AbortSignal): Promise<Info>;
  /** What each tool's definition costs, in tokens. */
  definitionCosts(signal: AbortSignal): Promise<Readonly<Record<string, number>>>;
  runTool(tool: string, request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;
  /** Asks the agent; the events come as they happen. */
  ask(question: AgentQuestion, signal: AbortSignal): AsyncGenerator<AgentEvent>;
  decide(decision: Decision): Promise<void>;
}

/** The token that the page was opened with. */
export const token: string = new URLSearchParams(window.location.search).get("token") ?? "";

/** What the server said was wrong, or that it did not answer. */
class RequestError extends Error {}

/** A client for one project. */
export function createClient(project: ProjectId): Client {
  return {
    project,
    info: async (signal) => infoSchema.parse(await json(urlOf("info", project), { signal })),
    definitionCosts: async (signal) =>
      definitionCostsSchema.parse(await json(urlOf("definitions", project), { signal })),
    runTool: async (tool, body, signal) =>
      toolResultSchema.parse(await json(toolUrl(tool, project), { ...post(body), signal })),
    ask: (question, signal) => events(urlOf("agent", project), { ...post(question), signal }),
    decide: async (decision) => {
      await json(urlOf("decisions", project), post(decision));
    },
  };
}

/** Makes a fresh copy of the demo project; the project "demo" is then that one. */
export async function openDemo(): Promise<Info> {
  return infoSchema.parse(await json("/api/demo", post({})));
}

/** Where a tool of a project is called. */
export function toolUrl(tool: string, project: ProjectId): string {
  return urlOf(`tools/${encodeURIComponent(tool)}`, project);
}

function urlOf(path: string, project: ProjectId): string {
  return project === "main" ? `/api/${path}` : `/api/${path}?project=${project}`;
}

interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

function post(body: unknown): Request {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function json(url: string, options: Request): Promise<unknown> {
  return (await request(url, options)).json();
}

async function* events(url: string, options: Request): AsyncGenerator<AgentEvent> {
  const response = await request(url, options);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (reader) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield agentEventSchema.parse(JSON.parse(line));
  }
  if (rest !== "") throw new RequestError("The server's answer broke off.");
}

const refusalSchema = z.object({ error: z.string().optional() }).catch({});

async function request(url: string, options: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new RequestError("The playground's server does not answer. Is it still running?");
  }
  if (response.ok) return response;
  const refusal = refusalSchema.parse(await response.json().catch(() => ({})));
  throw new RequestError(refusal.error ?? `The server answered ${response.status}.`);
}
