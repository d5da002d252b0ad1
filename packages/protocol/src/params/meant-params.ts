import * as z from "../zod.ts";
import { echo } from "../text.ts";
import { parametersSchema, type JsonSchema } from "./json-schema.ts";
import { givenTwice, invalidParams, type ParamProblem, schemaProblem, unknownParam } from "./param-problems.ts";
import { excessBytes, type GivenParams, type ParamRules, type ParsedParams } from "./parse-params.ts";
import { isRecord } from "../record.ts";

/**
 * The input of a call whose parameters are not right as they are: takes what was clearly meant.
 * @throws ToolError INVALID_PARAM that names everything that is wrong: known parameters in schema order, then unknown ones
 */
export function meantParams<Schema extends z.ZodObject>(
  entries: NonNullable<GivenParams["entries"]>,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  const known = Object.keys(rules.input.shape);
  const lookup = nameLookup(rules.aliases ?? {});
  const named = nameValues(entries, known, lookup);
  const notes = new Set(named.taken.map(([alias, name]) => takenNote(alias, name)));
  const inOrder = new Map(known.filter((name) => named.values.has(name)).map((name) => [name, named.values.get(name)]));
  const { values, result } = understand(inOrder, rules.input, lookup, notes);
  const unknown = rules.ignoresUnknown === true ? [] : named.unknown;
  if (!result.success || named.twice.length > 0 || unknown.length > 0) {
    throw invalidParams(
      problemsOf({ ...named, unknown }, result.error, rules),
      named.twice.length > 0 ? [] : [...notes],
    );
  }
  return { input: result.data, given: Object.fromEntries(values), notes: [...notes] };
}

interface Understanding<Schema extends z.ZodObject> {
  readonly values: ReadonlyMap<string, unknown>;
  readonly result: z.ZodSafeParseResult<z.output<Schema>>;
}

/** The values as they are if the schema accepts them, or else as they were clearly meant. */
function understand<Schema extends z.ZodObject>(
  values: ReadonlyMap<string, unknown>,
  input: Schema,
  lookup: NameLookup,
  notes: Set<string>,
): Understanding<Schema> {
  try {
    const result = z.safeParse(input, Object.fromEntries(values));
    if (result.success) return { values, result };
    const { properties } = parametersSchema(input);
    const taken = (alias: string, name: string) => notes.add(takenNote(alias, name));
    const meant = new Map(
      [...values].map(([name, value]) => [name, meantValue(value, properties[name] ?? {}, lookup, taken)]),
    );
    return { values: meant, result: z.safeParse(input, Object.fromEntries(meant)) };
  } catch (error) {
    // zod reads the `length` of any value that has one, and throws if it is not a number; a value may throw
    // too. Such a value is of the wrong type, which shows without its properties.
    const types = new Map([...values].map(([name, value]) => [name, withoutContent(value)]));
    const result = z.safeParse(input, Object.fromEntries(types));
    // The error had another cause.
    if (result.success) throw error;
    return { values, result };
  }
}

function withoutContent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  try {
    return Array.isArray(value) ? value.map(withoutContent) : {};
  } catch {
    // A list that throws is as good as none.
    return {};
  }
}

function problemsOf(
  { values, twice, unknown }: NamedValues,
  error: z.ZodError | undefined,
  rules: ParamRules<z.ZodObject>,
): ParamProblem[] {
  const places = Object.keys(rules.input.shape);
  const known = [
    ...twice.map((names) => ({ place: places.indexOf(names[0]), ...givenTwice(names) })),
    ...(error?.issues ?? []).map((issue) => {
      const name = String(issue.path[0] ?? "");
      return { place: places.indexOf(name), ...schemaProblem(issue, values.get(name), rules) };
    }),
  ].sort((first, second) => first.place - second.place);
  const problems = [...known, ...unknown.map((name) => unknownParam(name, rules))];
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

function takenNote(alias: string, name: string): string {
  return `Note: '${echo(alias)}' was taken as '${name}'.`;
}

const INTEGER = /^-?\d+(?:\.0+)?$/u;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);
// Longer ones would block the event loop before their size is known.
const MAX_JSON_UNITS = 4 * 1024 * 1024;

/** Finds the parameter that a name refers to: its own name, another case of it, or a listed alias. */
export type NameLookup = (name: string, known: readonly string[]) => string | undefined;

/** Makes a lookup that knows these aliases. */
export function nameLookup(aliases: Readonly<Record<string, string>>): NameLookup {
  const loose = new Map(Object.entries(aliases).map(([alias, name]) => [looseName(alias), name]));
  return (name, known) => {
    if (known.includes(name)) return name;
    const written = looseName(name);
    const meant = known.find((candidate) => looseName(candidate) === written) ?? loose.get(written);
    return meant !== undefined && known.includes(meant) ? meant : undefined;
  };
}

/** A name as it is compared: `startLine`, `START_LINE` and `start-line` are equal. */
export function looseName(name: string): string {
  return name.replaceAll(/[_-]/gu, "").toLowerCase();
}

/** What was given, by the names of the parameters. */
interface NamedValues {
  readonly values: ReadonlyMap<string, unknown>;
  /** Each other name that was used, and the parameter that it was taken for. */
  readonly taken: readonly (readonly [alias: string, name: string])[];
  /** Parameters that were given under two names. */
  readonly twice: readonly (readonly [name: string, first: string, second: string])[];
  readonly unknown: readonly string[];
}

/** Puts values under the names of their parameters; strict function calling sends null for what was left out. */
function nameValues(
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

/** A value as its schema asks for it, where that is clearly what was meant; `taken` receives the names inside it. */
function meantValue(
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
    const held = smallJson(text);
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

/** A JSON object or list in a string; undefined for any other string, and for a very long one. */
export function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_UNITS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** {@link parseJson}, unless what it holds is too large for parameters. */
function smallJson(text: string): unknown {
  const held = parseJson(text);
  return excessBytes(held) === undefined ? held : undefined;
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
