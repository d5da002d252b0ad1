import { once } from "node:events";
import { buildPage } from "../server/build-page.ts";
import { listen } from "../server/listen.ts";
import { loadPage } from "../server/page-files.ts";
import type { Command } from "./command.ts";
import { maxStepsFrom, modelFrom, modelOptions, projectOptions, projectRoot } from "./setup.ts";
import { projectFrom, truncatorLimits, truncatorOptions } from "./setup.ts";
import { paint } from "./style.ts";

const PACE_MS = 14;

/** The web page. */
export const serve: Command = {
  name: "serve",
  operands: "",
  options: {
    ...projectOptions,
    port: { type: "string", value: "N", help: "Port (default: 4747, or a free one where that is taken)." },
    ...modelOptions,
    ...truncatorOptions,
  },
  examples: ["pnpm start", "pnpm start --root ../other-project --port 8080"],
  run: async (args) => {
    const project = projectFrom(args);
    const chosen = modelFrom(args, PACE_MS);
    const limits = truncatorLimits(args);
    const maxSteps = maxStepsFrom(args);
    const port = args.integer("port", { min: 0, max: 65_535, fallback: 4747 });
    const demoFirst = args.text("root") === undefined;
    const page = loadPage(await buildPage());
    const server = await listen({ project, demoFirst, chosen, limits, maxSteps, page }, port);
    console.log(`fstools playground

  page     ${paint("cyan", server.url)}
  project  ${projectRoot(args)}
  model    ${chosen.label}
  changes  ${project.writable ? "each after your approval" : "only in the demo; --write allows them here"}

Open the page (Ctrl+click). It begins with a demo project and one finished run.
Press Ctrl+C to stop.`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await server.close();
    return 0;
  },
};
