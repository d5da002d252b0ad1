import { z } from "zod";
import type { Flavour } from "./flavour.ts";
import { DEFAULT_LIMIT } from "./limits.ts";

/** The tool's parameters, as the model sees them. */
export function createParams({ minOffset }: Flavour) {
  return z.strictObject({
    filePath: z
      .string({ error: "filePath must be a string." })
      .min(1, "Missing required parameter 'filePath'.")
      .describe(
        "File or directory to read. A relative path starts at the working directory; an absolute path must lie within the project root.",
      ),
    offset: z
      .int({ error: "offset must be an integer >= 1" })
      .min(minOffset, "offset must be >= 1")
      .default(1)
      .describe("Line or entry to start at (1-indexed)."),
    limit: z
      .int({ error: "limit must be an integer >= 1" })
      .min(1, "limit must be >= 1")
      .default(DEFAULT_LIMIT)
      .describe("Most lines or entries to return."),
  });
}

/** Parameters after the check, with defaults filled in. */
export type OpencodeReadParams = z.output<ReturnType<typeof createParams>>;

/** Names that other tools use for these parameters. */
export const ALIASES = {
  file_path: "filePath",
  file: "filePath",
  file_name: "filePath",
  filename: "filePath",
  path: "filePath",
  absolute_path: "filePath",
  target_file: "filePath",
  directory: "filePath",
  dir: "filePath",
  cwd: "filePath",
  folder: "filePath",
  start: "offset",
  start_line: "offset",
  startLine: "offset",
  from: "offset",
  from_line: "offset",
  line: "offset",
  line_number: "offset",
  lines: "limit",
  num_lines: "limit",
  max_lines: "limit",
  maxLines: "limit",
  line_limit: "limit",
  count: "limit",
} as const;
