import { echo, ErrorCode, escapeText, ToolError, type ToolErrorOptions } from "@fstools/protocol";
import { explainPathErrors, type Sandbox, type SandboxError, spelledPath } from "@fstools/sandbox";

/** What every failure of the tool is: an error with a protocol `code` and a `hint` that says what to call next. */
export class OpencodeReadError extends ToolError {
  override readonly name: string = "OpencodeReadError";
}

/** Nothing exists at the path. */
export class FileNotFoundError extends OpencodeReadError {
  override readonly name = "FileNotFoundError";

  constructor(path: string, suggestions: readonly string[], hint: string) {
    const notFound = `File not found: ${path}`;
    const list = suggestions.join("\n");
    const message = list === "" ? notFound : `${notFound}\n\nDid you mean one of these?\n${list}`;
    // The hint is separate from the list, so that it cannot be read as part of the last path.
    const layout = list === "" ? {} : { report: { text: () => `${message}\n\n${hint}` } };
    super(ErrorCode.NOT_FOUND, message, { hint, suggestions, ...layout });
  }
}

/** The file is not text. */
export class BinaryFileError extends OpencodeReadError {
  override readonly name = "BinaryFileError";

  constructor(path: string) {
    super(ErrorCode.BINARY_FILE, `Cannot read binary file: ${escapeText(path)}`, {
      hint: "Only text can be read here: look for the source that this file was made from, or use a tool for its format.",
    });
  }
}

/** The file has fewer lines than `offset`. */
export class OffsetOutOfRangeError extends OpencodeReadError {
  override readonly name = "OffsetOutOfRangeError";

  constructor(offset: number, total: number) {
    super(ErrorCode.INVALID_PARAM, `Offset ${offset} is out of range for this file (${total} lines)`, {
      hint: total === 0 ? "The file is empty." : `Use an offset from 1 to ${total}.`,
    });
  }
}

/** A parameter is missing, unknown, of the wrong type or out of range. */
export class InvalidParamError extends OpencodeReadError {
  override readonly name = "InvalidParamError";

  constructor(message: string, options: ToolErrorOptions) {
    super(ErrorCode.INVALID_PARAM, message, options);
  }
}

/** The path leads outside the project root, or the host denies it. */
export class AccessDeniedError extends OpencodeReadError {
  override readonly name = "AccessDeniedError";

  constructor(hint: string) {
    super(ErrorCode.ACCESS_DENIED, "Access denied. Path must be within project root.", { hint });
  }
}

/** The read was refused by the system, aborted, or failed. */
export class ReadFailedError extends OpencodeReadError {
  override readonly name = "ReadFailedError";
}

/** What a lower layer put into words, as an error of this tool. */
export function asReadError(error: ToolError): OpencodeReadError {
  if (error instanceof OpencodeReadError) return error;
  const { code, message, hint } = error;
  if (code === ErrorCode.INVALID_PARAM) return new InvalidParamError(message, { hint });
  return new ReadFailedError(code, message, { hint, cause: error });
}

const explainOther = explainPathErrors({ missing: String, outside: "", lister: "read" });

/** Turns a refusal of the sandbox into this tool's own error; `suggestions` are absolute paths. */
export function explainPathError(
  error: SandboxError,
  filePath: string,
  sandbox: Sandbox,
  suggestions = error.suggestions.map((relative) => spelledPath(relative, sandbox)),
): unknown {
  const { reason } = error;
  if (reason === "outside" || reason === "denied") {
    const [meant] = suggestions;
    return new AccessDeniedError(
      meant === undefined
        ? "Use a path within the project root; filePath='.' lists the working directory."
        : `Use a path within the project root. Did you mean '${escapeText(meant)}'?`,
    );
  }
  if (reason !== "missing" && reason !== "not_directory") {
    return explainOther(error, { path: filePath }, { has: () => true });
  }
  const spelled = spelledPath(filePath, sandbox, sandbox.cwd);
  // Only what the caller controls is clipped.
  const known = spelled.startsWith(sandbox.root.absolute) ? sandbox.root.absolute : "";
  const missing = escapeText(known) + echo(spelled.slice(known.length));
  const directory = escapeText(spelledPath(error.nearest, sandbox));
  const look = `Check the path, or call read with filePath='${directory}' to see what is there.`;
  const hint = error.remark === "" ? look : `${error.remark} ${look}`;
  return new FileNotFoundError(missing, suggestions.map(escapeText), hint);
}
