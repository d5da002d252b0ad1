import type { Dialect, Part } from "./dialect.ts";
import { attached, found, linesOf, Refused, relativeTo, type Call } from "./driver.ts";

const HOME = "/workspace";
const at = (path: string) => (path === "." ? HOME : `${HOME}/${path}`);

interface Row {
  readonly name?: string;
  readonly path?: string;
  readonly type?: string;
  readonly size?: number;
  readonly mtime?: number;
  readonly isDirectory?: boolean;
  readonly line?: number;
  readonly text?: string;
}

interface Answer {
  readonly error?: string;
  readonly entries?: readonly Row[];
  readonly matches?: readonly Row[];
  readonly nextOffset?: number;
  readonly content?: string;
  readonly totalLines?: number | null;
  readonly kind?: string;
}

function parsed(answer: string): Answer {
  if (!answer.startsWith("{")) throw new Refused(answer);
  const found = JSON.parse(answer) as Answer;
  if (found.error !== undefined) throw new Refused(found.error);
  return found;
}

/** The rows of a page, and the call for the next one. */
function rows<Item>(answer: string, [tool, params]: Call, itemOf: (row: Row) => Item): Part<Item> {
  const { entries, matches, nextOffset: offset } = parsed(answer);
  return {
    items: (entries ?? matches ?? []).map(itemOf),
    next: offset === undefined ? undefined : [tool, { ...params, offset, limit: 1000 }],
  };
}

const pathOf = ({ path = "" }: Row) => relativeTo(HOME, path);

export const cloudflare = (): Dialect => ({
  list: (path) => ["ls", { path: at(path) }],
  entries: (answer, call) =>
    rows(answer, call, ({ name = "", size = 0, isDirectory }) =>
      isDirectory === true ? { name: `${name}/` } : { name, size },
    ),
  find: (pattern, path) => ["find", path === "." ? { pattern } : { pattern, path: at(path) }],
  paths: (answer, call) => rows(answer, call, pathOf),
  search: ({ word, regex, path, include }) => [
    "grep",
    {
      query: regex?.source ?? word,
      ...(regex === undefined ? {} : { regex: true }),
      ...(path === undefined ? {} : { path: at(path) }),
      ...(include === undefined ? {} : { include: `**/${include}` }),
    },
  ],
  matches: (answer, call) =>
    rows(answer, call, (row) => ({ file: pathOf(row), line: row.line ?? 0, text: row.text ?? "" })),
  read: (path, { from, count }) => [
    "read",
    { path: at(path), ...(from === 1 ? {} : { offset: from }), ...(count === Infinity ? {} : { limit: count }) },
  ],
  lines: (answer) => {
    if (/^(?:File not found|Path not found|ENOENT|EISDIR|Offset|Not a file)/u.test(answer)) throw new Refused(answer);
    if (!/^\{"(?:path|kind|error)":/u.test(answer)) return { items: linesOf(answer) };
    const { content, nextOffset: next, totalLines: total } = parsed(answer);
    if (content === undefined) throw new Refused(answer);
    return { items: linesOf(content), next, total: total ?? undefined };
  },
  edit: (path, changes) => [
    "edit",
    { path: at(path), edits: changes.map(({ before, after }) => ({ oldText: before, newText: after })) },
  ],
  editsSeveral: true,
  rewritesAll: true,
  write: (path, content) => ["write", { path: at(path), content }],
  remove: (path) => ["delete", { path: at(path) }],
  done: /^\{"(?!error)/u,
  others: ({ find, read }, { call }) => ({
    tail: async (path, count) => {
      const beyond = await call("read", { path: at(path), offset: 1_000_000_000 });
      const total = Number(found(beyond, /\((\d+) line/u));
      return read(path, { from: Math.max(1, total - count + 1), count });
    },
    page: async (path) => attached(await call("read", { path: at(path) })),
    newest: async (pattern) => {
      const [first = ""] = await find(pattern);
      const directory = first.slice(0, first.lastIndexOf("/"));
      const { entries = [] } = parsed(await call("ls", { path: at(directory) }));
      const newest = entries.toSorted((one, other) => (other.mtime ?? 0) - (one.mtime ?? 0))[0]?.name ?? "";
      return `${directory}/${newest}`;
    },
  }),
});
