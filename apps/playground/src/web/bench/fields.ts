import type { Params } from "../../envelope.ts";

/** A parameter of a tool, from its JSON Schema. */
export interface Field {
  readonly name: string;
  readonly control: "line" | "area" | "choice" | "check";
  /** What is typed: a text, JSON, or a list with one item a line. */
  readonly holds: "text" | "json" | "list";
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

const LONG = /^(?:old_string|new_string|content|patch)$/u;

/** The fields of a form for a tool, required ones first. */
export function fieldsOf({ properties = {}, required = [] }: Schema): readonly Field[] {
  const fields = Object.entries(properties).map(([name, property]): Field => {
    const { type, items, minimum, maximum, default: value = "", description = "", enum: choices = [] } = property;
    const fallback = typeof value === "string" ? value : JSON.stringify(value);
    const range = minimum === undefined || maximum === undefined ? "" : `${minimum}–${maximum}`;
    const limits = [range, fallback && `default ${fallback}`].filter(Boolean).join(", ");
    const isList = type === "array";
    const isText = type === "string" || choices.length > 0;
    const control = type === "boolean" ? "check" : isList || LONG.test(name) ? "area" : "line";
    return {
      ...{ name, fallback, choices, required: required.includes(name) },
      hint: `${description}${limits && ` (${limits})`}`,
      control: choices.length > 0 ? "choice" : control,
      holds: isText ? "text" : isList && items?.type !== "object" ? "list" : "json",
    };
  });
  return fields.sort((a, b) => Number(b.required) - Number(a.required));
}

/** What a form holds: text as typed, "true" for a checked box. */
export type FormValues = Readonly<Record<string, string>>;

/** What the form shows for an address. */
export const toValues = (query: URLSearchParams): FormValues =>
  Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name).join("\n")]));

/** Parameters for a call. What has no field or the wrong type is passed on, so that the tool can say what is wrong. */
export function toParams(fields: readonly Field[], values: FormValues): Params {
  // An empty replacement deletes; an empty anything else was not given.
  const isGiven = (name: string) => values[name] !== "" || (name === "new_string" && Boolean(values.old_string));
  const names = Object.keys(values).filter(isGiven);
  return Object.fromEntries(
    names.map((name): [string, unknown] => {
      const { [name]: value = "" } = values;
      const { holds = "text" } = fields.find((field) => field.name === name) ?? {};
      if (holds === "list") return [name, value.split("\n").filter((item) => item !== "")];
      return [name, holds === "json" ? jsonOrText(value) : value];
    }),
  );
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
