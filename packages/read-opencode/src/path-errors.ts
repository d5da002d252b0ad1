import { echo, escapeText } from "@fstools/protocol";
import { type Sandbox, type SandboxError, spelledPath } from "@fstools/sandbox";
import {
  AccessDeniedError,
  FileNotFoundError,
  InvalidParamError,
  type OpencodeReadError,
  ReadFailedError,
} from "./errors.ts";

/** Words a refusal of the sandbox as an error of this tool. */
export function explainPathError(error: SandboxError, filePath: string, sandbox: Sandbox): OpencodeReadError {
  const { code, hint, osError } = error;
  const shown = `'${echo(filePath)}'`;
  switch (error.reason) {
    case "outside":
    case "denied":
      return new AccessDeniedError(withinRoot(error, sandbox));
    case "missing":
    case "not_directory":
      return notFound(error, filePath, sandbox);
    case "invalid_name":
      return new InvalidParamError(`${shown} is not a valid path (${osError}).`, {
        hint: lookInto(sandbox.cwd.absolute),
      });
    case "not_regular":
      return new InvalidParamError(`${shown} is not a regular file.`, { hint });
    case "permission":
      return new ReadFailedError(code, `Permission denied reading ${shown}.`, { hint, cause: error });
    case "is_directory":
    case "io":
    case "unknown":
      return new ReadFailedError(code, `Failed to read ${shown} - ${osError}`, { hint, cause: error });
  }
}

function notFound(error: SandboxError, filePath: string, sandbox: Sandbox): FileNotFoundError {
  const { root, cwd } = sandbox;
  const { remark, nearest } = error;
  const spelled = spelledPath(filePath, cwd);
  // Only what the caller can make long is clipped.
  const missing = spelled.startsWith(root.absolute)
    ? escapeText(root.absolute) + echo(spelled.slice(root.absolute.length))
    : echo(spelled);
  const look = lookInto(spelledPath(nearest, root));
  return new FileNotFoundError(
    missing,
    absoluteSuggestions(error, sandbox),
    remark === "" ? look : `${remark} ${look}`,
  );
}

function absoluteSuggestions({ suggestions }: SandboxError, { root }: Sandbox): readonly string[] {
  return suggestions.map((relative) => escapeText(spelledPath(relative, root)));
}

function withinRoot(error: SandboxError, sandbox: Sandbox): string {
  const [meant] = absoluteSuggestions(error, sandbox);
  return meant === undefined
    ? "Use a path within the project root; filePath='.' lists the working directory."
    : `Use a path within the project root. Did you mean '${meant}'?`;
}

function lookInto(directory: string): string {
  return `Check the path, or call read with filePath='${escapeText(directory)}' to see what is there.`;
}
