import { z } from "zod";
import { agentEventSchema } from "../agent/event-schema.ts";
import type { AgentEvent } from "../agent/events.ts";
import { infoSchema, toolResultSchema } from "../server/api.ts";
import type { AgentQuestion, Info, ToolResult, TruncatorSettings } from "../server/api.ts";

/** What the server said was wrong, or that it did not answer. */
class RequestError extends Error {}

const refusalSchema = z.object({ error: z.string().optional() }).catch({});

/** What the page needs to know at start. */
export function fetchInfo(signal: AbortSignal): Promise<Info> {
  return requestJson("/api/info", { signal }, infoSchema);
}

/** Runs one tool. */
export function runTool(
  tool: string,
  body: { params: unknown; truncator?: TruncatorSettings },
  signal: AbortSignal,
): Promise<ToolResult> {
  return requestJson(`/api/tools/${encodeURIComponent(tool)}`, post(body, signal), toolResultSchema);
}

/** Asks the agent; the events come as they happen. */
export async function* askAgent(question: AgentQuestion, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const response = await request("/api/agent", post(question, signal));
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

async function requestJson<Answer>(url: string, options: Request, schema: z.ZodType<Answer>): Promise<Answer> {
  const response = await request(url, options);
  return schema.parse(await response.json());
}

/** The token that the page was opened with. */
export const token: string = new URLSearchParams(window.location.search).get("token") ?? "";

interface Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

async function request(url: string, options: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } });
  } catch (error) {
    if (options.signal.aborted) throw error;
    throw new RequestError("The playground's server does not answer. Is it still running?");
  }
  if (response.ok) return response;
  const refusal = refusalSchema.parse(await response.json().catch(() => ({})));
  throw new RequestError(refusal.error ?? `The server answered ${response.status}.`);
}

function post(body: unknown, signal: AbortSignal): Request {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}
