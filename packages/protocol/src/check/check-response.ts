import { checkEnvelope } from "./check-envelope.ts";
import { checkState } from "./check-state.ts";
import { CATEGORY_FIELDS, dataSchemas, type ToolCategory, type TruncatedData, truncatedDataSchema } from "../data.ts";
import { isTruncatorData, TRUNCATION_MARK } from "../envelope.ts";
import { isRecord, recordOf } from "../json.ts";
import { sizeOf } from "../text.ts";
import { checkRelativePath, pointer, type Violation, violation } from "./violation.ts";

const MAX_DEPTH = 500;

/** What `checkResponse` should know about the tool that answered. */
export interface CheckOptions {
  /** Without one, only the shared fields that are present are checked, and as warnings. */
  readonly category?: ToolCategory | undefined;
}

/** Every place where an answer breaks a rule of the envelope; none if it conforms. Never throws. */
export function checkResponse(value: unknown, options: CheckOptions = {}): Violation[] {
  try {
    if (!isRecord(value)) return [violation("envelope/not-an-object", "", "An answer must be an object.")];
    return [
      ...checkEnvelope(value),
      ...checkJson(value),
      ...checkState(value),
      ...checkData(value, options.category),
      ...checkTruncation(value),
    ];
  } catch {
    return [violation("envelope/unreadable", "", "Reading the answer throws.")];
  }
}

/** The first thing that JSON would change or refuse: the wire is JSON, so the other side would read something else. */
function* checkJson(response: object): Generator<Violation> {
  const ancestors = new Set<object>();
  const checked = new Set<object>();

  function find(value: unknown, place: readonly PropertyKey[]): Violation | undefined {
    const cannotHold = (what: string) => violation("envelope/not-json", pointer(...place), `JSON cannot hold ${what}.`);
    if (typeof value === "number") return Number.isFinite(value) ? undefined : cannotHold(String(value));
    if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined;
    if (typeof value !== "object") return cannotHold(value === undefined ? "undefined" : `a ${typeof value}`);
    if (ancestors.has(value)) return cannotHold("a cycle");
    if (ancestors.size >= MAX_DEPTH) return cannotHold(`more than ${MAX_DEPTH} levels safely`);
    // Shared objects are checked once: a small graph of them can unfold into billions of values.
    if (checked.has(value) || "toJSON" in value) return undefined;
    ancestors.add(value);
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      const isDropped = item === undefined && !Array.isArray(value);
      const found = isDropped ? undefined : find(item, [...place, key]);
      if (found !== undefined) return found;
    }
    ancestors.delete(value);
    checked.add(value);
    return undefined;
  }

  const found = find(response, []);
  if (found !== undefined) yield found;
}

const CATEGORIES = ["ls", "glob", "grep", "read", "edit"] as const satisfies readonly ToolCategory[];

/** The fields that tools of one category share. Without a category, the fields present are checked, as warnings. */
function* checkData(
  response: Readonly<Record<string, unknown>>,
  category: ToolCategory | undefined,
): Generator<Violation> {
  const { data, status } = response;
  if (!isRecord(data) || isTruncatorData(data)) return;
  if (category === undefined) {
    for (const present of CATEGORIES.filter((name) => CATEGORY_FIELDS[name] in data)) {
      for (const found of checkCategory(data, present)) yield { ...found, severity: "warning" };
    }
  } else if (CATEGORY_FIELDS[category] in data) {
    yield* checkCategory(data, category);
  } else if (status !== "error") {
    const field = CATEGORY_FIELDS[category];
    const message = `A tool of category ${category} answers with ${field}.`;
    yield violation("data/missing-field", pointer("data", field), message);
  }
}

/** With the paths of a list, and of the files that a patch changed. */
function* checkCategory(data: Readonly<Record<string, unknown>>, category: ToolCategory): Generator<Violation> {
  for (const { path, message } of dataSchemas[category].safeParse(data).error?.issues ?? []) {
    yield violation("data/shape", pointer("data", ...path), message);
  }
  for (const field of [CATEGORY_FIELDS[category], "files"]) {
    const items: unknown = data[field];
    for (const [index, item] of Array.isArray(items) ? items.entries() : []) {
      const place = pointer("data", field, index);
      if (typeof item === "string") yield* checkRelativePath(item, "data/path", place);
      for (const name of ["path", "file", "from"]) {
        const path = recordOf(item)[name];
        if (typeof path === "string") yield* checkRelativePath(path, "data/path", `${place}/${name}`);
      }
    }
  }
}

function* checkTruncation(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const { data, text } = response;
  if (!isRecord(data) || !("truncation" in data)) return;
  const result = truncatedDataSchema().safeParse(data);
  for (const { path, message } of result.error?.issues ?? []) {
    yield violation("truncation/shape", pointer("data", ...path), message);
  }
  if (result.data !== undefined) yield* checkCounts(result.data);
  if (typeof text === "string" && !text.startsWith(TRUNCATION_MARK)) {
    yield violation("truncation/text", "/text", `The text begins with "${TRUNCATION_MARK}".`);
  }
}

function* checkCounts({ truncation, preview }: TruncatedData): Generator<Violation> {
  const { lines, bytes } = sizeOf(preview);
  if (truncation.kept_lines !== lines || truncation.kept_bytes !== bytes) {
    yield violation("truncation/counts", "/data/truncation", `The preview has ${lines} lines and ${bytes} bytes.`);
  }
  if (truncation.kept_lines > truncation.max_lines || truncation.kept_bytes > truncation.max_bytes) {
    yield violation("truncation/limits", "/data/truncation", "More is kept than the limits allow.");
  }
  if (truncation.kept_lines > truncation.original_lines || truncation.kept_bytes > truncation.original_bytes) {
    yield violation("truncation/limits", "/data/truncation", "More is kept than there was.");
  }
}
