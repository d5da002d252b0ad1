import * as z from "../zod.ts";
import { heldCopy, isRecord, jsonCopy, ParamsTooLarge, recordOf, TOO_LARGE } from "../json.ts";
import { utf8Length } from "../text.ts";
import type { ParamProblem, ParamRules } from "./explain.ts";
import { givenTwice, invalidParams, looseName, notAnObject, schemaProblem, takenNote } from "./explain.ts";
import { unknownParam } from "./explain.ts";
import { type JsonSchema, parametersSchema } from "./json-schema.ts";

/** What the caller passed, read exactly once. */
export interface GivenParams {
  /** For `context.params_input`. */
  readonly paramsInput: unknown;
  /** The own properties that are not `undefined`; missing if the parameters are not a readable object. */
  readonly entries?: readonly (readonly [name: string, value: unknown])[];
  readonly isTooLarge?: boolean;
}

/** What a call asks for. */
export interface ParsedParams<Schema extends z.ZodObject> {
  /** Checked, with defaults filled in. */
  readonly input: z.output<Schema>;
  /** What the caller gave, under the right names and types, in the schema's order, without defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What was taken for what. */
  readonly notes: readonly string[];
}

const LONG_BYTES = 4096;
// Longer ones would block the event loop before their size is known.
const MAX_JSON_UNITS = 4 * 1024 * 1024;

/** Reads a call's parameters; with `shortensStrings`, only the size of strings over 4 KiB is recorded. Never throws. */
export function readParams(params: unknown, { shortensStrings = false } = {}): GivenParams {
  const recorded = (value: unknown) => jsonCopy(value, shortensStrings ? { shorten: sizeIfLong } : {});
  try {
    const held = heldCopy(typeof params === "string" ? (parseJson(params) ?? params) : (params ?? {}));
    if (!isRecord(held)) return { paramsInput: recorded(params) };
    const entries = Object.entries(held).filter(([, value]) => value !== undefined);
    return { paramsInput: recorded(typeof params === "string" ? params : held), entries };
  } catch (error) {
    // Else a proxy whose traps throw.
    if (!(error instanceof ParamsTooLarge)) return { paramsInput: recorded(params) };
    return { paramsInput: { truncated: true, bytes: error.bytes }, isTooLarge: true };
  }
}

/** The tool's input, as the caller meant it. @throws ToolError INVALID_PARAM that names everything that is wrong */
export function parseParams<Schema extends z.ZodObject>(
  { entries, isTooLarge = false }: GivenParams,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  if (isTooLarge) throw invalidParams([TOO_LARGE]);
  if (entries === undefined) throw invalidParams([notAnObject(rules)]);
  const { input, aliases = {}, ignoresUnknown = false } = rules;
  const named = nameValues(entries, Object.keys(input.shape), aliases);
  const notes = new Set(named.taken.map(takenNote));
  let given = named.values;
  let result = checked(input, given);
  if (!result.success) {
    // Not as they are, but as they were clearly meant.
    const convert = createConverter(aliases, (names) => notes.add(takenNote(names)));
    given = recordOf(convert(given, { ...parametersSchema(input) }));
    result = checked(input, given);
  }
  const unknown = ignoresUnknown ? [] : named.unknown;
  if (result.success && named.twice.length === 0 && unknown.length === 0) {
    return { input: result.data, given, notes: [...notes] };
  }
  const problems = problemsOf({ ...named, unknown }, result.error, rules);
  throw invalidParams(problems, named.twice.length > 0 ? [] : [...notes]);
}

function checked<Schema extends z.ZodObject>(input: Schema, values: Readonly<Record<string, unknown>>) {
  try {
    return z.safeParse(input, values);
  } catch (error) {
    // zod reads the `length` of any value that has one, and throws if it is not a number. Such a value is of the wrong
    // type, which shows without its properties.
    const plain = Object.entries(values).map(([name, value]) => [name, typeof value === "object" ? {} : value]);
    const result = z.safeParse(input, Object.fromEntries(plain));
    if (result.success) throw error;
    return result;
  }
}

function problemsOf(
  { values, twice, unknown }: Omit<ReturnType<typeof nameValues>, "taken">,
  error: z.ZodError | undefined,
  rules: ParamRules<z.ZodObject>,
): ParamProblem[] {
  const places = Object.keys(rules.input.shape);
  const known = [
    ...twice.map((names) => ({ place: places.indexOf(names[0]), ...givenTwice(names) })),
    ...(error?.issues ?? []).map((issue) => {
      const name = String(issue.path[0] ?? "");
      return { place: places.indexOf(name), ...schemaProblem(issue, values[name], rules) };
    }),
  ].sort((first, second) => first.place - second.place);
  const problems = [...known, ...unknown.map((name) => unknownParam(name, rules))];
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

type Aliases = Readonly<Record<string, string>>;

/** The parameter that a name refers to: its own name, another case of it, or a listed alias. */
function parameterNamed(name: string, known: readonly string[], aliases: Aliases): string | undefined {
  if (known.includes(name)) return name;
  const written = looseName(name);
  const isWritten = (candidate: string) => looseName(candidate) === written;
  const [, meant] = Object.entries(aliases).find(([alias]) => isWritten(alias)) ?? [];
  return known.find(isWritten) ?? known.find((candidate) => candidate === meant);
}

/** Puts values under the names of their parameters; strict function calling sends null for what was left out. */
function nameValues(entries: readonly (readonly [string, unknown])[], known: readonly string[], aliases: Aliases) {
  const found = new Map<string, readonly [as: string, value: unknown]>();
  const twice: [string, string, string][] = [];
  const unknown: string[] = [];
  for (const [as, value] of entries) {
    const name = parameterNamed(as, known, aliases);
    if (name === undefined) unknown.push(as);
    if (name === undefined || value === null) continue;
    const [other] = found.get(name) ?? [];
    if (other !== undefined) twice.push([name, other, as]);
    found.set(name, [as, value]);
  }
  const taken = [...found].filter(([name, [as]]) => name !== as).map(([name, [as]]) => [as, name] as const);
  const inOrder = known.filter((name) => found.has(name)).map((name) => [name, found.get(name)?.[1]] as const);
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(inOrder);
  return { values, taken, twice, unknown };
}

const INTEGER = /^-?\d+(?:\.0+)?$/u;
const BOOLEAN = /^(?:true|false)$/u;

/** Makes a function that turns a value into what its schema asks for, where that is clearly what was meant. */
function createConverter(
  aliases: Aliases,
  onTaken: (names: readonly [alias: string, name: string]) => void,
): (value: unknown, schema: JsonSchema) => unknown {
  function convert(value: unknown, schema: JsonSchema): unknown {
    if (typeof value === "string") return fromText(value, schema);
    if (Array.isArray(value)) return value.map((item: unknown) => convert(item, partOf(schema, "items")));
    return isRecord(value) ? fromRecord(value, partOf(schema, "properties")) : value;
  }

  function fromText(text: string, schema: JsonSchema): unknown {
    const types = typesOf(schema);
    if (types.length === 0 || types.includes("string")) return text;
    if (types.includes("boolean")) return BOOLEAN.test(text) ? text === "true" : text;
    if (types.includes("integer") || types.includes("number")) return INTEGER.test(text) ? Number(text) : text;
    const held = heldJson(text);
    if (isRecord(held) && types.includes("object")) return convert(held, schema);
    if (!types.includes("array")) return text;
    const items = partOf(schema, "items");
    const list = Array.isArray(held) ? held.map((item: unknown) => convert(item, items)) : undefined;
    if (list?.every((item) => fits(item, items)) === true) return list;
    return typesOf(items).includes("string") ? [text] : text;
  }

  function fromRecord(record: Record<string, unknown>, properties: JsonSchema): unknown {
    const { values, taken, twice, unknown } = nameValues(Object.entries(record), Object.keys(properties), aliases);
    // The schema refuses them better.
    if (twice.length > 0 || unknown.length > 0) return record;
    for (const names of taken) onTaken(names);
    return Object.fromEntries(
      Object.entries(values).map(([name, item]) => [name, convert(item, recordOf(properties[name]))]),
    );
  }

  return convert;
}

/** A JSON object or list in a string; undefined for any other string, and for a very long one. */
function parseJson(text: string): unknown {
  if (text.length > MAX_JSON_UNITS || !/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fits(value: unknown, schema: JsonSchema): boolean {
  const types = typesOf(schema);
  const type = Array.isArray(value) ? "array" : typeof value;
  return types.includes(type) || (type === "number" && types.includes("integer"));
}

function typesOf(schema: JsonSchema): unknown[] {
  return choicesOf(schema).flatMap(({ type = [] }) => type);
}

/** The schema of a list's items, or those of an object's properties. */
function partOf(schema: JsonSchema, keyword: "items" | "properties"): JsonSchema {
  return recordOf(choicesOf(schema).find((choice) => keyword in choice)?.[keyword]);
}

/** The schemas of which one has to fit. */
function choicesOf(schema: JsonSchema): JsonSchema[] {
  return Array.isArray(schema.anyOf) ? schema.anyOf.map(recordOf) : [schema];
}

function sizeIfLong(text: string): unknown {
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const bytes = 3 * text.length <= LONG_BYTES ? 0 : utf8Length(text);
  return bytes > LONG_BYTES ? { truncated: true, bytes } : text;
}

/** {@link parseJson} for a single parameter: a text that is too large for parameters is not taken for anything else. */
function heldJson(text: string): unknown {
  try {
    return heldCopy(parseJson(text));
  } catch {
    return undefined;
  }
}
