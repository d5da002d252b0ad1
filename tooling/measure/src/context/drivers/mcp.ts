import { join } from "node:path";
import {
  cannot,
  expectStart,
  latest,
  linesOf,
  occurrences,
  Refused,
  relativeTo,
  toldByLines,
  wanted,
  type Driver,
  type Kit,
  type Match,
} from "./driver.ts";

/** As many files as a model would name in one call. */
const BATCH = 50;

/** The reference server: whole lists and files, and no search in files. */
export const mcp: Kit = {
  first: (root) => ({
    list: (path) => ["list_directory", { path: join(root, path) }],
    find: (pattern, path) => ["search_files", { path: join(root, path), pattern }],
    // The nearest that there is: it would find the word in names only.
    search: (word, path) => ["search_files", { path: join(root, path), pattern: `**/*${word}*` }],
    read: (path, lines) => ["read_text_file", { path: join(root, path), head: lines }],
    edit: (path, { before, after }) => [
      "edit_file",
      { path: join(root, path), edits: [{ oldText: before, newText: after }] },
    ],
  }),

  drive: ({ call }, root) => {
    const find = async (pattern: string, directory = "."): Promise<string[]> => {
      const answer = await call("search_files", { path: join(root, directory), pattern });
      if (answer.startsWith("Error")) throw new Refused(answer);
      return answer === "No matches found" ? [] : answer.split("\n").map((path) => relativeTo(root, path));
    };
    const search: Driver["search"] = async (query) => {
      const isFile = query.path !== undefined && /\.\w+$/u.test(query.path);
      // To read the whole project would be the only way.
      if (query.path === undefined && query.include === undefined) cannot("which files hold a word");
      const paths = isFile ? [query.path] : await find(`**/${query.include ?? "*.*"}`, query.path);
      const matches: Match[] = [];
      for (let index = 0; index < paths.length; index += BATCH) {
        const batch = paths.slice(index, index + BATCH);
        const answer = await call("read_multiple_files", { paths: batch.map((path) => join(root, path)) });
        for (const part of answer.split("\n---\n")) matches.push(...matchesIn(part, root));
      }
      return wanted(query, matches);
    };
    const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
      const head = count === Infinity ? undefined : from + count - 1;
      const answer = await call("read_text_file", { path: join(root, path), head });
      if (isRefusal(answer)) throw new Refused(answer);
      return linesOf(answer).slice(from - 1);
    };

    return {
      list: async (path) => {
        const answer = await call("list_directory", { path: join(root, path) });
        if (isRefusal(answer)) throw new Refused(answer);
        return linesOf(answer).map((line) =>
          line.startsWith("[DIR] ") ? `${line.slice(6)}/` : line.replace(/^\[FILE\] /u, ""),
        );
      },
      find: async (pattern) => find(pattern),
      ...toldByLines(search),
      read,
      // It counts what follows the last line end as a line.
      tail: async (path, count) =>
        linesOf(await call("read_text_file", { path: join(root, path), tail: count + 1 })).slice(-count),
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        const edits: { oldText: string; newText: string }[] = [];
        for (const { before, after, all = false } of changes) {
          // It changes the first place only, so that one edit is needed for each.
          const places = all ? occurrences((await read(path)).join("\n"), before) : 1;
          for (let place = 0; place < places; place++) edits.push({ oldText: before, newText: after });
        }
        expectStart(await call("edit_file", { path: join(root, path), edits }), /^```diff/u);
      },
      write: async (path, content) => {
        await call("create_directory", { path: join(root, path, "..") });
        expectStart(await call("write_file", { path: join(root, path), content }), /^Successfully/u);
      },
      largest: async (path) => {
        const answer = await call("list_directory_with_sizes", { path: join(root, path), sortBy: "size" });
        return /^\[FILE\] (\S+)/mu.exec(answer)?.[1] ?? "";
      },
      newest: async (pattern) =>
        latest(await find(pattern), async (path) => timeOf(await call("get_file_info", { path: join(root, path) }))),
    };
  },
};

function isRefusal(answer: string): boolean {
  return /^(?:Error|Access denied|ENOENT|EISDIR|ENOTDIR|Parent directory|MCP error)/u.test(answer);
}

function matchesIn(part: string, root: string): Match[] {
  const [head = "", ...lines] = part.split("\n");
  const file = relativeTo(root, head.replace(/:$/u, ""));
  return lines.map((text, index) => ({ file, line: index + 1, text }));
}

function timeOf(answer: string): string {
  const text = /modified: (.*)/u.exec(answer)?.[1] ?? "";
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}
