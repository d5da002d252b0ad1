import { echo, ToolError, type ErrorCode } from "@fstools/protocol";
import { describeProblem, SandboxError } from "./error.ts";

/** A tool's own sentences for what can go wrong with a path; paths come escaped and clipped. */
export interface PathWords {
  readonly missing: (path: string) => string;
  readonly outside: string;
  /** For what a rule of the host blocks. */
  readonly denied?: (path: string) => string;
  readonly notDirectory?: (path: string) => string;
  readonly isDirectory?: (path: string) => string;
  /** @default PERMISSION_DENIED "Permission denied reading '{path}'." */
  readonly permission?: (path: string) => Wording;
  /** For failures of the operating system. */
  readonly failure?: (osError: string) => Wording;
}

/** An error code and its sentence. */
export interface Wording {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Words a SandboxError as the tool does, keeping its hint; any other error is returned as it is. */
export function explainPathErrors(words: PathWords): (error: unknown, input: { readonly path?: string }) => unknown {
  return (error, { path = "." }) => {
    if (!(error instanceof SandboxError)) return error;
    const { code, message } = wording(words, error, path);
    return new ToolError(code, message, { hint: error.hint, cause: error, suggestions: error.suggestions });
  };
}

function wording(words: PathWords, error: SandboxError, path: string): Wording {
  const { code, reason, osError } = error;
  const shown = echo(path);
  const plain = { code, message: describeProblem(reason, path, osError) };
  switch (reason) {
    case "missing":
      return { code, message: words.missing(shown) };
    case "outside":
      return { code, message: words.outside };
    case "not_directory":
      return { code, message: words.notDirectory?.(shown) ?? plain.message };
    case "is_directory":
      return { code, message: words.isDirectory?.(shown) ?? plain.message };
    case "permission":
      return words.permission?.(shown) ?? plain;
    case "io":
    case "unknown":
      return words.failure?.(osError) ?? plain;
    case "denied":
      return { code, message: words.denied?.(shown) ?? plain.message };
    case "invalid_name":
    case "not_regular":
      return plain;
  }
}
