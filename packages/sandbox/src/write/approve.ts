import { echo, ErrorCode, ToolError } from "@fstools/protocol";

/** A change that a user is asked about. */
export type ProposedChange = ProposedFileChange | ProposedPatch | ProposedEntryChange;

/** A change of one file. */
export interface ProposedFileChange {
  readonly tool: string;
  /** Relative to the project root. */
  readonly path: string;
  readonly paths?: undefined;
  readonly operation: "create" | "update" | "edit";
  /** The whole change as a unified diff. */
  readonly diff: string;
}

/** A change of several files, all or none. */
export interface ProposedPatch {
  readonly tool: string;
  readonly path?: undefined;
  readonly paths: readonly string[];
  readonly operation: "patch";
  readonly diff: string;
}

/** A file, a link, or a directory with everything in it, that gets another name, is copied or goes. */
interface ProposedEntryChange {
  readonly tool: string;
  /** Where it will be, or what goes. */
  readonly path: string;
  readonly paths?: undefined;
  /** Where it is. */
  readonly from?: string;
  readonly operation: "move" | "copy" | "delete";
  /** How much there is, and the first 100 names. */
  readonly diff: string;
}

/** Asks the user; only `true` approves. */
export type Confirm = (change: ProposedChange, options: { readonly signal: AbortSignal }) => boolean | Promise<boolean>;

/** Settles as `promise` does, or rejects with the signal's reason if that comes first. */
export async function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason is what the caller chose
      reject(signal.reason);
    };
  });
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

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
