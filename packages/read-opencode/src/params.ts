import { once, z } from "@fstools/protocol";
import { description } from "./description.ts";
import type { Flavour } from "./flavour.ts";

/** How many lines or entries a call shows unless it says otherwise. */
export const DEFAULT_LIMIT = 2000;

/** The tool's parameters, as the model sees them. */
function createParams({ isLenient }: Flavour) {
  const minimum = isLenient ? 0 : 1;
  return z.object({
    filePath: z
      .string({ error: "filePath must be a string." })
      .min(1, "Missing required parameter 'filePath'.")
      .describe(
        "File or directory to read. A relative path starts at the working directory; an absolute path must lie within the project root.",
      ),
    offset: z
      .int({ error: "offset must be an integer >= 1" })
      .min(minimum, "offset must be >= 1")
      .default(1)
      .describe("Line or entry to start at (1-indexed)."),
    limit: z
      .int({ error: "limit must be an integer >= 1" })
      .min(minimum, "limit must be >= 1")
      .default(DEFAULT_LIMIT)
      .describe("Most lines or entries to return."),
  });
}

/** Parameters after the check, with defaults filled in. */
export type OpencodeReadParams = z.output<ReturnType<typeof createParams>>;

// Names that other tools use for the path.
const NAMES = "file_path file file_name filename path absolute_path target_file directory dir cwd folder";
export const PATH_ALIASES = Object.fromEntries(NAMES.split(" ").map((name) => [name, "filePath"]));

const ALIASES = {
  ...PATH_ALIASES,
  ...{ start_line: "offset", line: "offset" },
  ...{ lines: "limit", num_lines: "limit", max_lines: "limit" },
};

/** What the tool is, apart from any project. */
export function readSpec(flavour: Flavour) {
  const params = once(() => createParams(flavour));
  return {
    name: "read",
    title: "Read file",
    description,
    get input() {
      return params();
    },
    aliases: ALIASES,
    notParameters: { end_line: "Use 'limit', the number of lines, instead." },
    effect: "read",
  } as const;
}
