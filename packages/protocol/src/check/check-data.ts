import * as z from "../zod.ts";
import { CATEGORY_FIELDS, dataSchemas, type ToolCategory } from "../data.ts";
import { isTruncatorData, relativePathProblem, TRUNCATION_MARK } from "../envelope.ts";
import { isRecord } from "../json.ts";
import { once } from "../once.ts";
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
  if (category === "edit" && Array.isArray(data.files)) yield* checkChangedFiles(data.files);
}

/** The files of a patch, or of its undoing. */
function* checkChangedFiles(files: readonly unknown[]): Generator<Violation> {
  for (const [index, file] of files.entries()) {
    if (!isRecord(file)) continue;
    for (const name of ["path", "from"]) {
      const place = pointer("data", "files", index, name);
      if (file[name] !== undefined) yield* checkRelativePath(file[name], "data/path", place);
    }
  }
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

const productSchema = once(() => {
  const count = z.int().min(0);
  const limit = z.int().min(1);
  const path = z
    .string()
    .refine((full) => relativePathProblem(full) === undefined, "Must be a POSIX path relative to the project root.");
  return z.strictObject({
    truncated: z.literal(true),
    truncation: z.strictObject({
      direction: z.enum(["head", "tail"]),
      max_lines: limit,
      max_bytes: limit,
      original_lines: count,
      original_bytes: count,
      kept_lines: count,
      kept_bytes: count,
      full_output_path: path.optional(),
    }),
    preview: z.string(),
  });
});

/** What the truncator made of an answer: its shape, its counts, its notice. */
export function* checkTruncation(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const { data, text } = response;
  if (!isRecord(data) || !("truncation" in data)) return;
  const result = productSchema().safeParse(data);
  for (const { path, message } of result.error?.issues ?? []) {
    yield violation("truncation/shape", pointer("data", ...path), message);
  }
  if (result.data !== undefined) yield* checkCounts(result.data);
  if (typeof text === "string" && !text.startsWith(TRUNCATION_MARK)) {
    yield violation("truncation/text", "/text", `The text begins with "${TRUNCATION_MARK}".`);
  }
}

function* checkCounts({ truncation, preview }: z.output<ReturnType<typeof productSchema>>): Generator<Violation> {
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
