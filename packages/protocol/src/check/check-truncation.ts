import * as z from "../zod.ts";
import { TRUNCATION_MARK, relativePathProblem } from "../envelope.ts";
import { once } from "../once.ts";
import { isRecord } from "../json.ts";
import { sizeOf } from "../truncate/slice.ts";
import { pointer, type Violation, violation } from "./violation.ts";

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
