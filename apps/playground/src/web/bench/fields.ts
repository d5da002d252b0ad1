import type { Params } from "../route.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Field {
  readonly name: string;
  /** "text" has line breaks, "list" is one item a line, "json" a list of objects, "choice" one of a few words. */
  readonly type: "string" | "text" | "integer" | "boolean" | "list" | "json" | "choice";
  readonly description: string;
  readonly required: boolean;
  /** Its range and default, in words. */
  readonly limits: string;
  readonly fallback: string;
  readonly choices: readonly string[];
}

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly items?: { readonly type?: string };
}

/** The fields of a form for a tool, required ones first. */
export function fieldsOf(jsonSchema: object): readonly Field[] {
  const { properties = {}, required = [] } = jsonSchema as {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const { minimum, maximum, default: value, description = "" } = property;
    const fallback = value === undefined || value === null ? "" : JSON.stringify(value).replaceAll(/^"|"$/gu, "");
    const range = minimum === undefined || maximum === undefined ? [] : [`${minimum}–${maximum}`];
    return {
      ...{ name, description, fallback },
      type: typeOf(name, property),
      required: required.includes(name),
      limits: [...range, ...(fallback === "" ? [] : [`default ${fallback}`])].join(", "),
      choices: property.enum ?? [],
    };
  });
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

const MULTILINE = /^(?:old_string|new_string|content|patch)$/u;

function typeOf(name: string, { type, enum: choices, items }: Property): Field["type"] {
  if (choices) return "choice";
  if (type === "integer" || type === "number") return "integer";
  if (type === "boolean") return "boolean";
  if (type === "array") return items?.type === "object" ? "json" : "list";
  return MULTILINE.test(name) ? "text" : "string";
}

/** What a form holds: text as typed; lists one item a line; booleans as "true" or "". */
export type FormValues = Readonly<Record<string, string>>;

/** What the form shows for an address. */
export const toValues = (query: URLSearchParams): FormValues =>
  Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join("\n")]));

/** Parameters for a call. What has no field or the wrong type is passed on, so that the tool can say what is wrong. */
export function toParams(fields: readonly Field[], values: FormValues): Params {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const type = fields.find((field) => field.name === name)?.type;
    // An empty replacement deletes; an empty anything else was not given.
    if (value === "" && name !== "new_string") return [];
    if (type === "boolean") return [[name, value === "true"]];
    if (type === "list") return [[name, value.split("\n").filter((item) => item !== "")]];
    if (type === "integer" && /^-?\d+(?:\.\d+)?$/u.test(value.trim())) return [[name, Number(value)]];
    return [[name, type === "json" ? jsonOrText(value) : value]];
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
