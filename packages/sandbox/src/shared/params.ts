import { z } from "@fstools/protocol";
import { isShortPattern, MAX_PATTERN_CHARS } from "../search/pattern.ts";

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
