import { utf8Length } from "../utf8.ts";

const MAX_VALUES = 10_000;
/** In one object. */
export const MAX_KEYS = 1000;
const MAX_LEVELS = 32;
const MAX_STRING_BYTES = 64 * 1024 * 1024;
// In UTF-8 a UTF-16 unit takes at most three bytes.
const MAX_BYTES_PER_UNIT = 3;

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
export function lengthOf(value: object): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (value instanceof String) return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  // A proxy of a buffer does not tell its length, but it has all the keys.
  return typeof TypedArray === "function" && value instanceof TypedArray ? MAX_VALUES + 1 : undefined;
}
