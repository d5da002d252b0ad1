import { CATEGORY_FIELDS, dataSchemas, type ToolCategory } from "../data.ts";
import { isTruncatorData } from "../envelope.ts";
import { isRecord } from "../json.ts";
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
    yield violation(
      "data/missing-field",
      pointer("data", field),
      `A tool of category ${category} answers with ${field}.`,
    );
  }
}

function* checkCategory(data: Readonly<Record<string, unknown>>, category: ToolCategory): Generator<Violation> {
  const result = dataSchemas[category].safeParse(data);
  for (const { path, message } of result.error?.issues ?? []) {
    yield violation("data/shape", pointer("data", ...path), message);
  }
  yield* checkPaths(data, category);
}

function* checkPaths(data: Readonly<Record<string, unknown>>, category: ToolCategory): Generator<Violation> {
  const field = CATEGORY_FIELDS[category];
  const items: unknown = data[field];
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.entries()) {
    const { path, place } = pathOf(item, category);
    // A missing path is reported by the check of the shape.
    if (path !== undefined) yield* checkRelativePath(path, "data/path", pointer("data", field, index, ...place));
  }
}

function pathOf(item: unknown, category: ToolCategory): { path?: unknown; place: readonly string[] } {
  if (category === "glob") return { path: item, place: [] };
  const key = category === "ls" ? "path" : "file";
  return isRecord(item) ? { path: item[key], place: [key] } : { place: [] };
}
