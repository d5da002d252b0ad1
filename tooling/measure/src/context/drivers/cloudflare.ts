import type { Dialect, Part } from "./dialect.ts";
import { attached, linesOf, Refused, relativeTo, textEdits, type Call } from "./driver.ts";

const HOME = "/workspace";
const at = (path: string) => (path === "." ? HOME : `${HOME}/${path}`);

interface Row {
  readonly name?: string;
  readonly path?: string;
  readonly size?: number;
  readonly mtime?: number;
  readonly isDirectory?: boolean;
  readonly line?: number;
  readonly text?: string;
  readonly context?: readonly Row[];
}

interface Answer {
  readonly error?: string;
  readonly entries?: readonly Row[];
  readonly matches?: readonly Row[];
  readonly nextOffset?: number;
  readonly content?: string;
}

function parsed(answer: string): Answer {
  if (!answer.startsWith("{")) throw new Refused(answer);
  const found = JSON.parse(answer) as Answer;
  if (found.error !== undefined) throw new Refused(found.error);
  return found;
}

function rows<Item>(answer: string, [tool, params]: Call, itemOf: (row: Row) => Item): Part<Item> {
  const { entries, matches, nextOffset: offset } = parsed(answer);
  return {
    items: (entries ?? matches ?? []).map(itemOf),
    next: offset === undefined ? undefined : [tool, { ...params, offset, limit: 1000 }],
  };
}

const pathOf = ({ path = "" }: Row) => relativeTo(HOME, path);
const nameOf = ({ name = "", size, isDirectory }: Row) =>
  isDirectory === true ? { name: `${name}/` } : { name, size };

export const cloudflare = (): Dialect => ({
  list: (path) => ["ls", { path: at(path) }],
  entries: (answer, call) => rows(answer, call, nameOf),
  find: (pattern, path) => ["find", { pattern, path: path === "." ? undefined : at(path) }],
  paths: (answer, call) => rows(answer, call, pathOf),
  search: ({ word, regex, path, include, context }) => [
    "grep",
    {
      query: regex?.source ?? word,
      regex: regex && true,
      path: path && at(path),
      include: include && `**/${include}`,
      context,
    },
  ],
  showsContext: true,
  matches: (answer, call) => {
    const { items, ...rest } = rows(answer, call, (row) =>
      (row.context ?? [row]).map(({ line = 0, text = "" }) => ({ file: pathOf(row), line, text })),
    );
    return { ...rest, items: items.flat() };
  },
  read: (path, { from, count }) => [
    "read",
    { path: at(path), offset: from === 1 ? undefined : from, limit: count === Infinity ? undefined : count },
  ],
  lines: (answer) => {
    if (/^(?:File not found|Path not found|ENOENT|EISDIR|Offset|Not a file)/u.test(answer)) throw new Refused(answer);
    if (!/^\{"(?:path|kind|error)":/u.test(answer)) return { items: linesOf(answer) };
    const { content, nextOffset: next } = parsed(answer);
    if (content === undefined) throw new Refused(answer);
    return { items: linesOf(content), next };
  },
  countLines: [(path) => ["read", { path: at(path), offset: 1_000_000_000 }], /\((\d+) line/u],
  edit: (path, changes) => ["edit", { path: at(path), edits: textEdits(changes) }],
  editsSeveral: true,
  rewritesAll: true,
  write: (path, content) => ["write", { path: at(path), content }],
  remove: (path) => ["delete", { path: at(path) }],
  done: /^\{"(?!error)/u,
  others: ({ find }, { call }) => ({
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
