import { once, z } from "@fstools/protocol";
import { FILE_ALIASES, filePathParam, integerParam, limitParam } from "@fstools/sandbox";
import { encodingParam } from "@fstools/text";

/** What a model may pass to Read. */
export const readParams = once(() =>
  z.object({
    path: filePathParam("Path to the file (relative to project root). Required."),
    start_line: integerParam("start_line must be a positive integer (>= 1).", 1)
      .default(1)
      .describe("The line number to start reading from (1-based). Default is 1."),
    limit: limitParam(2000)
      .default(500)
      .describe("The maximum number of lines to read. Default is 500. Hard limit is 2000."),
    encoding: encodingParam("If not UTF-8, e.g. gb18030."),
    start_column: integerParam("start_column must be a positive integer (>= 1).", 1)
      .default(1)
      .describe("Character of start_line to start from."),
  }),
);

/** A checked call of Read. */
export type ReadParams = z.output<ReturnType<typeof readParams>>;

/** The parameters of Read in code. */
export type ReadInput = z.input<ReturnType<typeof readParams>>;

/** Names that models use for Read's parameters, learned from other tools. */
export const readAliases = {
  ...FILE_ALIASES,
  offset: "start_line",
  line: "start_line",
  from_line: "start_line",
  lines: "limit",
  num_lines: "limit",
  max_lines: "limit",
} as const;

/** Names that are not parameters, and what to do instead. */
export const readNotParameters = { end_line: "Use 'limit', the number of lines, instead." } as const;
