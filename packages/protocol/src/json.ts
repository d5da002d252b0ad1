const MAX_DEPTH = 100;
const DEFAULT_MAX_VALUES = 100_000;

/** Whether a value is an object with properties: not `null`, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is a record, else an empty one. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

/** How much of a value {@link jsonCopy} takes over. */
export interface JsonCopyOptions {
  /**
   * Objects, arrays and leaves in total: a small graph of shared objects can unfold into billions of values.
   * @default 100000
   */
  readonly maxValues?: number;
  /** What replaces a string. @default the string itself */
  readonly shorten?: (text: string) => unknown;
}

/**
 * A deep copy that `JSON.stringify` can always write, and that reads like the original: what JSON cannot hold becomes
 * its `String()`; cycles, unreadable properties and what is nested too deeply become a short remark. Never throws.
 */
export function jsonCopy(value: unknown, options: JsonCopyOptions = {}): unknown {
  const { maxValues = DEFAULT_MAX_VALUES, shorten = (text) => text } = options;
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

/** An object, or what JSON holds in place of the value. */
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
    // A cycle, a BigInt, a throwing getter.
    json = JSON.stringify(jsonCopy(value), null, indent);
  }
  return typeof json === "string" ? json : undefined;
}
