import { z } from "zod";
import type { Params } from "../params.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Field {
  readonly name: string;
  /** "text" has line breaks, "json" is a list of objects, "choice" one of a few words. */
  readonly type: "string" | "text" | "integer" | "boolean" | "array" | "json" | "choice";
  readonly description: string;
  readonly required: boolean;
  readonly fallback: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly choices: readonly string[];
}

const propertySchema = z.object({
  type: z.string().default("string"),
  description: z.string().default(""),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  enum: z.array(z.string()).default([]),
  items: z.object({ type: z.string().optional() }).default({}),
});

const objectSchema = z.object({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a form for a tool, required ones first. */
export function fieldsOf(jsonSchema: object): Field[] {
  const { properties, required } = objectSchema.parse(jsonSchema);
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const { description, minimum, maximum } = property;
    return {
      name,
      type: fieldType(name, property),
      description,
      required: required.includes(name),
      fallback:
        property.default === undefined || property.default === null
          ? ""
          : JSON.stringify(property.default).replace(/^"(.*)"$/u, "$1"),
      minimum,
      maximum,
      choices: property.enum,
    };
  });
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

const MULTILINE = new Set(["old_string", "new_string", "content"]);

function fieldType(name: string, property: z.infer<typeof propertySchema>): Field["type"] {
  if (property.enum.length > 0) return "choice";
  switch (property.type) {
    case "integer":
    case "number":
      return "integer";
    case "boolean":
      return "boolean";
    case "array":
      return property.items.type === "object" ? "json" : "array";
    default:
      return MULTILINE.has(name) ? "text" : "string";
  }
}

/** What the form holds: text as typed; lists one item a line; booleans as "true" or "". */
export type FormValues = Readonly<Record<string, string>>;

/** Parameters for a call. What is not a number stays text, so that the tool itself says what is wrong with it. */
export function toParams(fields: readonly Field[], values: FormValues): Params {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = values[field.name] ?? "";
    // An empty replacement deletes; an empty anything else was not given.
    if (value === "" && !(field.name === "new_string" && field.name in values)) return [];
    if (field.type === "boolean") return [[field.name, value === "true"]];
    if (field.type === "json") return [[field.name, jsonOrText(value)]];
    if (field.type === "array") return [[field.name, value.split("\n").filter((item) => item !== "")]];
    if (field.type === "integer" && /^-?\d+(?:\.\d+)?$/u.test(value.trim())) return [[field.name, Number(value)]];
    return [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** What the form shows for an address. */
export function toValues(query: URLSearchParams): FormValues {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join("\n")]));
}

/** Parameters for an address; what the form has no field for is passed on, so that the tool can say so. */
export function paramsFromQuery(fields: readonly Field[], query: URLSearchParams): Params {
  const values = toValues(query);
  const unknown = Object.entries(values).filter(([name]) => !fields.some((field) => field.name === name));
  return { ...toParams(fields, values), ...Object.fromEntries(unknown) };
}
