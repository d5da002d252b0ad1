import { utf8Length } from "./text.ts";

const MAX_DEPTH = 100;

/** Whether a value is an object with properties: not `null`, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/**
 * A deep copy that `JSON.stringify` can always write, and that reads like the original: what JSON cannot hold becomes
 * its `String()`; cycles, unreadable properties and what is nested too deeply become a short remark. So do values past
 * `maxValues`: a small graph of shared ones can unfold into billions. Never throws.
 */
export function jsonCopy(
  value: unknown,
  { maxValues = 100_000, shorten = (text: string): unknown => text } = {},
): unknown {
  let values = 0;

  function copy(read: () => unknown, ancestors: readonly object[]): unknown {
    values += 1;
    if (values > maxValues) return "[too large]";
    try {
      const held = inJson(read());
      if (typeof held === "string") return shorten(held);
      if (typeof held !== "object" || held === null) return held;
      if (ancestors.includes(held)) return "[circular]";
      if (ancestors.length >= MAX_DEPTH) return "[too deep]";
      return copyContainer(held, [...ancestors, held]);
    } catch {
      return "[unreadable]";
    }
  }

  function copyContainer(source: object, ancestors: readonly object[]): unknown {
    // A sparse array may have more holes than there is time for.
    const room = maxValues - values + 1;
    if (Array.isArray(source)) {
      return Array.from(source.slice(0, room), (item: unknown) => copy(() => item, ancestors) ?? null);
    }
    const keys = Object.keys(source).slice(0, room);
    const properties = keys.map((key) => [key, copy(() => Reflect.get(source, key), ancestors)] as const);
    // Defines own properties, also one called "__proto__".
    return Object.fromEntries(properties.filter(([, property]) => property !== undefined));
  }

  return copy(() => value, []);
}

function inJson(value: unknown): unknown {
  if (typeof value === "object" && value !== null && "toJSON" in value && typeof value.toJSON === "function") {
    return Reflect.apply(value.toJSON, value, []);
  }
  // JSON.stringify would write an error as an empty object.
  if (value instanceof Error || (typeof value === "number" && !Number.isFinite(value))) return String(value);
  const hasWords = typeof value === "bigint" || typeof value === "function" || typeof value === "symbol";
  return hasWords ? String(value) : value;
}

/** `JSON.stringify` that falls back to a {@link jsonCopy} where the value is not JSON; undefined for what has no JSON. */
export function stringifySafely(value: unknown, indent?: number): string | undefined {
  // Not a string for undefined, functions and symbols, whatever its type says.
  let json: unknown;
  try {
    json = JSON.stringify(value, null, indent);
  } catch {
    json = JSON.stringify(jsonCopy(value), null, indent);
  }
  return typeof json === "string" ? json : undefined;
}

const MAX_VALUES = 10_000;
const MAX_KEYS = 1000;
const MAX_LEVELS = 32;
const MAX_STRING_BYTES = 64 * 1024 * 1024;

export const TOO_LARGE = {
  message: "Parameters are too large.",
  remedy: `Pass at most ${MAX_VALUES} values, ${MAX_KEYS} keys in one object, ${MAX_LEVELS} levels and ${MAX_STRING_BYTES / 1024 / 1024} MiB of strings.`,
} as const;

/** Parameters that are over one of the limits, and what was counted until then. */
export class ParamsTooLarge extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super(TOO_LARGE.message);
    this.bytes = bytes;
  }
}

/** A copy that nobody else can change, without getters. @throws ParamsTooLarge, or what reading a value throws */
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
