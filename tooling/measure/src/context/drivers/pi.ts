import { mapped, type Dialect, type Part } from "./dialect.ts";
import { linesOf, matchIn, patternOf, Refused, textEdits, type Call } from "./driver.ts";

const NOTICE = /\n\n\[(?<notice>[^\n]*)\]$/u;

function lines(answer: string, [tool, params]: Call): Part<string> {
  const notice = NOTICE.exec(answer);
  const words = notice?.groups?.notice ?? "";
  const limit = /Use limit=(\d+) for more/u.exec(words)?.[1];
  if (limit !== undefined) return { items: [], next: [tool, { ...params, limit: Number(limit) * 4 }] };
  if (/^(?:Path not found|Not a directory|ripgrep|rg:|Error|ENOENT)/u.test(answer)) throw new Refused(answer);
  if (/^(?:No files found|No matches found|\(empty directory\))/u.test(answer)) return { items: [] };
  const lacks = /limit reached|truncated to/u.test(words) ? words : undefined;
  return { items: answer.slice(0, notice?.index).split("\n"), lacks };
}

export const pi = (): Dialect => ({
  list: (path) => ["ls", { path }],
  entries: (answer, call) => mapped(lines(answer, call), (name) => ({ name })),
  find: (pattern, path) => ["find", { pattern, path: path === "." ? undefined : path }],
  paths: lines,
  search: (query) => [
    "grep",
    { pattern: patternOf(query), path: query.path, glob: query.include, context: query.context },
  ],
  showsContext: true,
  matches: (answer, call, { path = "." }) => {
    const { items, ...rest } = lines(answer, call);
    // Below a directory it prints paths relative to that directory; a single file by its name.
    const fileOf = (file: string) => (path === "." ? file : path.endsWith(`/${file}`) ? path : `${path}/${file}`);
    return {
      ...rest,
      items: items.flatMap((line) => matchIn(line, fileOf, { row: /^(.+?\.\w+)[:-](\d+)[:-] (.*)$/u })),
    };
  },
  read: (path, { from, count }) => [
    "read",
    { path, offset: from === 1 ? undefined : from, limit: count === Infinity ? undefined : count },
  ],
  lines: (answer, { count }) => {
    if (/^(?:ENOENT|EISDIR|EACCES|Offset|Error|\[Line )/u.test(answer)) throw new Refused(answer);
    const notice = NOTICE.exec(answer);
    const words = notice?.groups?.notice ?? "";
    const offset = /Use offset=(\d+) to continue/u.exec(words)?.[1];
    const more = /^(\d+) more lines/u.exec(words)?.[1];
    const text = answer.slice(0, notice?.index);
    return {
      items: offset === undefined && count === Infinity ? linesOf(text) : text.split("\n"),
      next: offset === undefined ? undefined : Number(offset),
      // It counts what follows the last line end.
      total: more === undefined ? undefined : Number(more),
    };
  },
  edit: (path, changes) => ["edit", { path, edits: textEdits(changes) }],
  editsSeveral: true,
  rewritesAll: true,
  write: (path, content) => ["write", { path, content }],
  done: /^Successfully/u,
});
