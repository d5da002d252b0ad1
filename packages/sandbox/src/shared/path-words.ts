import { echo, ToolError, z, type ToolCall } from "@fstools/protocol";
import { describeProblem, hintFor, SandboxError, type AdvisedTools, type SandboxReason } from "../error.ts";
import { isShortPattern, MAX_PATTERN_CHARS } from "../search/pattern.ts";

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

const CHANGE_WORDS = {
  outside: "Access denied. Path must be within project root.",
  denied: (path: string) => `Writing to '${path}' is not allowed.`,
  lister: "LS",
};

/** The sentences of tools that change the content of files; what is missing is for each to say. */
export const fileChangeWords = {
  ...CHANGE_WORDS,
  isDirectory: (path: string) => `Path '${path}' is a directory.`,
  reader: "Read",
};

/** The sentences of tools that move or delete whatever a path names. */
export const entryChangeWords: PathWords = { ...CHANGE_WORDS, missing: (path) => `Path '${path}' does not exist.` };

type Wording = Pick<ToolError, "code" | "message">;

/** Turns a SandboxError, and no other, into the tool's own, with a hint that names only tools that the model has. */
export function explainPathErrors(words: PathWords) {
  return (error: unknown, input: object, call: Pick<ToolCall, "has">): unknown => {
    if (!(error instanceof SandboxError)) return error;
    const path = "path" in input && typeof input.path === "string" ? input.path : ".";
    const { code, message } = wording(words, error, path);
    // A tool that its own sentence names need not be advised again.
    const said = wording(words, error, "").message;
    const advised = (tool = ""): string | undefined => (said.includes(tool) ? undefined : knownAs(tool, call));
    const tools = { lister: advised(words.lister), reader: advised(words.reader) };
    const creator = error.reason === "missing" ? knownAs(words.creator, call) : undefined;
    const creation = creator === undefined ? "" : ` To create it, use ${creator}.`;
    const hint = hintFor(error, path, tools) + creation;
    return new ToolError(code, message, { hint, cause: error, suggestions: error.suggestions });
  };
}

/** The name by which the model has a tool, for hints: its own, or in lower case; undefined if it has neither. */
export function knownAs(tool: string | undefined, call: Pick<ToolCall, "has">): string | undefined {
  return tool === undefined ? undefined : [tool, tool.toLowerCase()].find((name) => call.has(name));
}

function wording(words: PathWords, error: SandboxError, path: string): Wording {
  const { code, reason, osError } = error;
  const shown = echo(path);
  const failure = words.failure?.(osError);
  const own: Partial<Record<SandboxReason, string | Wording | undefined>> = {
    missing: words.missing(shown),
    outside: words.outside,
    denied: words.denied?.(shown),
    not_directory: words.notDirectory?.(shown),
    is_directory: words.isDirectory?.(shown),
    permission: words.permission?.(shown),
    io: failure,
    unknown: failure,
  };
  const said = own[reason] ?? describeProblem(error, path);
  return typeof said === "string" ? { code, message: said } : said;
}

/** The parameter of a tool that takes one path. */
export function pathParam(name: string) {
  const missing = `Missing required parameter '${name}'.`;
  return z
    .string({ error: ({ input }) => (input === undefined ? missing : `${name} must be a string.`) })
    .refine((path) => path !== "", missing);
}

/** The parameter `path` of a tool that takes one file. */
export function filePathParam(description: string) {
  return pathParam("path").describe(description);
}

/** A parameter that is true or false. */
export function booleanParam(name: string) {
  return z.boolean({ error: `${name} must be a boolean.` });
}

/** A parameter that is a whole number of at least `least`; the message is its whole sentence. */
export function integerParam(message: string, least: number) {
  return z.int({ error: message }).min(least, message);
}

/** The parameter `offset` of a tool that has pages. */
export function offsetParam() {
  return integerParam("offset must be a non-negative integer.", 0);
}

/** The parameter `limit` of a tool that has pages. */
export function limitParam(most: number) {
  const message = `limit must be an integer between 1 and ${most}.`;
  return integerParam(message, 1).max(most, message);
}

/** A parameter that holds a pattern. */
export function patternParam(name: string, message = `${name} must be a string.`) {
  return z
    .string({ error: message })
    .refine(isShortPattern, { error: `${name} must be at most ${MAX_PATTERN_CHARS} characters long.` })
    .refine((pattern) => !pattern.includes("\0"), { error: `${name} must not contain a NUL byte.` });
}

/** Names that models use for the `path` of a file, learned from other tools. */
export const FILE_ALIASES = {
  file: "path",
  file_path: "path",
  file_name: "path",
  filename: "path",
  target_file: "path",
  absolute_path: "path",
} as const;

/** Names that models use for the `path` of a directory. */
export const DIRECTORY_ALIASES = {
  directory: "path",
  directory_path: "path",
  dir: "path",
  dir_path: "path",
  cwd: "path",
  target_directory: "path",
  search_path: "path",
  relative_workspace_path: "path",
  file: "path",
  file_path: "path",
} as const;
