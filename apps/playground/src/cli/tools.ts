import type { Command } from "./command.ts";
import { projectOptions, projectFrom } from "./setup.ts";
import { paint } from "./style.ts";

/** The tools and their parameters. */
export const tools: Command = {
  name: "tools",
  operands: "",
  options: { ...projectOptions, json: { type: "boolean", help: "Print them as one JSON array." } },
  examples: ["pnpm playground tools", "pnpm -s playground tools --json"],
  run: (args) => {
    const all = [...projectFrom(args).tools.values()];
    if (args.flag("json")) {
      const listed = all.map(({ name, description, jsonSchema }) => ({ name, description, parameters: jsonSchema }));
      console.log(JSON.stringify(listed, undefined, 2));
      return Promise.resolve(0);
    }
    for (const { name, description, jsonSchema } of all) {
      console.log(`${paint("bold", name)}\n\n${description.trim()}\n\n${JSON.stringify(jsonSchema, undefined, 2)}\n`);
    }
    return Promise.resolve(0);
  },
};
