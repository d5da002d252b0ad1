import { ErrorCode, escapeText, ToolError, type ToolErrorOptions } from "@fstools/protocol";

/** What every failure of the tool is: an error with a protocol `code` and a `hint` that says what to call next. */
export class OpencodeReadError extends ToolError {
  override readonly name: string = "OpencodeReadError";
}

/** Nothing exists at the path. */
export class FileNotFoundError extends OpencodeReadError {
  override readonly name = "FileNotFoundError";
  /** Absolute paths that the caller may have meant, as the message shows them. */
  override readonly suggestions: readonly string[];

  constructor(path: string, suggestions: readonly string[], hint: string) {
    const notFound = `File not found: ${path}`;
    const list = suggestions.join("\n");
    const message = list === "" ? notFound : `${notFound}\n\nDid you mean one of these?\n${list}`;
    // The hint stands apart from the list, so that it cannot be taken for a part of the last path.
    const layout = list === "" ? {} : { report: { text: () => `${message}\n\n${hint}` } };
    super(ErrorCode.NOT_FOUND, message, { hint, ...layout });
    this.suggestions = suggestions;
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
