const MAX_DEPTH = 100;
const DEFAULT_MAX_VALUES = 100_000;

/** Whether a value is an object with properties: not `null`, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  const ancestors = new Set<object>();
  let values = 0;

  function copy(source: unknown): unknown {
    values += 1;
    if (values > maxValues) return "[too large]";
    try {
      const held = unwrap(source);
      if (typeof held === "string") return shorten(held);
      return typeof held === "object" && held !== null ? copyContainer(held) : leaf(held);
    } catch {
      return "[unreadable]";
    }
  }

  function copyContainer(source: object): unknown {
    if (ancestors.has(source)) return "[circular]";
    if (ancestors.size >= MAX_DEPTH) return "[too deep]";
    ancestors.add(source);
    try {
      return Array.isArray(source) ? copyItems(source) : copyProperties(source);
    } finally {
      ancestors.delete(source);
    }
  }

  function copyItems(source: readonly unknown[]): unknown[] {
    const items: unknown[] = [];
    // Stops at the limit: a sparse array may have more holes than there is time for.
    for (let index = 0; index < source.length && values <= maxValues; index += 1) {
      items.push(copy(source[index]) ?? null);
    }
    return items;
  }

  function copyProperties(source: object): object {
    const properties: [string, unknown][] = [];
    for (const key of Object.keys(source)) {
      if (values > maxValues) break;
      const property = copy(read(source, key));
      if (property !== undefined) properties.push([key, property]);
    }
    // Defines own properties, also one called "__proto__".
    return Object.fromEntries(properties);
  }

  return copy(value);
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

function leaf(source: unknown): unknown {
  switch (typeof source) {
    case "number":
      return Number.isFinite(source) ? source : String(source);
    case "bigint":
    case "function":
    case "symbol":
      return String(source);
    default:
      return source;
  }
}

function unwrap(source: unknown): unknown {
  if (typeof source !== "object" || source === null) return source;
  if (hasToJson(source)) return source.toJSON();
  // JSON.stringify would write an error as an empty object.
  if (source instanceof Error) return String(source);
  if (source instanceof Number || source instanceof String || source instanceof Boolean) return source.valueOf();
  return source;
}

function hasToJson(source: object): source is { toJSON: () => unknown } {
  return "toJSON" in source && typeof source.toJSON === "function";
}

function read(source: object, key: string): unknown {
  try {
    return Reflect.get(source, key);
  } catch {
    return "[unreadable]";
  }
}
