import { once } from "node:events";
import { listen } from "../server/listen.ts";
import { buildPage } from "../server/page.ts";
import { modelFrom, projectFrom, type Settings } from "./setup.ts";
import { paint } from "./style.ts";

const PACE_MS = 14;

/** The web page. */
export async function serve(_given: readonly string[], settings: Settings): Promise<number> {
  const project = projectFrom(settings);
  const chosen = modelFrom(settings, PACE_MS);
  const demoFirst = settings.root === undefined;
  const page = await buildPage();
  const { maxSteps, port } = settings;
  const server = await listen({ project, demoFirst, chosen, limits: settings, maxSteps, page }, port);
  console.log(`fstools playground

  page     ${paint("cyan", server.url)}
  project  ${project.root}
  model    ${chosen.label}
  changes  ${project.writable ? "each after your approval" : "only in the demo; --write allows them here"}

Open the page (Ctrl+click). It begins with a demo project and one finished run.
Press Ctrl+C to stop.`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await server.close();
  return 0;
}
