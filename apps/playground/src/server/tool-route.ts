import { renderForModel, type Tool, type ToolResponse } from "@fstools/protocol";
import type { z } from "zod";
import { estimateTokens } from "../tokens.ts";
import type { ToolResult } from "./api.ts";
import type { ProjectRoute } from "./app.ts";
import { createSlots, readBody, toolRequest } from "./requests.ts";

const TIMEOUT_MS = 30_000;
const MAX_CALLS = 64;

/** Runs one tool for the bench, and the truncator after it where it is switched on. */
export function toolRoute(): ProjectRoute {
  const takeSlot = createSlots(MAX_CALLS);
  return async (context, project) => {
    const name = context.req.param("name") ?? "";
    const tool = project.tools.get(name);
    if (!tool) {
      const known = [...project.tools.keys()].join(", ");
      return context.json({ error: `There is no tool '${name.slice(0, 100)}'. The tools are ${known}.` }, 404);
    }
    const request = await readBody(context, toolRequest);
    if ("problem" in request) return context.json({ error: request.problem }, 400);
    const release = takeSlot();
    if (!release) return context.json({ error: "Too many calls at once; try again in a moment." }, 429);
    try {
      const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await tool.run(paramsFor(tool, request.data), { signal });
      const { truncator: limits } = request.data;
      const cut = limits && { maxLines: limits.max_lines, maxBytes: limits.max_bytes, direction: limits.direction };
      const truncated = cut && (await project.createTruncator(cut)(tool.name, response));
      const tokens = await tokensOf(truncated ?? response);
      return context.json({ response, tokens, ...(truncated && { truncated }) } satisfies ToolResult);
    } finally {
      release();
    }
  };
}

/** An address can hold a call that writes; only the button for it may carry it out. */
function paramsFor(tool: Tool, { params, apply = false }: z.output<typeof toolRequest>): unknown {
  if (tool.effect === "read" || apply) return params;
  return typeof params === "object" && params !== null ? { ...params, dry_run: true } : params;
}

async function tokensOf(response: ToolResponse<object>): Promise<ToolResult["tokens"]> {
  const forms = [renderForModel(response), renderForModel(response, { layout: "document" }), JSON.stringify(response)];
  const [view = 0, document = 0, envelope = 0] = await Promise.all(forms.map(estimateTokens));
  return { view, document, envelope };
}
