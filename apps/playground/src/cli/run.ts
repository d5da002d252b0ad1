import { renderForModel } from "@fstools/protocol";
import { UsageError, type Command } from "./command.ts";
import { projectOptions, toolboxFrom, truncatorFrom, truncatorOptions } from "./setup.ts";

/** One tool call. */
export const run: Command = {
  name: "run",
  operands: "TOOL [PARAMETERS]",
  options: {
    ...projectOptions,
    text: { type: "boolean", help: "Print what a model would read instead of the envelope." },
    truncate: { type: "boolean", help: "Send the answer through the truncator; its options imply this." },
    ...truncatorOptions,
  },
  examples: [
    `pnpm playground run Read '{"path":"README.md"}'`,
    `pnpm playground run Glob '{"pattern":"**/*.md"}' --text`,
    `pnpm playground run LS '{}' --max-bytes 500`,
  ],
  run: async (args) => {
    const [name, given = "{}", ...rest] = args.positionals;
    const toolbox = toolboxFrom(args);
    const tool = toolbox.tools.get(name ?? "");
    const known = `The tools are ${[...toolbox.tools.keys()].join(", ")}.`;
    if (name === undefined) throw new UsageError(`Which tool? ${known}`);
    if (!tool) throw new UsageError(`There is no tool '${name}'. ${known}`);
    if (rest.length > 0)
      throw new UsageError(`One JSON object of parameters is enough; '${rest.join(" ")}' is left over.`);
    const response = await tool.run(parameters(given));
    const truncates =
      args.flag("truncate") || Object.keys(truncatorOptions).some((name) => args.text(name) !== undefined);
    const shown = truncates ? await truncatorFrom(args, toolbox)(tool.name, response) : response;
    console.log(args.flag("text") ? renderForModel(shown) : JSON.stringify(shown, undefined, 2));
    return response.status === "error" ? 1 : 0;
  },
};

function parameters(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(`The parameters must be a JSON object such as '{"path":"."}', not '${given}'.`);
  }
}
