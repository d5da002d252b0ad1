import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ChosenModel } from "../agent/model.ts";
import type { Project, TruncatorLimits } from "../project.ts";
import { starterQuestions } from "../questions.ts";
import { estimateTokens } from "../tokens.ts";
import { createAgentRoutes } from "./agent-routes.ts";
import type { Info } from "./api.ts";
import { loopbackGuard, secureHeaders, tokenGuard } from "./guard.ts";
import type { PageFiles } from "./page-files.ts";
import type { Projects } from "./projects.ts";
import { toolRoute } from "./tool-route.ts";

/** What the server serves. */
export interface AppOptions {
  readonly projects: Projects;
  readonly chosen: ChosenModel;
  /** When the truncator of the agent cuts. */
  readonly limits: TruncatorLimits;
  readonly maxSteps: number;
  readonly page: PageFiles;
  /** What a caller must know. */
  readonly token: string;
  /** The port it listens on, known once it does. */
  readonly port: () => number;
}

const MAX_BODY_BYTES = 64 * 1024;

/** A route that works on the project that the request names. */
export type ProjectRoute = (context: Context, project: Project) => Response | Promise<Response>;

/** The playground's HTTP interface: the page, its tools, its agent. No endpoint takes a path of this machine. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  const agent = createAgentRoutes(options);
  const withProject = (route: ProjectRoute) => (context: Context) => {
    const project = options.projects.get(context.req.query("project") ?? "main");
    return project ? route(context, project) : context.json({ error: "There is no such project here." }, 404);
  };
  app.use(secureHeaders, loopbackGuard(options.port), tokenGuard(options.token));
  app.use(
    "/api/*",
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ error: `The body is larger than ${MAX_BODY_BYTES} bytes.` }, 413),
    }),
  );
  app.get(
    "/api/info",
    withProject((context, project) => context.json(info(project, options))),
  );
  app.get(
    "/api/definitions",
    withProject(async (context, project) => context.json(await definitionCosts(project))),
  );
  app.post("/api/demo", (context) => context.json(info(options.projects.openDemo(), options)));
  app.post("/api/tools/:name", withProject(toolRoute()));
  app.post("/api/agent", withProject(agent.ask));
  app.post("/api/decisions", agent.decide);
  app.get("*", (context) => {
    const file = options.page.get(context.req.path === "/" ? "/index.html" : context.req.path);
    return file
      ? context.body(file.body, 200, { "Content-Type": file.type })
      : context.json({ error: "Not found." }, 404);
  });
  app.notFound((context) => context.json({ error: "Not found." }, 404));
  app.onError((_error, context) => context.json({ error: "The server failed to answer this request." }, 500));
  return app;
}

function info({ name, kind, mode, tools }: Project, { chosen, maxSteps }: AppOptions): Info {
  return {
    project: { name, kind, ...mode },
    model: { label: chosen.label, offline: chosen.offline },
    maxSteps,
    tools: [...tools.values()].map(({ name, description, jsonSchema, effect }) => ({
      name,
      description,
      jsonSchema: { ...jsonSchema },
      effect,
    })),
    questions: [...starterQuestions(kind)],
  };
}

/** A definition as function calling sends it. */
async function definitionCosts({ tools }: Project): Promise<Record<string, number>> {
  const costs: Record<string, number> = {};
  for (const { name, description, jsonSchema } of tools.values()) {
    costs[name] = await estimateTokens(JSON.stringify({ name, description, parameters: jsonSchema }));
  }
  return costs;
}
