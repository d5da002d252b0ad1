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
    const page = loadPage(await buildPage());
    const server = await listen({ project, chosen, limits, maxSteps, page }, port);
    console.log(`fstools playground

  page     ${paint("cyan", server.url)}
  project  ${projectRoot(args)}
  model    ${chosen.label}
  changes  ${project.mode.writable ? "Edit and Write, each change after your approval" : "read-only"}. ${project.mode.reason}

Open the page (Ctrl+click), then click a question on its right side, or fill in a form on its left.
Press Ctrl+C to stop.`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await server.close();
    return 0;
  },
};
