import * as z from "../zod.ts";
import { jsonCopy, isRecord } from "../json.ts";
import { utf8Length } from "../text.ts";
import {
  givenTwice,
  invalidParams,
  looseName,
  MAX_KEYS,
  MAX_LEVELS,
  MAX_STRING_BYTES,
  MAX_VALUES,
  notAnObject,
  type ParamProblem,
  type ParamRules,
  schemaProblem,
  takenNote,
  TOO_LARGE,
  unknownParam,
} from "./explain.ts";
import { type JsonSchema, parametersSchema } from "./json-schema.ts";

/** What the caller passed, read exactly once. */
export interface GivenParams {
  /** For `context.params_input`. */
  readonly paramsInput: unknown;
  /** The own properties that are not `undefined`; missing if the parameters are not a readable object. */
  readonly entries?: readonly (readonly [name: string, value: unknown])[];
  readonly isTooLarge?: boolean;
}

/** How a call's parameters are recorded. */
export interface ReadParamsOptions {
  /** Keeps only the size of strings over 4 KiB. @default false */
  readonly shortensStrings?: boolean;
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

/** Reads a call's parameters; `null` and `undefined` act as an empty object. Never throws. */
export function readParams(params: unknown, { shortensStrings = false }: ReadParamsOptions = {}): GivenParams {
  const recorded = (value: unknown) => jsonCopy(value, shortensStrings ? { shorten: sizeIfLong } : {});
  try {
    const held = heldCopy(typeof params === "string" ? (parseJson(params) ?? params) : (params ?? {}));
    if (!isRecord(held)) return { paramsInput: recorded(params) };
    const entries = Object.entries(held).filter(([, value]) => value !== undefined);
    return { paramsInput: recorded(typeof params === "string" ? params : held), entries };
  } catch (error) {
    if (error instanceof ParamsTooLarge)
      return { paramsInput: { truncated: true, bytes: error.bytes }, isTooLarge: true };
    // A proxy whose traps throw.
    return { paramsInput: recorded(params) };
  }
}

/**
 * The tool's input, as the caller clearly meant it.
 * @throws ToolError INVALID_PARAM that names everything that is wrong: known parameters in schema order, then unknown ones
 */
export function parseParams<Schema extends z.ZodObject>(
  { entries, isTooLarge = false }: GivenParams,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  if (isTooLarge) throw invalidParams([TOO_LARGE]);
  if (entries === undefined) throw invalidParams([notAnObject(rules)]);
  const { input, aliases = {}, ignoresUnknown = false } = rules;
  const known = Object.keys(input.shape);
  const lookup = nameLookup(aliases);
  const named = nameValues(entries, known, lookup);
  const notes = new Set(named.taken.map(takenNote));
  const order = known.filter((name) => named.values.has(name));
  const asNamed = Object.fromEntries(order.map((name) => [name, named.values.get(name)]));
  const { given, result } = understand(asNamed, input, lookup, (names) => notes.add(takenNote(names)));
  const unknown = ignoresUnknown ? [] : named.unknown;
  if (result.success && named.twice.length === 0 && unknown.length === 0) {
    return { input: result.data, given, notes: [...notes] };
  }
  const problems = problemsOf({ ...named, unknown }, result.error, rules);
  throw invalidParams(problems, named.twice.length > 0 ? [] : [...notes]);
}

/** The values as they are if the schema accepts them, or else as they were clearly meant. */
function understand<Schema extends z.ZodObject>(
  given: Readonly<Record<string, unknown>>,
  input: Schema,
  lookup: NameLookup,
  onTaken: (names: readonly [alias: string, name: string]) => void,
) {
  const mapped = (change: (value: unknown, name: string) => unknown) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, change(value, name)]));
  try {
    const result = z.safeParse(input, given);
    if (result.success) return { given, result };
    const { properties } = parametersSchema(input);
    const convert = createConverter(lookup, onTaken);
    const meant = mapped((value, name) => convert(value, properties[name] ?? {}));
    return { given: meant, result: z.safeParse(input, meant) };
  } catch (error) {
    // zod reads the `length` of any value that has one, and throws if it is not a number. Such a value is of the wrong
    // type, which shows without its properties.
    const result = z.safeParse(
      input,
      mapped((value) => (typeof value === "object" ? {} : value)),
    );
    if (result.success) throw error;
    return { given, result };
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

/** Finds the parameter that a name refers to: its own name, another case of it, or a listed alias. */
export type NameLookup = (name: string, known: readonly string[]) => string | undefined;

/** Makes a lookup that knows these aliases. */
export function nameLookup(aliases: Readonly<Record<string, string>>): NameLookup {
  return (name, known) => {
    if (known.includes(name)) return name;
    const written = looseName(name);
    const meant =
      known.find((candidate) => looseName(candidate) === written) ??
      Object.entries(aliases).find(([alias]) => looseName(alias) === written)?.[1];
    return meant !== undefined && known.includes(meant) ? meant : undefined;
  };
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

const INTEGER = /^-?\d+(?:\.0+)?$/u;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** Makes a function that turns a value into what its schema asks for, where that is clearly what was meant. */
function createConverter(
  lookup: NameLookup,
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
    if (types.includes("boolean")) return BOOLEANS.get(text) ?? text;
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
    const { values, taken, twice, unknown } = nameValues(Object.entries(record), Object.keys(properties), lookup);
    // The schema refuses them better.
    if (twice.length > 0 || unknown.length > 0) return record;
    for (const names of taken) onTaken(names);
    return Object.fromEntries([...values].map(([name, item]) => [name, convert(item, schemaOf(properties[name]))]));
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
  if (typeof value === "number") return types.includes("integer") || types.includes("number");
  return types.includes(Array.isArray(value) ? "array" : typeof value);
}

function typesOf(schema: JsonSchema): unknown[] {
  if (Array.isArray(schema.anyOf)) return schema.anyOf.flatMap((choice) => typesOf(schemaOf(choice)));
  return schema.type === undefined ? [] : [schema.type].flat();
}

/** The schema of a list's items, or those of an object's properties, also where it is one of several choices. */
function partOf(schema: JsonSchema, keyword: "items" | "properties"): JsonSchema {
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.map(schemaOf) : [schema];
  return schemaOf(choices.find((choice) => keyword in choice)?.[keyword]);
}

function schemaOf(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
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

/** Parameters that are over one of the limits. */
export class ParamsTooLarge extends Error {
  override readonly name = "ParamsTooLarge";
  /** What was counted until then. */
  readonly bytes: number;

  constructor(bytes: number) {
    super("Parameters are too large.");
    this.bytes = bytes;
  }
}

/**
 * A copy of parameters that nobody else can change and no getter can throw in; each value is read once.
 * @throws ParamsTooLarge at the first excess, or what reading a value throws
 */
export function heldCopy(params: unknown): unknown {
  let values = 0;
  let bytes = 0;

  function assertWithin(isWithin: boolean): void {
    if (!isWithin || values > MAX_VALUES || bytes > MAX_STRING_BYTES) throw new ParamsTooLarge(values + bytes);
  }

  function copyText(text: string): string {
    // A unit takes a byte at least, so a longer one need not be encoded.
    bytes += text.length > MAX_STRING_BYTES ? text.length : utf8Length(text);
    assertWithin(true);
    return text;
  }

  function copy(value: unknown, level: number): unknown {
    if (typeof value === "string") return copyText(value);
    if (typeof value !== "object" || value === null) return value;
    const isBytes = ArrayBuffer.isView(value);
    const keys = Array.isArray(value) || isBytes ? [] : Reflect.ownKeys(value);
    values += Array.isArray(value) ? value.length : isBytes ? value.byteLength : keys.length;
    assertWithin(level <= MAX_LEVELS && keys.length <= MAX_KEYS);
    // Bytes, a date: no parameter, and shown as JSON shows it.
    if (isBytes || typeof Reflect.get(value, "toJSON") === "function") return value;
    if (Array.isArray(value)) return Array.from(value, (item: unknown) => copy(item, level + 1));
    return Object.fromEntries(
      Object.keys(value).map((key) => [copyText(key), copy(Reflect.get(value, key), level + 1)] as const),
    );
  }

  return copy(params, 1);
}
