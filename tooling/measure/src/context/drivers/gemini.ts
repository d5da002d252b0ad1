import { patternOf } from "./driver.ts";
import { geminiLike } from "./gemini-like.ts";

export const gemini = geminiLike({
  pathOf: (_, path) => path,
  list: (dir_path) => ["list_directory", { dir_path }],
  find: (pattern, dir_path) => ["glob", dir_path === "." ? { pattern } : { pattern, dir_path }],
  search: (query, dir_path, limit) => [
    "grep_search",
    {
      pattern: patternOf(query),
      ...(dir_path === "." ? {} : { dir_path }),
      ...(query.include === undefined ? {} : { include_pattern: query.include }),
      ...(query.ignored === true ? { no_ignore: true } : {}),
      ...(limit === 100 ? {} : { total_max_matches: limit }),
    },
  ],
  limits: [100, 10_000],
  read: (file_path, from, count) => ["read_file", { file_path, start_line: from, end_line: from + count - 1 }],
  readAll: (file_path) => ["read_file", { file_path }],
  edit: (file_path, old_string, new_string, places) => [
    "replace",
    {
      file_path,
      instruction: "Replace the text as described.",
      old_string,
      new_string,
      ...(places > 1 ? { allow_multiple: true } : {}),
    },
  ],
});
