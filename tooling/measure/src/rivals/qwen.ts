import { geminiLike } from "./gemini-like.ts";

export const open = geminiLike(
  "qwen",
  "@qwen-code/qwen-code-core",
  ["list_directory", "read_file", "search_file_content", "glob", "edit", "write_file"],
  true,
);
