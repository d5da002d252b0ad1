import { z } from "zod";
import type { Params } from "../next-call.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Field {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "array";
  readonly description: string;
  readonly required: boolean;
  readonly fallback: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

const propertySchema = z.object({
  type: z.string().default("string"),
  description: z.string().default(""),
  default: z.unknown().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});

const objectSchema = z.object({
  properties: z.record(z.string(), propertySchema).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a form for a tool, required ones first. */
export function fieldsOf(jsonSchema: object): Field[] {
  const { properties, required } = objectSchema.parse(jsonSchema);
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const { type, description, minimum, maximum } = property;
    return {
      name,
      type:
        type === "integer" || type === "number" ? "integer" : type === "boolean" || type === "array" ? type : "string",
      description,
      required: required.includes(name),
      fallback:
        property.default === undefined || property.default === null
          ? ""
          : JSON.stringify(property.default).replace(/^"(.*)"$/u, "$1"),
      minimum,
      maximum,
    };
  });
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

/** What the form holds: text as typed; lists one item a line; booleans as "true" or "". */
export type FormValues = Readonly<Record<string, string>>;

/** Parameters for a call. What is no number stays text, so that the tool itself says what is wrong with it. */
export function toParams(fields: readonly Field[], values: FormValues): Params {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = values[field.name] ?? "";
    if (value === "") return [];
    if (field.type === "boolean") return [[field.name, value === "true"]];
    if (field.type === "array") return [[field.name, value.split("\n").filter((item) => item !== "")]];
    if (field.type === "integer" && /^-?\d+(?:\.\d+)?$/u.test(value.trim())) return [[field.name, Number(value)]];
    return [[field.name, value]];
  });
  return Object.fromEntries(entries);
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
