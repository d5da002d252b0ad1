import { echo, ErrorCode, ToolError } from "@fstools/protocol";

/** Why the sandbox refused or failed. */
export type SandboxReason =
  | "outside"
  | "denied"
  | "missing"
  | "not_directory"
  | "is_directory"
  | "not_regular"
  | "invalid_name"
  | "permission"
  | "io"
  | "unknown";

/** What is known about a refusal or failure. */
export interface SandboxProblem {
  readonly reason: SandboxReason;
  /** The path as the caller spelled it. */
  readonly path: string;
  /** Errno code and description, such as "EIO: i/o error"; never a path. */
  readonly osError?: string;
  /** The deepest existing directory on the way, relative to the project root; "" if that root itself is gone. */
  readonly nearest?: string;
  /** What the caller may have meant, relative to the project root. */
  readonly suggestions?: readonly string[];
  /** A sentence on how the path was understood, shown before the advice. */
  readonly remark?: string;
  readonly cause?: unknown;
}

const CODES: Readonly<Record<SandboxReason, ErrorCode>> = {
  outside: ErrorCode.ACCESS_DENIED,
  denied: ErrorCode.ACCESS_DENIED,
  missing: ErrorCode.NOT_FOUND,
  not_directory: ErrorCode.INVALID_PARAM,
  is_directory: ErrorCode.IS_DIRECTORY,
  not_regular: ErrorCode.INVALID_PARAM,
  invalid_name: ErrorCode.INVALID_PARAM,
  permission: ErrorCode.PERMISSION_DENIED,
  io: ErrorCode.EXECUTION_ERROR,
  unknown: ErrorCode.INTERNAL_ERROR,
};

/** A path that the sandbox refuses, or that the file system failed on. */
export class SandboxError extends ToolError {
  override readonly name = "SandboxError";
  readonly reason: SandboxReason;
  /** The deepest existing directory on the way, relative to the project root; "" if that root itself is gone. */
  readonly nearest: string;
  /** Errno code and description, or "" where the operating system reported nothing. */
  readonly osError: string;
  /** A sentence on how the path was understood, or "". */
  readonly remark: string;

  constructor(problem: SandboxProblem) {
    const osError = problem.osError ?? "";
    super(CODES[problem.reason], describeProblem(problem.reason, problem.path, osError), {
      hint: hintFor(problem),
      cause: problem.cause,
      suggestions: problem.suggestions ?? [],
    });
    this.reason = problem.reason;
    this.nearest = problem.nearest ?? ".";
    this.osError = osError;
    this.remark = problem.remark ?? "";
  }
}

/** The sentence for a problem with `path`, for tools that have none of their own. */
export function describeProblem(reason: SandboxReason, path: string, osError: string): string {
  const shown = `'${echo(path)}'`;
  switch (reason) {
    case "outside":
      return "Access denied. Path must be within the project root.";
    case "denied":
      return `Access denied. A rule of the host blocks ${shown}.`;
    case "missing":
      return `Path ${shown} does not exist.`;
    case "not_directory":
      return `${shown} is not a directory.`;
    case "is_directory":
      return `${shown} is a directory.`;
    case "not_regular":
      return `${shown} is not a regular file.`;
    case "invalid_name":
      return `${shown} is not a valid path (${osError}).`;
    case "permission":
      return `Permission denied reading ${shown}.`;
    case "io":
    case "unknown":
      return `Failed to read ${shown} - ${osError}`;
  }
}

/** The tools that a hint may advise; the sandbox itself knows none. */
export interface AdvisedTools {
  /** The tool that shows what is in a directory. */
  readonly lister?: string | undefined;
  /** The tool that shows what is in a file. */
  readonly reader?: string | undefined;
}

/** What to do about a problem, in one or more sentences. */
export function hintFor(problem: Omit<SandboxProblem, "cause">, tools: AdvisedTools = {}): string {
  const { suggestions = [], remark = "" } = problem;
  const meant = suggestions.length > 0 ? `Did you mean ${alternatives(suggestions)}?` : "";
  return [remark, meant, advice(problem, tools)].filter((sentence) => sentence !== "").join(" ");
}

function advice({ reason, path, nearest = "." }: SandboxProblem, { lister, reader }: AdvisedTools): string {
  const list = (directory: string): string => `run ${lister ?? ""} on '${echo(directory)}' to see what is`;
  const isListed = lister !== undefined;
  switch (reason) {
    case "outside":
      return `Use a path inside the project root${isListed ? `: ${list(nearest)} there` : ""}.`;
    case "denied":
      return `Do not retry it; ${isListed ? `${list(nearest)} available` : "choose another path"}.`;
    case "missing":
      if (nearest === "") return "The project root itself does not exist any more; tell the user.";
      return `Check the path${isListed ? `, or ${list(nearest)} there` : ""}.`;
    case "not_directory":
      return reader === undefined
        ? "Pass a directory."
        : `Run ${reader} on '${echo(path)}' to view it, or pass a directory.`;
    case "is_directory":
      return isListed ? `Run ${lister} on '${echo(path)}' to see what is there.` : "Choose a file in it.";
    case "not_regular":
      return "It is a FIFO, socket or device, which cannot be read; choose a regular file.";
    case "invalid_name":
      return `Correct the path${isListed ? `, or ${list(nearest)} there` : ""}.`;
    case "permission":
      return "Choose another path, or ask the user to grant access to it.";
    case "io":
      return "Try again; if it fails again, tell the user about this system error.";
    case "unknown":
      return "Try another path, or tell the user about this system error.";
  }
}

function alternatives(paths: readonly string[]): string {
  const quoted = paths.map((path) => `'${echo(path)}'`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
}
