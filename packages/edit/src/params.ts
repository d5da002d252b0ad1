import { once, z } from "@fstools/protocol";
import { changeParams, FILE_ALIASES, filePathParam } from "@fstools/sandbox";
import { encodingParam } from "@fstools/text";

const EDITS = "edits must be a non-empty list of { old_string, new_string }.";
const INSERT_LINE = { error: "insert_line must be a non-negative integer." };
const NO_INSERTION = "Pass insert_line and new_string, without old_string and edits.";
const NOT_BOTH = "Pass either old_string and new_string, or edits, not both.";

/** What a model may pass to Edit. */
export const editParams = once(() =>
  z
    .strictObject({
      path: filePathParam("The file, relative to the project root."),
      old_string: z.string({ error: "old_string must be a string." }).optional().describe("Text to replace."),
      new_string: z.string({ error: "new_string must be a string." }).optional().describe("Text in its place."),
      replace_all: z
        .boolean({ error: "replace_all must be a boolean." })
        .default(false)
        .describe("Replace every occurrence."),
      edits: z
        .array(
          z.strictObject(
            {
              old_string: z.string({ error: EDITS }),
              new_string: z.string({ error: EDITS }),
              replace_all: z.boolean({ error: EDITS }).optional(),
            },
            { error: EDITS },
          ),
          { error: EDITS },
        )
        .min(1, EDITS)
        .optional()
        .describe("Several replacements instead, all or none."),
      encoding: encodingParam("If not UTF-8."),
      insert_line: z.int(INSERT_LINE).min(0, INSERT_LINE).optional(),
      ...changeParams(),
    })
    // Asked whatever else is wrong, so that one answer names everything that is.
    .refine(({ old_string: text, edits, insert_line: line }) => (text ?? edits ?? line) !== undefined, {
      path: ["old_string"],
      when: isRecord,
    })
    .refine(({ new_string: text, edits }) => (text ?? edits) !== undefined, {
      path: ["new_string"],
      when: isRecord,
    })
    .refine(
      ({ old_string: oldString, new_string: newString, edits }) =>
        edits === undefined || (oldString === undefined && newString === undefined),
      { path: ["edits"], error: NOT_BOTH, when: isRecord },
    )
    .refine(({ insert_line: line, old_string: text, edits }) => line === undefined || (text ?? edits) === undefined, {
      path: ["insert_line"],
      error: NO_INSERTION,
      when: isRecord,
    }),
);

/** A checked call of Edit. */
export type EditParams = z.output<ReturnType<typeof editParams>>;

/** The parameters of Edit in code. */
export type EditInput = z.input<ReturnType<typeof editParams>>;

/** Names that models use for Edit's parameters, learned from other tools. */
export const editAliases = {
  ...FILE_ALIASES,
  old_str: "old_string",
  old_text: "old_string",
  search: "old_string",
  new_str: "new_string",
  new_text: "new_string",
  replace: "new_string",
  charset: "encoding",
} as const;

function isRecord({ value }: { readonly value: unknown }): boolean {
  return typeof value === "object" && value !== null;
}
