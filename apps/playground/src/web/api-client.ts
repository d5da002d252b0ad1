import type { AgentEvent } from "../agent/events.ts";
import type { AgentQuestion, Info, ToolResult, TruncatorSettings } from "../server/api.ts";

/** What the server said was wrong, or that it did not answer. */
class RequestError extends Error {}

/** What the page needs to know at start. */
export function fetchInfo(signal: AbortSignal): Promise<Info> {
  return requestJson<Info>("/api/info", { signal });
}

/** Runs one tool. */
export function runTool(
  tool: string,
  body: { params: unknown; truncator?: TruncatorSettings },
  signal: AbortSignal,
): Promise<ToolResult> {
  return requestJson<ToolResult>(`/api/tools/${encodeURIComponent(tool)}`, post(body, signal));
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
    for (const line of lines) yield parseEvent(line);
  }
  if (rest !== "") throw new RequestError("The server's answer broke off.");
}

// The server is of the same build as the page, so its answers have the types that both share.
function parseEvent(line: string): AgentEvent {
  return JSON.parse(line) as AgentEvent;
}

async function requestJson<Answer>(url: string, options: RequestInit): Promise<Answer> {
  const response = await request(url, options);
  return (await response.json()) as Answer;
}

async function request(url: string, options: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, options);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new RequestError("The playground's server does not answer. Is it still running?");
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  throw new RequestError(body.error ?? `The server answered ${response.status}.`);
}

function post(body: unknown, signal: AbortSignal): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal };
}
