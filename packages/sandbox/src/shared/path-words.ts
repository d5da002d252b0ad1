import { echo, ToolError, type ErrorCode, type ToolCall } from "@fstools/protocol";
import { describeProblem, hintFor, SandboxError, type AdvisedTools } from "../error.ts";

/**
 * A tool's own sentences for what can go wrong with a path; they get paths escaped and clipped,
 * and the names of the tools that a hint may advise.
 */
export interface PathWords extends AdvisedTools {
  /** The tool that creates files, for a hint about one that is missing. */
  readonly creator?: string;
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

/**
 * Turns a SandboxError into the tool's own error, with a hint that names only tools that the model has.
 * Any other error is returned unchanged.
 */
export function explainPathErrors(
  words: PathWords,
): (error: unknown, input: object, call: Pick<ToolCall, "has">) => unknown {
  return (error, input, call) => {
    if (!(error instanceof SandboxError)) return error;
    const path = "path" in input && typeof input.path === "string" ? input.path : ".";
    const { code, message } = wording(words, error, path);
    const { reason, nearest, remark, suggestions } = error;
    const tools = saysNextTool(words, error)
      ? {}
      : { lister: knownAs(words.lister, call), reader: knownAs(words.reader, call) };
    const creator = reason === "missing" ? knownAs(words.creator, call) : undefined;
    const hint = [
      hintFor({ reason, path, nearest, remark, suggestions }, tools),
      ...(creator === undefined ? [] : [`To create it, use ${creator}.`]),
    ].join(" ");
    return new ToolError(code, message, { hint, cause: error, suggestions });
  };
}

/** The name by which the model has a tool, for hints: its own, or in lower case; undefined if it has neither. */
export function knownAs(tool: string | undefined, call: Pick<ToolCall, "has">): string | undefined {
  return tool === undefined ? undefined : [tool, tool.toLowerCase()].find((name) => call.has(name));
}

/** Whether the tool's own sentence names the next tool, so that the hint need not repeat it. */
function saysNextTool({ notDirectory, isDirectory, reader, lister }: PathWords, { reason }: SandboxError): boolean {
  if (reason === "not_directory") return reader !== undefined && notDirectory?.("").includes(reader) === true;
  return reason === "is_directory" && lister !== undefined && isDirectory?.("").includes(lister) === true;
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
