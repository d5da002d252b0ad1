import { once, z } from "@fstools/protocol";
import { booleanParam, pathParam } from "@fstools/sandbox";

/** What a model may pass to Move. */
export const moveParams = once(() =>
  z.strictObject({
    from: pathParam("from"),
    to: pathParam("to"),
    copy: booleanParam("copy").default(false).describe("Keep the original."),
    dry_run: booleanParam("dry_run").default(false),
  }),
);

/** A checked call of Move. */
export type MoveParams = z.output<ReturnType<typeof moveParams>>;

/** The parameters of Move in code. */
export type MoveInput = z.input<ReturnType<typeof moveParams>>;

/** Names that models use for Move's parameters, learned from other tools. */
export const moveAliases = {
  source: "from",
  src: "from",
  old_path: "from",
  path: "from",
  destination: "to",
  dest: "to",
  new_path: "to",
} as const;
