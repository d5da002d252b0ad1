import { renderForModel } from "@fstools/protocol";
import { text as textOf } from "node:stream/consumers";
import { z } from "zod";
import { UsageError, type Command } from "./command.ts";
import { projectFrom, projectOptions, toolNamed, truncatorLimits, truncatorOptions } from "./setup.ts";
import { printable } from "./style.ts";

/** One tool call. */
export const run: Command = {
  name: "run",
  operands: "TOOL [NAME=VALUE... | JSON | -]",
  options: {
    ...projectOptions,
    text: { type: "boolean", help: "Print what a model would read instead of the envelope." },
    truncate: { type: "boolean", help: "Send the answer through the truncator; its options imply this." },
    ...truncatorOptions,
  },
  examples: [
    "pnpm playground run Read path=README.md limit=20",
    `pnpm playground run Read '{"path":"README.md"}'`,
    `echo '{"path":"README.md"}' | pnpm playground run Read -`,
    `pnpm playground run Glob '{"pattern":"**/*.md"}' --text`,
    `pnpm playground run LS '{}' --max-bytes 500`,
  ],
  run: async (args) => {
    const [name, ...given] = args.positionals;
    const project = projectFrom(args);
    const tool = toolNamed(project, name);
    const response = await tool.run(await parameters(given, tool.jsonSchema));
    const truncates =
      args.flag("truncate") || Object.keys(truncatorOptions).some((name) => args.text(name) !== undefined);
    const shown = truncates ? await project.createTruncator(truncatorLimits(args))(tool.name, response) : response;
    console.log(args.flag("text") ? printed(renderForModel(shown)) : printed(JSON.stringify(shown, undefined, 2)));
    return response.status === "error" ? 1 : 0;
  },
};

/** What a person sees is escaped; what a program reads is exact. */
function printed(text: string): string {
  return process.stdout.isTTY ? printable(text) : text;
}

async function parameters(given: readonly string[], jsonSchema: object): Promise<unknown> {
  const [first, ...rest] = given;
  if (first === undefined) return {};
  if (first === "-" && rest.length === 0) return parseJson(await textOf(process.stdin));
  if (given.every((part) => ASSIGNMENT.test(part))) return assigned(given, jsonSchema);
  if (rest.length === 0) return parseJson(first);
  throw new UsageError(`Pass one JSON object or NAME=VALUE pairs, not '${given.join(" ")}'.`);
}

const ASSIGNMENT = /^(\w+)=(.*)$/su;
const typesSchema = z.object({ properties: z.record(z.string(), z.looseObject({ type: z.string().optional() })) });

/** "path=src limit=20": what the schema wants as text stays text, all else is read as JSON where it is JSON. */
function assigned(given: readonly string[], jsonSchema: object): Record<string, unknown> {
  const { properties } = typesSchema.parse(jsonSchema);
  const params: Record<string, unknown> = {};
  for (const part of given) {
    const [, name = "", value = ""] = ASSIGNMENT.exec(part) ?? [];
    const type = properties[name]?.type ?? "string";
    if (type === "array" && !value.startsWith("[")) params[name] = [params[name] ?? [], value].flat();
    else params[name] = type === "string" ? value : jsonOrText(value);
  }
  return params;
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    // The tool itself says what is wrong with it.
    return value;
  }
}

function parseJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new UsageError(
      `The parameters must be NAME=VALUE pairs or a JSON object such as '{"path":"."}', not '${given.trim()}'.`,
    );
  }
}
