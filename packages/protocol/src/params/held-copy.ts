import { utf8Length } from "../text.ts";

const MAX_VALUES = 10_000;
const MAX_KEYS = 1000;
const MAX_LEVELS = 32;
const MAX_STRING_BYTES = 64 * 1024 * 1024;

/** What is wrong with parameters over one of the limits, and what to pass instead. */
export const TOO_LARGE = {
  message: "Parameters are too large.",
  remedy: `Pass at most ${MAX_VALUES} values, ${MAX_KEYS} keys in one object, ${MAX_LEVELS} levels and ${MAX_STRING_BYTES / 1024 / 1024} MiB of strings.`,
} as const;

/** Parameters that are over one of the limits. */
export class ParamsTooLarge extends Error {
  override readonly name = "ParamsTooLarge";
  /** What was counted until then. */
  readonly bytes: number;

  constructor(bytes: number) {
    super(TOO_LARGE.message);
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
