import type { PathWords } from "@fstools/sandbox";

/** Glob's own sentences for what can go wrong with a path. */
export const globPathWords: PathWords = {
  lister: "LS",
  reader: "Read",
  missing: (path) => `Search root '${path}' does not exist.`,
  outside: "Access denied. Path must be within project root.",
  notDirectory: (path) => `Search root '${path}' is not a directory.`,
};
