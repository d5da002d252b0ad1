import type { Context } from "hono";
import type { Project } from "../project.ts";
import type { ToolResult } from "./api.ts";
import { readBody, toolRequest } from "./requests.ts";
import { createSlots } from "./slots.ts";

const TIMEOUT_MS = 30_000;

/** Runs one tool for the bench, and the truncator after it where it is switched on. */
export function toolRoute(project: Project) {
  const slots = createSlots({ running: 4, waiting: 64 });
  return async (context: Context) => {
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
      const response = await tool.run(request.data.params, { signal });
      const limits = request.data.truncator;
      if (!limits) return context.json({ response } satisfies ToolResult);
      const { max_lines: maxLines, max_bytes: maxBytes, direction } = limits;
      const truncated = await project.createTruncator({ maxLines, maxBytes, direction })(tool.name, response);
      return context.json({ response, truncated } satisfies ToolResult);
    } finally {
      release();
    }
  };
}
