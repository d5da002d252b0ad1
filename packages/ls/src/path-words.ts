import type { PathWords } from "@fstools/sandbox";

/** LS's own sentences for what can go wrong with a path. */
export const lsPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `Path '${path}' does not exist.`,
  outside: "Access denied. Path must be within the project root.",
  notDirectory: (path) => `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
  permission: (path) => ({ code: "ACCESS_DENIED", message: `Permission denied accessing '${path}'.` }),
  failure: (osError) => ({ code: "INTERNAL_ERROR", message: `Failed to list directory - ${osError}` }),
};
