import { echo, ErrorCode, isToolError, ToolError } from "@fstools/protocol";
import { describeErrno, errnoCode, reasonOf } from "../disk/errno.ts";

/** The target has changed since it was looked at; nothing was written. */
export class StaleTargetError extends Error {
  override readonly name = "StaleTargetError";
  /** Whether something exists now where nothing was. */
  readonly isTaken: boolean;

  constructor({ isTaken = false } = {}) {
    super();
    this.isTaken = isTaken;
  }
}

/** A step failed, and what was there is not as it was. */
export class DamageError extends Error {
  override readonly name = "DamageError";
  /**
   * What is so: a file that has neither its new nor its old bytes; an entry whose name somebody has taken; a directory of which
   * some could not be removed.
   */
  readonly kind: "torn" | "stranded" | "remains";
  /** What is beside it: the new file, or what was there. */
  readonly copy: string;

  constructor(kind: DamageError["kind"], copy: string, cause?: unknown) {
    super("What was there could not be put back.", { cause });
    this.kind = kind;
    this.copy = copy;
  }
}

/** A set failed, and some of its steps could not be taken back. */
export class PartlyDoneError extends Error {
  override readonly name = "PartlyDoneError";
  /** Which steps. */
  readonly steps: readonly number[];

  constructor(steps: readonly number[], cause: unknown) {
    super("Some changes could not be taken back.", { cause });
    this.steps = steps;
  }
}

const DENIED = ["EACCES", "EPERM", "EROFS"];
const NOTHING_WRITTEN = "Nothing was written; the file is as it was.";

/** Says what went wrong while `path`, as the caller spelled it, was written; any other error is returned unchanged. */
export function explainWriteError(error: unknown, path: string): unknown {
  const shown = `'${echo(path)}'`;
  const told = (code: ErrorCode, message: string, hint: string) => new ToolError(code, message, { hint, cause: error });
  if (error instanceof DamageError) {
    const why = describeErrno(errnoCode(error.cause) ?? "UNKNOWN");
    const copy = `'${echo(error.copy)}'`;
    if (error.kind === "stranded") {
      const hint = `What was there is now ${copy} beside it. Tell the user.`;
      return told(ErrorCode.CONFLICT, `${shown} was replaced while it was being changed.`, hint);
    }
    if (error.kind === "torn") {
      const hint = `The file is damaged; its whole new content is in ${copy} beside it. Tell the user.`;
      return told(ErrorCode.EXECUTION_ERROR, `Failed to write ${shown} - ${why}`, hint);
    }
    const hint = "What could not be deleted is still there, the rest is gone. Look at what is left, and tell the user.";
    return told(ErrorCode.EXECUTION_ERROR, `Failed to delete ${shown} - ${why}`, hint);
  }
  const code = errnoCode(error);
  if (code === undefined || isToolError(error)) return error;
  if (DENIED.includes(code)) {
    const hint = `${NOTHING_WRITTEN} Choose another path, or ask the user to grant access to it.`;
    return told(ErrorCode.PERMISSION_DENIED, `Permission denied writing ${shown}.`, hint);
  }
  const reason = reasonOf(error);
  if (reason === "invalid_name") {
    const message = `${shown} is not a valid path (${describeErrno(code)}).`;
    return told(ErrorCode.INVALID_PARAM, message, "Correct the path, and call again.");
  }
  const kind = reason === "unknown" ? ErrorCode.INTERNAL_ERROR : ErrorCode.EXECUTION_ERROR;
  const hint = `${NOTHING_WRITTEN} Try again; if it fails again, tell the user about this system error.`;
  return told(kind, `Failed to write ${shown} - ${describeErrno(code)}`, hint);
}

/** Says which files of a failed set could not be taken back, of those of its steps; any other error is returned unchanged. */
export function explainPartlyDone(error: unknown, files: readonly string[]): unknown {
  if (!(error instanceof PartlyDoneError)) return error;
  const { steps, cause } = error;
  const names = new Set(steps.map((step) => `'${echo(files[step] ?? "")}'`));
  const { code, message } = isToolError(cause) ? cause : { code: ErrorCode.EXECUTION_ERROR, message: error.message };
  const hint = `${[...names].join(", ")} could not be taken back, since somebody has changed it meanwhile; all else is as it was. Look at it, and tell the user.`;
  return new ToolError(code, message, { hint, cause: error });
}
