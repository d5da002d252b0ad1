import type { Command } from "./command.ts";
import { projectOptions, projectFrom, toolNamed } from "./setup.ts";
import { paint } from "./style.ts";

/** The tools and their parameters. */
export const tools: Command = {
  name: "tools",
  operands: "[TOOL...]",
  options: { ...projectOptions, json: { type: "boolean", help: "Print them as one JSON array." } },
  examples: ["pnpm playground tools", "pnpm playground tools Read", "pnpm -s playground tools --json"],
  run: (args) => {
    const project = projectFrom(args);
    const shown =
      args.positionals.length === 0
        ? [...project.tools.values()]
        : args.positionals.map((name) => toolNamed(project, name));
    if (args.flag("json")) {
      const listed = shown.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
      console.log(JSON.stringify(listed, undefined, 2));
      return Promise.resolve(0);
    }
    for (const { name, description, jsonSchema } of shown) {
      console.log(`${paint("bold", name)}\n\n${description.trim()}\n\n${JSON.stringify(jsonSchema, undefined, 2)}\n`);
    }
    if (project.off.length > 0 && args.positionals.length === 0)
      console.error(`Off here: ${project.off.join(", ")}. --write offers them.`);
    return Promise.resolve(0);
  },
};
