import { geminiLike } from "./gemini-like.ts";

export const open = geminiLike(
  "gemini",
  "@google/gemini-cli-core",
  ["list_directory", "read_file", "grep_search", "glob", "replace", "write_file"],
  false,
);
