import { echo, ErrorCode, ToolError } from "@fstools/protocol";

/** Of each reason its code, and its sentence for tools that have none of their own. */
const REASONS = {
  outside: [ErrorCode.ACCESS_DENIED, () => "Access denied. Path must be within the project root."],
  denied: [ErrorCode.ACCESS_DENIED, (path) => `Access denied. A rule of the host blocks ${path}.`],
  missing: [ErrorCode.NOT_FOUND, (path) => `Path ${path} does not exist.`],
  not_directory: [ErrorCode.INVALID_PARAM, (path) => `${path} is not a directory.`],
  is_directory: [ErrorCode.IS_DIRECTORY, (path) => `${path} is a directory.`],
  not_regular: [ErrorCode.INVALID_PARAM, (path) => `${path} is not a regular file.`],
  invalid_name: [ErrorCode.INVALID_PARAM, (path, osError) => `${path} is not a valid path (${osError}).`],
  permission: [ErrorCode.PERMISSION_DENIED, (path) => `Permission denied reading ${path}.`],
  io: [ErrorCode.EXECUTION_ERROR, (path, osError) => `Failed to read ${path} - ${osError}`],
  unknown: [ErrorCode.INTERNAL_ERROR, (path, osError) => `Failed to read ${path} - ${osError}`],
} satisfies Record<string, readonly [ErrorCode, (path: string, osError: string) => string]>;

/** Why the sandbox refused or failed. */
export type SandboxReason = keyof typeof REASONS;

/** What is known about a refusal or failure; the path is spelled as the caller spelled it. */
type SandboxProblem = Pick<SandboxError, "reason"> &
  Partial<Pick<SandboxError, "nearest" | "osError" | "remark" | "suggestions" | "cause">> & { readonly path: string };

/** A path that the sandbox refuses, or that the file system failed on. */
export class SandboxError extends ToolError {
  override readonly name = "SandboxError";
  readonly reason: SandboxReason;
  /** The deepest existing directory on the way, relative to the project root; "" if that root itself is gone. */
  readonly nearest: string;
  /** Errno code and description, such as "EIO: i/o error", never a path; "" where the system reported nothing. */
  readonly osError: string;
  /** A sentence on how the path was understood, shown before the advice, or "". */
  readonly remark: string;

  constructor(problem: SandboxProblem) {
    const { reason, path, osError = "", nearest = ".", suggestions = [], remark = "", cause } = problem;
    const [code] = REASONS[reason];
    const hint = hintFor({ reason, nearest, suggestions, remark }, path);
    super(code, describeProblem({ reason, osError }, path), { hint, cause, suggestions });
    this.reason = reason;
    this.nearest = nearest;
    this.osError = osError;
    this.remark = remark;
  }
}

/** The sentence for a problem with `path`, for tools that have none of their own. */
export function describeProblem({ reason, osError }: Pick<SandboxError, "reason" | "osError">, path: string): string {
  return REASONS[reason][1](`'${echo(path)}'`, osError);
}

/** The tools that a hint may advise; the sandbox itself knows none. */
export interface AdvisedTools {
  /** The tool that shows what is in a directory. */
  readonly lister?: string | undefined;
  /** The tool that shows what is in a file. */
  readonly reader?: string | undefined;
}

type Advised = Pick<SandboxError, "reason" | "nearest" | "suggestions" | "remark">;

/** What to do about a problem with `path`, in one or more sentences. */
export function hintFor(problem: Advised, path: string, tools: AdvisedTools = {}): string {
  const quoted = problem.suggestions.map((suggestion) => `'${echo(suggestion)}'`);
  const meant = [quoted.slice(0, -1).join(", "), ...quoted.slice(-1)].filter((part) => part !== "").join(" or ");
  const sentences = [problem.remark, meant === "" ? "" : `Did you mean ${meant}?`, advice(problem, path, tools)];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function advice({ reason, nearest }: Advised, path: string, { lister, reader }: AdvisedTools): string {
  const list = lister !== undefined && `run ${lister} on '${echo(nearest)}' to see what is`;
  switch (reason) {
    case "outside":
      return `Use a path inside the project root${list ? `: ${list} there` : ""}.`;
    case "denied":
      return `Do not retry it; ${list ? `${list} available` : "choose another path"}.`;
    case "missing":
      if (nearest === "") return "The project root itself does not exist any more; tell the user.";
      return `Check the path${list ? `, or ${list} there` : ""}.`;
    case "not_directory":
      return reader === undefined
        ? "Pass a directory."
        : `Run ${reader} on '${echo(path)}' to view it, or pass a directory.`;
    case "is_directory":
      return list ? `Run ${lister} on '${echo(path)}' to see what is there.` : "Choose a file in it.";
    case "not_regular":
      return "It is a FIFO, socket or device, which cannot be read; choose a regular file.";
    case "invalid_name":
      return `Correct the path${list ? `, or ${list} there` : ""}.`;
    case "permission":
      return "Choose another path, or ask the user to grant access to it.";
    case "io":
      return "Try again; if it fails again, tell the user about this system error.";
    case "unknown":
      return "Try another path, or tell the user about this system error.";
  }
}
