import { echo, ErrorCode, orAborted, ToolError } from "@fstools/protocol";

/** A change that a user is asked about; paths are relative to the project root. */
export type ProposedChange = {
  readonly tool: string;
  /** The whole change as a unified diff; of a move, copy or delete how much there is, and the first 100 names. */
  readonly diff: string;
} & (
  | { readonly operation: "patch"; readonly path?: undefined; readonly paths: readonly string[] }
  | {
      readonly operation: "create" | "update" | "edit" | "move" | "copy" | "delete";
      /** Where it is; of what moves or is copied, where it will be. */
      readonly path: string;
      readonly paths?: undefined;
      /** Where that is. */
      readonly from?: string;
    }
);

/** Asks the user; only `true` approves. */
export type Confirm = (change: ProposedChange, options: { readonly signal: AbortSignal }) => boolean | Promise<boolean>;

/**
 * Returns once the user has approved.
 * @param spelled - the paths as the caller spelled them
 * @throws ToolError ACCESS_DENIED, or the signal's reason
 */
export async function approve(
  confirm: Confirm,
  change: ProposedChange,
  spelled: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const ask = async (): Promise<unknown> => confirm(change, { signal });
  const answer = await orAborted(
    ask().catch(() => false),
    signal,
  );
  if (answer === true) return;
  const [first = "", ...others] = spelled;
  const what = `'${echo(first)}'${others.length === 0 ? "" : ` and ${others.length} more`}`;
  throw new ToolError(ErrorCode.ACCESS_DENIED, `The user declined the change to ${what}.`, {
    hint: "Nothing was written. Do not repeat it; ask the user what to do instead.",
  });
}
