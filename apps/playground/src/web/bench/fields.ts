import type { Params } from "../route.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Field {
  readonly name: string;
  /** "text" has line breaks, "list" is one item a line, "json" a list of objects, "choice" one of a few words. */
  readonly type: "string" | "text" | "integer" | "boolean" | "list" | "json" | "choice";
  /** What it is for, with its range and default. */
  readonly hint: string;
  readonly required: boolean;
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

interface Schema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** The fields of a form for a tool, required ones first. */
export function fieldsOf({ properties = {}, required = [] }: Schema): readonly Field[] {
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const { minimum, maximum, default: value = "", description = "", enum: choices = [] } = property;
    const fallback = typeof value === "string" ? value : JSON.stringify(value);
    const range = minimum === undefined || maximum === undefined ? "" : `${minimum}–${maximum}`;
    const limits = [range, fallback && `default ${fallback}`].filter(Boolean).join(", ");
    const hint = `${description}${limits && ` (${limits})`}`;
    return { name, hint, fallback, type: typeOf(name, property), required: required.includes(name), choices };
  });
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

function typeOf(name: string, { type, enum: choices, items }: Property): Field["type"] {
  if (choices) return "choice";
  if (type === "array") return items?.type === "object" ? "json" : "list";
  if (type === "integer" || type === "boolean") return type;
  return /^(?:old_string|new_string|content|patch)$/u.test(name) ? "text" : "string";
}

/** What a form holds: text as typed; lists one item a line; booleans as "true" or "". */
export type FormValues = Readonly<Record<string, string>>;

/** What the form shows for an address. */
export const toValues = (query: URLSearchParams): FormValues =>
  Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name).join("\n")]));

/** Parameters for a call. What has no field or the wrong type is passed on, so that the tool can say what is wrong. */
export function toParams(fields: readonly Field[], values: FormValues): Params {
  // An empty replacement deletes; an empty anything else was not given.
  const given = Object.entries(values).filter(([name, value]) => value !== "" || name === "new_string");
  const params = given.map(([name, value]): [string, unknown] => {
    const type = fields.find((field) => field.name === name)?.type ?? "string";
    if (type === "list") return [name, value.split("\n").filter((item) => item !== "")];
    return [name, type === "integer" || type === "boolean" || type === "json" ? jsonOrText(value) : value];
  });
  return Object.fromEntries(params);
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
