import { dirname, join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { cannot, linesOf, most, Refused, relativeTo, textEdits, wanted, type Match } from "./driver.ts";

/** As many files as a model would name in one call. */
const BATCH = 50;

export const mcp = (root: string): Dialect => {
  const at = (path: string) => join(root, path);
  return {
    list: (path) => ["list_directory", { path: at(path) }],
    entries: (answer) => ({
      items: linesOf(accepted(answer)).map((line) => ({
        name: line.startsWith("[DIR] ") ? `${line.slice(6)}/` : line.replace(/^\[FILE\] /u, ""),
      })),
    }),
    find: (pattern, path) => ["search_files", { path: at(path), pattern }],
    paths: (answer) => ({
      items: accepted(answer) === "No matches found" ? [] : answer.split("\n").map((path) => relativeTo(root, path)),
    }),
    // The nearest that there is: it would find the word in names only.
    search: ({ word, path = "." }) => ["search_files", { path: at(path), pattern: `**/*${word}*` }],
    matches: () => ({ items: [] }),
    read: (path, { from, count }) => [
      "read_text_file",
      { path: at(path), head: count === Infinity ? undefined : from + count - 1 },
    ],
    // It has no way to begin in the middle.
    lines: (answer, { from }) => ({ items: linesOf(accepted(answer)).slice(from - 1) }),
    edit: (path, changes) => ["edit_file", { path: at(path), edits: textEdits(changes) }],
    editsSeveral: true,
    rewritesAll: true,
    write: (path, content) => ["write_file", { path: at(path), content }],
    move: (from, to) => ["move_file", { source: at(from), destination: at(to) }],
    done: /^(?:```diff|Successfully)/u,
    others: ({ find, write, move }, { call }) => {
      const makeParent = async (path: string) => accepted(await call("create_directory", { path: at(dirname(path)) }));
      return {
        search: async (query) => {
          const { path = ".", include = "*.*" } = query;
          // To read the whole project would be the only way.
          if (query.path === undefined && query.include === undefined) cannot("tells which files hold a word");
          const listed = async () =>
            linesOf(accepted(await call("search_files", { path: at(path), pattern: `**/${include}` })));
          const paths = /\.\w+$/u.test(path) ? [at(path)] : await listed();
          const matches: Match[] = [];
          for (let index = 0; index < paths.length; index += BATCH) {
            const answer = await call("read_multiple_files", { paths: paths.slice(index, index + BATCH) });
            for (const part of answer.split("\n---\n")) matches.push(...matchesIn(part, root));
          }
          return wanted(query, matches);
        },
        // It counts what follows the last line end as a line.
        tail: async (path, count) =>
          linesOf(await call("read_text_file", { path: at(path), tail: count + 1 })).slice(-count),
        write: async (path, content) => {
          await makeParent(path);
          await write(path, content);
        },
        move: async (from, to) => {
          await makeParent(to);
          await move(from, to);
        },
        largest: async (path) => {
          const sized = await call("list_directory_with_sizes", { path: at(path), sortBy: "size" });
          return /^\[FILE\] (\S+)/mu.exec(sized)?.[1] ?? "";
        },
        newest: async (pattern) =>
          most(await find(pattern), async (path) => {
            const info = await call("get_file_info", { path: at(path) });
            return Date.parse(/modified: (.*)/u.exec(info)?.[1] ?? "");
          }),
      };
    },
  };
};

function accepted(answer: string): string {
  if (/^(?:Error|Access denied|ENOENT|EISDIR|ENOTDIR|Parent directory|MCP error)/u.test(answer))
    throw new Refused(answer);
  return answer;
}

function matchesIn(part: string, root: string): Match[] {
  const [head = "", ...lines] = part.split("\n");
  const file = relativeTo(root, head.replace(/:$/u, ""));
  return lines.map((text, index) => ({ file, line: index + 1, text }));
}
