import * as z from "../zod.ts";
import { jsonCopy } from "../json-copy.ts";
import { isRecord } from "../record.ts";
import { utf8Length } from "../utf8.ts";
import { meantParams, parseJson } from "./meant-params.ts";
import {
  invalidParams,
  MAX_KEYS,
  MAX_LEVELS,
  MAX_STRING_BYTES,
  MAX_VALUES,
  notAnObject,
  TOO_LARGE,
} from "./param-problems.ts";

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
  /**
   * Keeps only the size of strings over 4 KiB.
   * @default false
   */
  readonly shortensStrings?: boolean;
}

/** How a tool's parameters are checked and explained. */
export interface ParamRules<Schema extends z.ZodObject> {
  /** The tool's name. */
  readonly name: string;
  /** The parameters; the message of each zod check becomes the error's message. */
  readonly input: Schema & z.ZodType<z.output<Schema>>;
  /** Other name → the parameter that it is taken for; another case of a name needs no entry. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** A name that models try, but that is not a parameter → what to do instead, as a sentence. */
  readonly notParameters?: Readonly<Record<string, string | ((has: (tool: string) => boolean) => string)>>;
  /**
   * Parameters that are accepted, but left out of the JSON Schema: they are for hosts, not for models.
   * @default []
   */
  readonly unadvertised?: readonly string[];
  /**
   * The names of the tools that the model has.
   * @default every tool
   */
  readonly siblings?: readonly string[] | undefined;
  /**
   * Ignores unknown parameters instead of refusing them.
   * @default false
   */
  readonly ignoresUnknown?: boolean;
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
// A UTF-16 unit takes at most three bytes in UTF-8.
const MAX_BYTES_PER_UNIT = 3;
const SHORT_UNITS = Math.floor(LONG_BYTES / MAX_BYTES_PER_UNIT);

/** Reads a call's parameters; `null` and `undefined` act as an empty object. Never throws. */
export function readParams(params: unknown, { shortensStrings = false }: ReadParamsOptions = {}): GivenParams {
  const copy = (value: unknown) => jsonCopy(value, shortensStrings ? { shorten: sizeIfLong } : {});
  if (params === null || params === undefined) return { paramsInput: {}, entries: [] };
  try {
    if (typeof params === "string") return fromText(params, copy(params));
    if (typeof params !== "object" || lengthOf(params) !== undefined) {
      return tooLarge(excessBytes(params)) ?? { paramsInput: copy(params) };
    }
    const { length } = Reflect.ownKeys(params);
    if (length > MAX_KEYS) return tooLarge(length);
    const entries = Object.entries(params).filter(([, value]) => value !== undefined);
    const values = Object.fromEntries(entries);
    if (entries.every(isShort)) return { paramsInput: values, entries };
    return tooLarge(excessBytes(values)) ?? { paramsInput: copy(values), entries };
  } catch {
    return { paramsInput: copy(params) };
  }
}

/**
 * The tool's input, as the caller clearly meant it.
 * @throws ToolError INVALID_PARAM that names everything that is wrong: known parameters in schema order, then unknown ones
 */
export function parseParams<Schema extends z.ZodObject>(
  given: GivenParams,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  if (given.isTooLarge === true) throw invalidParams([TOO_LARGE]);
  if (given.entries === undefined) throw invalidParams([notAnObject(rules)]);
  return exactParams(given.entries, rules.input) ?? meantParams(given.entries, rules);
}

/** The input of a call that is valid as sent, as most are; undefined if it needs a closer look. */
function exactParams<Schema extends z.ZodObject>(
  entries: NonNullable<GivenParams["entries"]>,
  input: ParamRules<Schema>["input"],
): ParsedParams<Schema> | undefined {
  if (!entries.every(([name]) => Object.hasOwn(input.shape, name))) return undefined;
  const given: Record<string, unknown> = {};
  for (const known of Object.keys(input.shape)) {
    const [, value = null] = entries.find(([name]) => name === known) ?? [];
    if (value !== null) given[known] = value;
  }
  try {
    const result = z.safeParse(input, given);
    return result.success ? { input: result.data, given, notes: [] } : undefined;
  } catch {
    // A value that throws when it is looked at.
    return undefined;
  }
}

/** Whether a parameter is a short leaf that JSON holds unchanged, so that it needs no measuring and no copy. */
function isShort([name, value]: readonly [string, unknown]): boolean {
  if (name.length > SHORT_UNITS) return false;
  if (typeof value === "string") return value.length <= SHORT_UNITS;
  return typeof value === "boolean" || value === null || Number.isFinite(value);
}

function fromText(text: string, paramsInput: unknown): GivenParams {
  const excess = excessBytes(text);
  if (excess !== undefined) return tooLarge(excess);
  const held = parseJson(text);
  return (
    tooLarge(excessBytes(held)) ?? (isRecord(held) ? { paramsInput, entries: Object.entries(held) } : { paramsInput })
  );
}

function tooLarge(bytes: number): GivenParams;
function tooLarge(bytes: number | undefined): GivenParams | undefined;
function tooLarge(bytes: number | undefined): GivenParams | undefined {
  return bytes === undefined ? undefined : { paramsInput: { truncated: true, bytes }, isTooLarge: true };
}

function sizeIfLong(text: string): unknown {
  const bytes = text.length <= SHORT_UNITS ? 0 : utf8Length(text);
  return bytes > LONG_BYTES ? { truncated: true, bytes } : text;
}

const TypedArray: unknown = Object.getPrototypeOf(Uint8Array);

/**
 * How many bytes were counted when parameters turned out to be too large; undefined if they are not.
 * It looks at nothing past the first excess, and never throws.
 */
export function excessBytes(params: unknown): number | undefined {
  const texts: string[] = [];
  let values = 0;
  let units = 0;

  function exceeds(value: unknown, level: number): boolean {
    if (typeof value === "string") return exceedsText(value);
    if (typeof value !== "object" || value === null) return false;
    if (level > MAX_LEVELS) return true;
    try {
      return exceedsItems(value, level);
    } catch {
      // The next reader will fail on it too.
      return false;
    }
  }

  function exceedsText(text: string): boolean {
    units += text.length;
    texts.push(text);
    return units > MAX_STRING_BYTES;
  }

  function exceedsItems(value: object, level: number): boolean {
    const length = lengthOf(value);
    const keys = length === undefined ? Reflect.ownKeys(value) : [];
    values += length ?? keys.length;
    if (values > MAX_VALUES || keys.length > MAX_KEYS) return true;
    for (let index = 0; index < (length ?? 0); index += 1) {
      if (exceeds(Reflect.get(value, index), level + 1)) return true;
    }
    return keys.some((key) => exceedsText(String(key)) || exceeds(Reflect.get(value, key), level + 1));
  }

  if (exceeds(params, 1)) return values + units;
  if (units * MAX_BYTES_PER_UNIT <= MAX_STRING_BYTES) return undefined;
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  return bytes > MAX_STRING_BYTES ? values + bytes : undefined;
}

/** The number of items of a list, a buffer or a string object, which have a key for each of them. */
function lengthOf(value: object): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (value instanceof String) return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  // A proxy of a buffer hides its length, but it has all the keys.
  return typeof TypedArray === "function" && value instanceof TypedArray ? MAX_VALUES + 1 : undefined;
}
