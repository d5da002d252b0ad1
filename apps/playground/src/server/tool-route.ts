import { renderForModel, type Tool } from "@fstools/protocol";
import type { z } from "zod";
import { estimateTokens } from "../tokens.ts";
import type { ToolResult } from "./api.ts";
import type { ProjectRoute } from "./app.ts";
import { createSlots, readBody, refusal, toolRequest } from "./requests.ts";

const TIMEOUT_MS = 30_000;
const MAX_CALLS = 64;

/** Runs one tool for the bench. */
export function toolRoute(): ProjectRoute {
  const takeSlot = createSlots(MAX_CALLS);
  return async (context, { tools }) => {
    const name = context.req.param("name") ?? "";
    const tool = tools.get(name);
    if (!tool)
      throw refusal(404, `There is no tool '${name.slice(0, 100)}'. The tools are ${[...tools.keys()].join(", ")}.`);
    const params = paramsFor(tool, await readBody(context, toolRequest));
    const release = takeSlot();
    try {
      const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await tool.run(params, { signal });
      const forms = [renderForModel(response), renderForModel(response, { layout: "document" })];
      const [view = 0, document = 0, envelope = 0] = await Promise.all(
        [...forms, JSON.stringify(response)].map(estimateTokens),
      );
      return context.json({ response, tokens: { view, document, envelope } } satisfies ToolResult);
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
