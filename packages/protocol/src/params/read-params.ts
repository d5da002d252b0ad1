import { jsonCopy } from "../json-copy.ts";
import { utf8Length } from "../utf8.ts";
import { isRecord } from "../record.ts";
import { parseJson } from "./meant-params.ts";
import { excessBytes, lengthOf, MAX_KEYS } from "./param-size.ts";

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
    return tooLarge(excessBytes(values)) ?? { paramsInput: copy(values), entries };
  } catch {
    return { paramsInput: copy(params) };
  }
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
  const bytes = text.length * 3 <= LONG_BYTES ? 0 : utf8Length(text);
  return bytes > LONG_BYTES ? { truncated: true, bytes } : text;
}
