import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ChosenModel } from "../agent/model.ts";
import type { Project, Truncate } from "../project.ts";
import { agentRoute } from "./agent-route.ts";
import type { Info } from "./api.ts";
import { loopbackGuard, secureHeaders, tokenGuard } from "./guard.ts";
import type { PageFiles } from "./page-files.ts";
import { toolRoute } from "./tool-route.ts";

/** What the server serves. */
export interface AppOptions {
  readonly project: Project;
  readonly chosen: ChosenModel;
  readonly truncate: Truncate;
  readonly maxSteps: number;
  readonly page: PageFiles;
  /** What a caller must know. */
  readonly token: string;
  /** The port it listens on, known once it does. */
  readonly port: () => number;
}

const MAX_BODY_BYTES = 64 * 1024;

/** The playground's HTTP interface: the page, its tools, its agent. No endpoint takes a root, none writes but the spill. */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  app.use(secureHeaders, loopbackGuard(options.port), tokenGuard(options.token));
  app.use(
    "/api/*",
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: (context) => context.json({ error: `The body is larger than ${MAX_BODY_BYTES} bytes.` }, 413),
    }),
  );
  app.get("/api/info", (context) => context.json(info(options)));
  app.post("/api/tools/:name", toolRoute(options.project));
  app.post("/api/agent", agentRoute(options));
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

function info({ project, chosen, maxSteps }: AppOptions): Info {
  const tools = [...project.tools.values()];
  return {
    project: project.name,
    model: { label: chosen.label, offline: chosen.offline },
    maxSteps,
    tools: tools.map(({ name, description, jsonSchema }) => ({ name, description, jsonSchema: { ...jsonSchema } })),
  };
}
