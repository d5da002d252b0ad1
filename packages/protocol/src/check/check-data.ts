import { CATEGORY_FIELDS, dataSchemas, type ToolCategory, type TruncatedData, truncatedDataSchema } from "../data.ts";
import { isTruncatorData, TRUNCATION_MARK } from "../envelope.ts";
import { isRecord } from "../json.ts";
import { sizeOf } from "../truncate/slice.ts";
import { checkRelativePath, pointer, type Violation, violation } from "./violation.ts";

const CATEGORIES = ["ls", "glob", "grep", "read", "edit"] as const satisfies readonly ToolCategory[];

/** The fields that tools of one category share. Without a category, the fields present are checked, as warnings. */
export function* checkData(
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

function* checkCategory(data: Readonly<Record<string, unknown>>, category: ToolCategory): Generator<Violation> {
  const result = dataSchemas[category].safeParse(data);
  for (const { path, message } of result.error?.issues ?? []) {
    yield violation("data/shape", pointer("data", ...path), message);
  }
  yield* checkPaths(data, category);
}

/** The paths of a list, and of the files that a patch changed. */
function* checkPaths(data: Readonly<Record<string, unknown>>, category: ToolCategory): Generator<Violation> {
  for (const field of [CATEGORY_FIELDS[category], "files"]) {
    const items: unknown = data[field];
    for (const [index, item] of Array.isArray(items) ? items.entries() : []) {
      const place = pointer("data", field, index);
      if (typeof item === "string") yield* checkRelativePath(item, "data/path", place);
      if (!isRecord(item)) continue;
      for (const name of ["path", "file", "from"]) {
        if (typeof item[name] === "string") yield* checkRelativePath(item[name], "data/path", `${place}/${name}`);
      }
    }
  }
}

/** What the truncator made of an answer: its shape, its counts, its notice. */
export function* checkTruncation(response: Readonly<Record<string, unknown>>): Generator<Violation> {
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
