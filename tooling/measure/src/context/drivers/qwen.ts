import { basename, dirname, extname, join } from "node:path";
import { patternOf } from "./driver.ts";
import { geminiLike } from "./gemini-like.ts";

export const qwen = geminiLike({
  pathOf: (root, path) => join(root, path),
  list: (path) => ["list_directory", { path }],
  find: (pattern, path) => ["glob", { pattern, path }],
  search: (query, path, limit) => [
    "search_file_content",
    {
      pattern: patternOf(query),
      // It takes a directory; one file in it is told by its name.
      ...(extname(path) === "" ? { path } : { path: dirname(path), include: basename(path) }),
      ...(query.include === undefined ? {} : { include: query.include }),
      ...(limit === 20 ? {} : { maxResults: limit }),
    },
  ],
  limits: [20, 100],
  read: (absolute_path, from, count) => ["read_file", { absolute_path, offset: from - 1, limit: count }],
  readAll: (absolute_path) => ["read_file", { absolute_path }],
  edit: (file_path, old_string, new_string, places) => [
    "edit",
    { file_path, old_string, new_string, ...(places > 1 ? { expected_replacements: places } : {}) },
  ],
});
