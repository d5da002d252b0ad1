import { stringifySafely } from "../json-copy.ts";
import { isRecord } from "../record.ts";
import { slices, startOfCharacter } from "../utf8.ts";

/** The indented JSON of a value, in order; long strings are escaped only when their JSON is needed. */
export type JsonText = readonly JsonPart[];

/** JSON as it is, or a string whose JSON, without the quotes, belongs here. */
type JsonPart = { readonly json: string } | { readonly unescaped: string };

// Small enough to stay in the processor's cache from one step to the next.
const PIECE_UNITS = 1 << 16;
const INDENT = 2;
// Deep enough for `context.params_input.content`.
const MAX_DEPTH = 3;
const MAX_KEYS = 100;
const MARK = "\u0000a long string\u0000";
const MARK_JSON = JSON.stringify(MARK);

/** Undefined for what JSON cannot hold at all. */
export function jsonText(value: unknown, longUnits = PIECE_UNITS): JsonText | undefined {
  const text = withLongStringsAside(value, longUnits);
  if (text !== undefined) return text;
  const json = stringifySafely(value, INDENT);
  return json === undefined ? undefined : [{ json }];
}

/** The whole JSON in pieces of whole characters, made one by one. */
export function* jsonPieces(text: JsonText, pieceUnits = PIECE_UNITS): Generator<string, void, undefined> {
  for (const part of text) {
    if ("json" in part) yield* slices(part.json, pieceUnits);
    else for (const slice of slices(part.unescaped, pieceUnits)) yield escaped(slice);
  }
}

/** The length that the JSON has at least, in UTF-16 units. */
export function minJsonUnits(text: JsonText): number {
  return text.reduce((units, part) => units + ("json" in part ? part.json : part.unescaped).length, 0);
}

/** The beginning of the JSON: at least this many units, or all of it. */
export function jsonHead(text: JsonText, units: number): string {
  let head = "";
  for (const part of text) {
    if (head.length >= units) break;
    head += "json" in part ? part.json.slice(0, units) : escaped(firstUnits(part.unescaped, units));
  }
  return head;
}

/** The end of the JSON: at least this many units, or all of it; it never begins inside an escape. */
export function jsonTail(text: JsonText, units: number): string {
  let tail = "";
  for (const part of text.toReversed()) {
    if (tail.length >= units) break;
    tail = ("json" in part ? lastEscapes(part.json, units) : escaped(lastUnits(part.unescaped, units))) + tail;
  }
  return tail;
}

/** The given position, or the one before it if the given one would split an escape. */
export function escapeBoundary(json: string, position: number): number {
  if (position <= 0) return 0;
  let runStart = position;
  while (json.charCodeAt(runStart - 1) === 0x5c) runStart -= 1;
  return (position - runStart) % 2 === 0 ? position : position - 1;
}

/** Undefined if there is no long string near the surface, or if it cannot be separated from the rest. */
function withLongStringsAside(value: unknown, longUnits: number): JsonText | undefined {
  const long: string[] = [];
  let json: string;
  try {
    const outline = setAside(value, MAX_DEPTH, longUnits, long);
    if (long.length === 0) return undefined;
    json = JSON.stringify(outline, null, INDENT);
  } catch {
    return undefined;
  }
  const [first = "", ...others] = json.split(MARK_JSON);
  // More marks than long strings: the value itself holds one.
  if (others.length !== long.length) return undefined;
  const quoted = others.flatMap((following, index): JsonPart[] => [
    { json: '"' },
    { unescaped: long[index] ?? "" },
    { json: `"${following}` },
  ]);
  return [{ json: first }, ...quoted];
}

function setAside(value: unknown, depth: number, longUnits: number, long: string[]): unknown {
  if (typeof value === "string" && value.length >= longUnits) {
    long.push(value);
    return MARK;
  }
  if (depth === 0 || !isPlain(value)) return value;
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return value;
  return Object.fromEntries(entries.map(([key, item]) => [key, setAside(item, depth - 1, longUnits, long)]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || typeof value.toJSON === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function firstUnits(text: string, units: number): string {
  return text.slice(0, startOfCharacter(text, units + 1));
}

function lastUnits(text: string, units: number): string {
  return text.slice(startOfCharacter(text, text.length - units));
}

function lastEscapes(json: string, units: number): string {
  return json.slice(escapeBoundary(json, json.length - units));
}
