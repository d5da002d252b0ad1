import { renderForModel } from "@fstools/protocol";
import { text as textOf } from "node:stream/consumers";
import { z } from "zod";
import { projectFrom, toolNamed, UsageError, type Settings } from "./setup.ts";
import { printable } from "../printable.ts";

/** One tool call. */
export async function run([name = "", ...given]: readonly string[], settings: Settings): Promise<number> {
  const project = projectFrom(settings);
  const tool = toolNamed(project, name);
  const response = await tool.run(await parameters(given, tool.jsonSchema));
  const { truncate = false, maxLines, maxBytes, direction } = settings;
  const shown =
    truncate || (maxLines ?? maxBytes ?? direction) !== undefined
      ? await project.createTruncator(settings)(tool.name, response)
      : response;
  const text = settings.text === true ? renderForModel(shown) : JSON.stringify(shown, undefined, 2);
  // What a person sees is escaped; what a program reads is exact.
  console.log(process.stdout.isTTY ? printable(text) : text);
  return response.status === "error" ? 1 : 0;
}

async function parameters(given: readonly string[], jsonSchema: object): Promise<unknown> {
  const [first, ...rest] = given;
  if (first === undefined) return {};
  if (given.every((part) => ASSIGNMENT.test(part))) return assigned(given, jsonSchema);
  if (rest.length > 0) throw new UsageError(`Pass one JSON object or NAME=VALUE pairs, not '${given.join(" ")}'.`);
  const json = first === "-" ? await textOf(process.stdin) : first;
  const parsed = parse(json);
  if (parsed) return parsed.value;
  const wanted = `NAME=VALUE pairs or a JSON object such as '{"path":"."}'`;
  throw new UsageError(`The parameters must be ${wanted}, not '${json.trim()}'.`);
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
    // The tool itself says what is wrong with a value that is not JSON.
    else params[name] = type === "string" ? value : (parse(value) ?? { value }).value;
  }
  return params;
}

function parse(json: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}
