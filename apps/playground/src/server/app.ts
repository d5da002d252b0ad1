import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import type { AgentSettings, Project } from "../project.ts";
import { QUESTIONS } from "../questions.ts";
import { estimateTokens } from "../tokens.ts";
import { createAgentRoutes } from "./agent-route.ts";
import type { Info } from "./api.ts";
import { loopbackGuard, secureHeaders, tokenGuard } from "./guard.ts";
import type { PageFiles } from "./page.ts";
import type { Projects } from "./projects.ts";
import { refusal } from "./requests.ts";
import { toolRoute } from "./tool-route.ts";

/** What the server serves. */
export interface AppOptions extends AgentSettings {
  readonly projects: Projects;
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
  const { projects, page, chosen, maxSteps, limits = {} } = options;
  const app = new Hono();
  const agent = createAgentRoutes({ chosen, maxSteps, limits });
  const onError = () => {
    throw refusal(413, `The body is larger than ${MAX_BODY_BYTES} bytes.`);
  };
  const withProject = (route: ProjectRoute) => (context: Context) => {
    const project = projects.get(context.req.query("project") ?? "");
    if (!project) throw refusal(404, "There is no such project here.");
    return route(context, project);
  };
  app.use(secureHeaders, loopbackGuard(options.port), tokenGuard(options.token));
  app.use("/api/*", bodyLimit({ maxSize: MAX_BODY_BYTES, onError }));
  // A page may ask for a project of an earlier start.
  app.get("/api/info", async (context) => {
    const project = projects.get(context.req.query("project") ?? "") ?? projects.first();
    return context.json(await infoOf(project, options));
  });
  app.post("/api/demo", (context) => {
    projects.removeDemo();
    return context.json({});
  });
  app.post("/api/tools/:name", withProject(toolRoute));
  app.post("/api/undo", withProject(agent.undo));
  app.get("/api/agent", withProject(agent.messages));
  app.post("/api/agent", withProject(agent.answer));
  app.get("*", (context) => {
    const file = page.get(context.req.path === "/" ? "/index.html" : context.req.path);
    if (!file) throw refusal(404, "Not found.");
    return context.body(file.body, 200, { "Content-Type": file.type });
  });
  app.notFound((context) => context.json({ error: "Not found." }, 404));
  app.onError((error, context) =>
    error instanceof HTTPException
      ? context.json({ error: error.message }, error.status)
      : context.json({ error: "The server failed to answer this request." }, 500),
  );
  return app;
}

async function infoOf({ id, name, kind, tools }: Project, { chosen, projects }: AppOptions): Promise<Info> {
  const described = [...tools.values()].map(async ({ name: tool, description, jsonSchema, effect }) => ({
    ...{ name: tool, description, effect, jsonSchema },
    // A definition as function calling sends it.
    tokens: await estimateTokens(JSON.stringify({ name: tool, description, parameters: jsonSchema })),
  }));
  return {
    project: { id, name, isDemo: id !== "main" },
    projects: projects.all,
    model: chosen.label,
    questions: QUESTIONS[kind],
    tools: await Promise.all(described),
  };
}
