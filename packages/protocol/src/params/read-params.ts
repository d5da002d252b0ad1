import { jsonCopy } from "../json-copy.ts";
import { utf8Length } from "../utf8.ts";
import { isRecord } from "../record.ts";
import { parseJson } from "./meant-params.ts";

const LONG_BYTES = 4096;

/** What the caller passed, read exactly once. */
export interface GivenParams {
  /** For `context.params_input`. */
  readonly paramsInput: unknown;
  /** The own properties that are not `undefined`; missing if the parameters are not a readable object. */
  readonly entries?: readonly (readonly [name: string, value: unknown])[];
  readonly isTooLarge?: boolean;
}

/** How a call's parameters are kept. */
export interface ReadParamsOptions {
  /**
   * Keeps of strings over 4 KiB only their size.
   * @default false
   */
  readonly shortensStrings?: boolean;
}

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

// In UTF-8 a UTF-16 unit takes at most three bytes.
const MAX_BYTES_PER_UNIT = 3;
const SHORT_UNITS = Math.floor(LONG_BYTES / MAX_BYTES_PER_UNIT);

/** Whether a parameter is a short leaf that JSON holds as it is, so that it needs neither to be measured nor copied. */
function isShort([name, value]: readonly [string, unknown]): boolean {
  if (name.length > SHORT_UNITS) return false;
  if (typeof value === "string") return value.length <= SHORT_UNITS;
  return typeof value === "boolean" || value === null || Number.isFinite(value);
}

function fromText(text: string, paramsInput: unknown): GivenParams {
  const held = parseJson(text);
  return (
    tooLarge(excessBytes(text)) ?? (isRecord(held) ? { paramsInput, entries: Object.entries(held) } : { paramsInput })
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

const MAX_VALUES = 10_000;
/** In one object. */
const MAX_KEYS = 1000;
const MAX_LEVELS = 32;
const MAX_STRING_BYTES = 64 * 1024 * 1024;

/** What parameters may hold, in words. */
export const PARAM_LIMITS = `at most ${MAX_VALUES} values, ${MAX_KEYS} keys in one object, ${MAX_LEVELS} levels and ${MAX_STRING_BYTES / 1024 / 1024} MiB of strings`;

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
      // Whoever reads it next is refused too.
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
  // A proxy of a buffer does not tell its length, but it has all the keys.
  return typeof TypedArray === "function" && value instanceof TypedArray ? MAX_VALUES + 1 : undefined;
}
