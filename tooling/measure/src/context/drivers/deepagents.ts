import type { Dialect } from "./dialect.ts";
import { Refused, relativeTo, type Call, type Match } from "./driver.ts";

const WINDOW = /@@ lines \d+-(?<to>\d+) of (?<total>\d+).* @@\n/u;
const TRUNCATED = /results truncated|stopped early|truncated due to size|truncated mid-line/u;

/** Paths begin with a slash, which is the project. */
const at = (path: string) => (path === "." ? "/" : `/${path}`);
const fromSlash = (path: string) => relativeTo("", path);

/** The lines of an answer that name something, and what it says is missing. */
function named(answer: string): { readonly items: readonly string[]; readonly lacks: string | undefined } {
  if (answer.startsWith("Error")) throw new Refused(answer);
  return { items: answer.split("\n").filter((line) => line.startsWith("/")), lacks: TRUNCATED.exec(answer)?.[0] };
}

/** A search that stopped at its limit is made again with a larger one. */
function again(answer: string, [tool, params]: Call): Call | undefined {
  return answer.includes("stopped early") && params.max_count === undefined
    ? [tool, { ...params, max_count: 100_000 }]
    : undefined;
}

export const deepagents = (): Dialect => ({
  list: (path) => ["ls", { path: at(path) }],
  entries: (answer) => {
    const { items, lacks } = named(answer);
    return { items: items.map(entryOf), lacks };
  },
  find: (pattern, path) => ["glob", path === "." ? { pattern } : { pattern, path: at(path) }],
  paths: (answer) => {
    const { items, lacks } = named(answer);
    return { items: items.map(fromSlash), lacks };
  },
  search: ({ word, path = ".", include }) => ["grep", { pattern: word, path: at(path), glob: include }],
  matches: (answer, call) => {
    const next = again(answer, call);
    return next === undefined ? { items: matchesOf(answer), lacks: named(answer).lacks } : { items: [], next };
  },
  read: (path, { from, count }) => [
    "read_file",
    { file_path: at(path), ...(from === 1 ? {} : { offset: from - 1 }), limit: Math.min(count, 2000) },
  ],
  lines: (answer) => {
    const { lacks } = named(answer);
    const shown = WINDOW.exec(answer);
    if (shown === null && answer.includes("empty")) return { items: [] };
    if (shown === null) throw new Refused(answer);
    const [to, total] = [Number(shown.groups?.to), Number(shown.groups?.total)];
    const next = Number(/next offset (\d+)/u.exec(answer)?.[1] ?? to) + 1;
    const items = answer.slice(shown.index + shown[0].length).split("\n");
    return { items, next: to < total ? next : undefined, total, lacks };
  },
  edit: (path, [change]) => [
    "edit_file",
    { file_path: at(path), old_string: change?.before, new_string: change?.after, replace_all: change?.all },
  ],
  write: (path, content) => ["write_file", { file_path: at(path), content }],
  done: /^Successfully/u,
  others: ({ search }, session) => {
    const grep = async (word: string, path: string | undefined, output_mode: string) => {
      const call: Call = ["grep", { pattern: word, path: at(path ?? "."), output_mode }];
      const answer = await session.call(...call);
      const next = again(answer, call);
      return named(next === undefined ? answer : await session.call(...next)).items;
    };
    return {
      filesWith: async (query) =>
        query.regex !== undefined || query.include !== undefined
          ? [...new Set((await search(query)).map(({ file }) => file))]
          : (await grep(query.word, query.path, "files_with_matches")).map(fromSlash),
      countLines: async ({ word, path }) =>
        (await grep(word, path, "count")).reduce((sum, line) => sum + Number(/: (\d+)$/u.exec(line)?.[1]), 0),
    };
  },
});

function entryOf(line: string) {
  const size = / \((\d+) bytes\)$/u.exec(line)?.[1];
  const path = line.replace(/ \((?:directory|\d+ bytes)\)$/u, "");
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  return size === undefined ? { name } : { name, size: Number(size) };
}

function matchesOf(answer: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("/") && line.endsWith(":")) file = fromSlash(line.slice(0, -1));
    const [, number, text = ""] = /^ {2}(\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
