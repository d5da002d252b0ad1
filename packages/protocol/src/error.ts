/** The standard error codes; anything else is allowed on the wire, but earns a warning. */
export const ErrorCode = {
  NOT_FOUND: "NOT_FOUND",
  ACCESS_DENIED: "ACCESS_DENIED",
  PERMISSION_DENIED: "PERMISSION_DENIED",
  INVALID_PARAM: "INVALID_PARAM",
  TIMEOUT: "TIMEOUT",
  INTERNAL_ERROR: "INTERNAL_ERROR",
  EXECUTION_ERROR: "EXECUTION_ERROR",
  CONFLICT: "CONFLICT",
  IS_DIRECTORY: "IS_DIRECTORY",
  BINARY_FILE: "BINARY_FILE",
} as const;

/** One of the ten standard error codes. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Whether a code is one of the ten standard ones. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ErrorCode, code);
}

/** A call that can be made as it is. */
export interface NextCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What an error may add to the envelope besides its code and message. */
export interface ErrorReport {
  /** Replaces the empty `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Added to `stats`. */
  readonly stats?: Readonly<Record<string, number | string>>;
  /** Replaces "{message} {hint}" as the envelope's `text`. */
  readonly text?: (elapsedMs: number) => string;
}

/** What a {@link ToolError} needs besides its code and message. */
export interface ToolErrorOptions {
  /** What to call next, with values: "Run LS on 'src' to see what is there." */
  readonly hint: string;
  readonly cause?: unknown;
  readonly report?: ErrorReport | undefined;
  /** What the caller may have meant, best first; `context.suggestions`. */
  readonly suggestions?: readonly string[];
  /** The call to make instead, where it is definite; `context.next_call`. */
  readonly nextCall?: NextCall | undefined;
}

// Registered globally, so that two copies of this package in one process recognise each other's errors.
const BRAND = Symbol.for("@fstools/protocol/ToolError");

/**
 * A failure that a tool words for the model: what went wrong (`message`) and what to call next (`hint`).
 * @throws TypeError if the hint is blank and no report brings its own text
 */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly report: ErrorReport | undefined;
  readonly suggestions: readonly string[];
  readonly nextCall: NextCall | undefined;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (options.hint.trim() === "" && options.report?.text === undefined) {
      throw new TypeError(`A ToolError needs a hint that says what to call next, but "${message}" has none.`);
    }
    this.code = code;
    this.hint = options.hint;
    this.report = options.report;
    this.suggestions = options.suggestions ?? [];
    this.nextCall = options.nextCall;
  }
}

/** Whether a caught value is a {@link ToolError}, also one from another copy of this package. Never throws. */
export function isToolError(value: unknown): value is ToolError {
  try {
    return value instanceof Error && BRAND in value;
  } catch {
    // A proxy whose traps throw: anything can be thrown.
    return false;
  }
}
