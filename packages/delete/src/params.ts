import { once, z } from "@fstools/protocol";
import { booleanParam, FILE_ALIASES, pathParam } from "@fstools/sandbox";

/** What a model may pass to Delete. */
export const deleteParams = once(() =>
  z.strictObject({
    path: pathParam("path"),
    recursive: booleanParam("recursive").default(false).describe("With all that is in it."),
    dry_run: booleanParam("dry_run").default(false),
  }),
);

/** A checked call of Delete. */
export type DeleteParams = z.output<ReturnType<typeof deleteParams>>;

/** The parameters of Delete in code. */
export type DeleteInput = z.input<ReturnType<typeof deleteParams>>;

/** Names that models use for Delete's parameters, learned from other tools. */
export const deleteAliases = { ...FILE_ALIASES, directory: "path", dir: "path" } as const;
