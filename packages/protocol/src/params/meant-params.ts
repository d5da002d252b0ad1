import { once } from "../once.ts";
import { isRecord } from "../record.ts";
import type { JsonSchema } from "./json-schema.ts";
import { excessBytes } from "./param-size.ts";

const INTEGER = /^-?\d+(?:\.0+)?$/u;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
// Longer ones would hold the event loop before their size is known.
const MAX_JSON_UNITS = 4 * 1024 * 1024;

/** Finds the parameter that a name stands for: its own, another case of it, or a listed alias. */
export type NameLookup = (name: string, known: readonly string[]) => string | undefined;

/** Makes a lookup that knows these aliases. */
export function nameLookup(aliases: Readonly<Record<string, string>>): NameLookup {
  const loose = once(() => new Map(Object.entries(aliases).map(([alias, name]) => [looseName(alias), name])));
  return (name, known) => {
    if (known.includes(name)) return name;
    const written = looseName(name);
    const meant = known.find((candidate) => looseName(candidate) === written) ?? loose().get(written);
    return meant !== undefined && known.includes(meant) ? meant : undefined;
  };
}

/** A name as it is compared: `startLine`, `START_LINE` and `start-line` are one. */
export function looseName(name: string): string {
  return name.replaceAll(/[_-]/gu, "").toLowerCase();
}

/** What was given, by the names of the parameters. */
export interface NamedValues {
  readonly values: ReadonlyMap<string, unknown>;
  /** Each other name that was used, and the parameter that it was taken for. */
  readonly taken: readonly (readonly [alias: string, name: string])[];
  /** Parameters that were given under two names. */
  readonly twice: readonly (readonly [name: string, first: string, second: string])[];
  readonly unknown: readonly string[];
}

/** Puts values under the names of their parameters; strict function calling sends null for what was left out. */
export function nameValues(
  entries: readonly (readonly [string, unknown])[],
  known: readonly string[],
  lookup: NameLookup,
): NamedValues {
  const values = new Map<string, unknown>();
  const givenAs = new Map<string, string>();
  const twice: [string, string, string][] = [];
  const unknown: string[] = [];
  for (const [given, value] of entries) {
    const name = lookup(given, known);
    if (name === undefined) unknown.push(given);
    if (name === undefined || value === null) continue;
    const other = givenAs.get(name);
    if (other !== undefined) twice.push([name, other, given]);
    values.set(name, value);
    givenAs.set(name, given);
  }
  const taken = [...givenAs].filter(([name, given]) => name !== given).map(([name, given]) => [given, name] as const);
  return { values, taken, twice, unknown };
}

/** A value as its schema asks for it, where that is plainly what was meant; `taken` hears of names inside it. */
export function meantValue(
  value: unknown,
  schema: JsonSchema,
  lookup: NameLookup,
  taken: (alias: string, name: string) => void,
): unknown {
  const convert = (item: unknown, itemSchema: JsonSchema): unknown => {
    if (typeof item === "string") return fromText(item, itemSchema);
    if (Array.isArray(item)) return item.map((one: unknown) => convert(one, itemsOf(itemSchema)));
    return isRecord(item) ? fromRecord(item, itemSchema) : item;
  };

  const fromText = (text: string, textSchema: JsonSchema): unknown => {
    const types = typesOf(textSchema);
    if (types.length === 0 || types.includes("string")) return text;
    if (types.includes("boolean")) return BOOLEANS.get(text) ?? text;
    if (types.includes("integer") || types.includes("number")) return INTEGER.test(text) ? Number(text) : text;
    return fromJson(text, textSchema);
  };

  const fromJson = (text: string, jsonSchema: JsonSchema): unknown => {
    const held = parseJson(text);
    if (isRecord(held) && typesOf(jsonSchema).includes("object")) return convert(held, jsonSchema);
    if (!typesOf(jsonSchema).includes("array")) return text;
    const items = itemsOf(jsonSchema);
    if (Array.isArray(held)) {
      const list = held.map((item: unknown) => convert(item, items));
      if (list.every((item) => fits(item, items))) return list;
    }
    return typesOf(items).includes("string") ? [text] : text;
  };

  const fromRecord = (record: Record<string, unknown>, recordSchema: JsonSchema): unknown => {
    const properties = propertiesOf(recordSchema);
    const named = nameValues(Object.entries(record), Object.keys(properties), lookup);
    // The schema refuses them better.
    if (named.twice.length > 0 || named.unknown.length > 0) return record;
    for (const [alias, name] of named.taken) taken(alias, name);
    return Object.fromEntries(
      [...named.values].map(([name, item]) => [name, convert(item, schemaOf(properties[name]))]),
    );
  };

  return convert(value, schema);
}

/** A JSON object or list in a string; undefined for any other string, and for what is too large. */
export function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_UNITS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    const held: unknown = JSON.parse(text);
    return excessBytes(held) === undefined ? held : undefined;
  } catch {
    return undefined;
  }
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  if (typeof value === "number") return types.includes("integer") || types.includes("number");
  if (Array.isArray(value)) return types.includes("array");
  return types.includes(typeof value);
}

function typesOf(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((choice) => typesOf(schemaOf(choice)));
  if (Array.isArray(schema.type)) return schema.type;
  return schema.type === undefined ? [] : [schema.type];
}

function itemsOf(schema: JsonSchema): JsonSchema {
  return schemaOf(choiceWith("items", schema).items);
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return schemaOf(choiceWith("properties", schema).properties);
}

function choiceWith(keyword: string, schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.anyOf)) return schema;
  return schema.anyOf.map(schemaOf).find((choice) => keyword in choice) ?? schema;
}

function schemaOf(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}
