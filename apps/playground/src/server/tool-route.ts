import { renderForModel, type Tool } from "@fstools/protocol";
import type { Envelope } from "../envelope.ts";
import type { Project } from "../project.ts";
import type { z } from "zod";
import { estimateTokens } from "../tokens.ts";
import type { ToolResult } from "./api.ts";
import type { ProjectRoute } from "./app.ts";
import { readBody, refusal, toolRequest } from "./requests.ts";

const TIMEOUT_MS = 30_000;

/** Runs one tool for the bench. */
export const toolRoute: ProjectRoute = async (context, project) => {
  const name = context.req.param("name") ?? "";
  const tool = project.tools.get(name);
  const known = [...project.tools.keys()].join(", ");
  if (!tool) throw refusal(404, `There is no tool '${name.slice(0, 100)}'. The tools are ${known}.`);
  const params = paramsFor(tool, await readBody(context, toolRequest));
  const signal = AbortSignal.any([context.req.raw.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return context.json(await resultOf(project, await tool.run(params, { signal })));
};

/** An answer with its tokens by form, and the change that it tells of. */
export async function resultOf(project: Project, response: Envelope): Promise<ToolResult> {
  const forms = [renderForModel(response), renderForModel(response, { layout: "document" }), JSON.stringify(response)];
  const [view = 0, document = 0, envelope = 0] = await Promise.all(forms.map(estimateTokens));
  return { response, tokens: { view, document, envelope }, changeId: await project.changeIn(response) };
}

/** An address can hold a call that writes; only the button for it may carry it out. */
function paramsFor(tool: Tool, { params, apply = false }: z.output<typeof toolRequest>): unknown {
  if (tool.effect === "read" || apply) return params;
  return typeof params === "object" && params !== null ? { ...params, dry_run: true } : params;
}
