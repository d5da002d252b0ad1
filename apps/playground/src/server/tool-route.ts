import type { Tool } from "@fstools/protocol";
import type { Envelope } from "../envelope.ts";
import type { Project } from "../project.ts";
import { estimateTokens } from "../tokens.ts";
import { compactView, documentView } from "../views.ts";
import type { ToolRequest, ToolResult, TruncatorSettings, ViewCosts } from "./api.ts";
import type { ProjectRoute } from "./app.ts";
import { readBody, toolRequest } from "./requests.ts";
import { createSlots } from "./slots.ts";

const TIMEOUT_MS = 30_000;

/** Runs one tool for the bench, and the truncator after it where it is switched on. */
export function toolRoute(): ProjectRoute {
  const slots = createSlots({ running: 4, waiting: 64 });
  return async (context, project) => {
    const name = context.req.param("name") ?? "";
    const tool = project.tools.get(name);
    if (!tool) {
      const known = [...project.tools.keys()].join(", ");
      return context.json({ error: `There is no tool '${name.slice(0, 100)}'. The tools are ${known}.` }, 404);
    }
    const request = await readBody(context, toolRequest);
    if ("problem" in request) return context.json({ error: request.problem }, 400);
    const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const release = await slots.take(signal);
    if (!release) return context.json({ error: "Too many calls at once; try again in a moment." }, 429);
    try {
      const response = await tool.run(paramsFor(tool, request.data), { signal });
      return context.json(await resultOf(project, tool.name, response, request.data.truncator));
    } finally {
      release();
    }
  };
}

/** An address can hold a call that writes; only the button for it may carry it out. */
function paramsFor(tool: Tool, { params, apply = false }: ToolRequest): unknown {
  if (tool.effect === "read" || apply) return params;
  return typeof params === "object" && params !== null ? { ...params, dry_run: true } : params;
}

async function resultOf(
  project: Project,
  tool: string,
  response: Envelope,
  limits: TruncatorSettings | undefined,
): Promise<ToolResult> {
  if (!limits) return { response, tokens: await viewCosts(response) };
  const { max_lines: maxLines, max_bytes: maxBytes, direction } = limits;
  const truncated = await project.createTruncator({ maxLines, maxBytes, direction })(tool, response);
  return { response, truncated, tokens: await viewCosts(truncated) };
}

async function viewCosts(response: Envelope): Promise<ViewCosts> {
  const [compact, document, envelope] = await Promise.all([
    estimateTokens(compactView(response)),
    estimateTokens(documentView(response)),
    estimateTokens(JSON.stringify(response)),
  ]);
  return { compact, document, envelope };
}
