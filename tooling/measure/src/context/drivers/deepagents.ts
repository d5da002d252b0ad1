import type { Dialect } from "./dialect.ts";
import { matchesBelow, Refused, relativeTo, replacement, type Call } from "./driver.ts";

const WINDOW = /@@ lines \d+-(?<to>\d+) of (?<total>\d+).* @@\n/u;
const TRUNCATED = /results truncated|stopped early|truncated due to size|truncated mid-line/u;

/** Paths begin with a slash, which is the project. */
const at = (path: string) => (path === "." ? "/" : `/${path}`);
const fromSlash = (path: string) => relativeTo("", path);

function named<Item>(answer: string, itemOf: (line: string) => Item) {
  if (answer.startsWith("Error")) throw new Refused(answer);
  const items = answer.split("\n").filter((line) => line.startsWith("/"));
  return { items: items.map(itemOf), lacks: TRUNCATED.exec(answer)?.[0] };
}

/** A search that stopped at its limit is made again with a larger one. */
function again(answer: string, [tool, params]: Call): Call | undefined {
  return answer.includes("stopped early") && params.max_count === undefined
    ? [tool, { ...params, max_count: 100_000 }]
    : undefined;
}

export const deepagents = (): Dialect => ({
  list: (path) => ["ls", { path: at(path) }],
  entries: (answer) => named(answer, entryOf),
  find: (pattern, path) => ["glob", { pattern, path: path === "." ? undefined : at(path) }],
  paths: (answer) => named(answer, fromSlash),
  search: ({ word, path = ".", include }) => ["grep", { pattern: word, path: at(path), glob: include }],
  matches: (answer, call) => {
    const next = again(answer, call);
    if (next !== undefined) return { items: [], next };
    const fileIn = (line: string) => {
      const [, file] = /^(\/.*):$/u.exec(line) ?? [];
      return file && fromSlash(file);
    };
    return { items: matchesBelow(answer, fileIn, /^ {2}(\d+): (.*)$/u), lacks: named(answer, fromSlash).lacks };
  },
  read: (path, { from, count }) => [
    "read_file",
    { file_path: at(path), offset: from === 1 ? undefined : from - 1, limit: Math.min(count, 2000) },
  ],
  lines: (answer) => {
    const { lacks } = named(answer, fromSlash);
    const shown = WINDOW.exec(answer);
    if (shown === null && answer.includes("empty")) return { items: [] };
    if (shown === null) throw new Refused(answer);
    const [to, total] = [Number(shown.groups?.to), Number(shown.groups?.total)];
    const next = Number(/next offset (\d+)/u.exec(answer)?.[1] ?? to) + 1;
    const items = answer.slice(shown.index + shown[0].length).split("\n");
    return { items, next: to < total ? next : undefined, total, lacks };
  },
  edit: (path, [change]) => ["edit_file", { file_path: at(path), ...replacement(change) }],
  write: (path, content) => ["write_file", { file_path: at(path), content }],
  done: /^Successfully/u,
  others: ({ filesWith }, { call }) => {
    const grep = async (word: string, path: string | undefined, output_mode: string) => {
      const first: Call = ["grep", { pattern: word, path: at(path ?? "."), output_mode }];
      const answer = await call(...first);
      const next = again(answer, first);
      return named(next === undefined ? answer : await call(...next), (line) => line).items;
    };
    return {
      filesWith: async (query) =>
        query.regex !== undefined || query.include !== undefined
          ? filesWith(query)
          : (await grep(query.word, query.path, "files_with_matches")).map(fromSlash),
      countLines: async ({ word, path }) =>
        (await grep(word, path, "count")).reduce((sum, line) => sum + Number(/: (\d+)$/u.exec(line)?.[1]), 0),
    };
  },
});

function entryOf(line: string) {
  const [, path = line, bytes] = /^(.*) \((?:directory|(\d+) bytes)\)$/u.exec(line) ?? [];
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  return { name, size: bytes === undefined ? undefined : Number(bytes) };
}
