import {
  cannot,
  changed,
  expectStart,
  follow,
  patternOf,
  Refused,
  toldByLines,
  wanted,
  withoutEmptyEnd,
  type Driver,
  type Kit,
  type Match,
} from "./driver.ts";

const NOTICE = /\n\n\[(?<notice>[^\n]*)\]$/u;
const RAISE = /Use limit=(?<limit>\d+) for more/u;
const GOES_ON = /Use offset=(?<offset>\d+) to continue/u;

export const pi: Kit = {
  first: () => ({
    list: (path) => ["ls", { path }],
    find: (pattern, path) => ["find", { pattern, path }],
    search: (pattern, path) => ["grep", { pattern, path }],
    read: (path, limit) => ["read", { path, limit }],
    edit: (path, { before, after }) => ["edit", { path, edits: [{ oldText: before, newText: after }] }],
  }),

  drive: (session) => {
    const { call, doubt } = session;
    /** The lines of an answer; asks again with the limit raised as long as the answer advises it. */
    const raised = async (tool: string, params: Readonly<Record<string, unknown>>): Promise<string[]> => {
      const answer = await call(tool, params);
      const found = NOTICE.exec(answer);
      const notice = found?.groups?.notice ?? "";
      const limit = RAISE.exec(notice)?.groups?.limit;
      if (limit !== undefined) return raised(tool, { ...params, limit: Number(limit) * 4 });
      if (notice.includes("limit reached")) doubt(notice);
      if (notice.includes("truncated to")) doubt(notice);
      if (/^(?:Path not found|Not a directory|ripgrep|rg:|Error|ENOENT)/u.test(answer)) throw new Refused(answer);
      if (/^(?:No files found|No matches found|\(empty directory\))/u.test(answer)) return [];
      return answer.slice(0, found?.index).split("\n");
    };
    const search: Driver["search"] = async (query) => {
      const { path, include } = query;
      const lines = await raised("grep", { pattern: patternOf(query), path, glob: include });
      return wanted(
        query,
        lines.flatMap((line) => matchOf(line, path)),
      );
    };
    const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
      const lines: string[] = [];
      const limitOf = (lines: number) => (lines === Infinity ? undefined : lines);
      const first = { path, offset: from === 1 ? undefined : from, limit: limitOf(count) };
      await follow(session, ["read", first], (answer) => {
        if (/^(?:ENOENT|EISDIR|EACCES|Offset|Error)/u.test(answer)) throw new Refused(answer);
        if (answer.startsWith("[Line ")) throw new Refused(answer);
        const found = NOTICE.exec(answer);
        lines.push(...answer.slice(0, found?.index).split("\n"));
        const offset = GOES_ON.exec(found?.groups?.notice ?? "")?.groups?.offset;
        const left = from + count - Number(offset);
        if (offset === undefined || left <= 0) return undefined;
        return ["read", { path, offset: Number(offset), limit: limitOf(left) }];
      });
      return count === Infinity ? withoutEmptyEnd(lines) : lines;
    };
    const write: Driver["write"] = async (path, content) => {
      expectStart(await call("write", { path, content }), /^Successfully/u);
    };

    return {
      list: async (path) => raised("ls", { path }),
      find: async (pattern) => raised("find", { pattern }),
      ...toldByLines(search),
      read,
      tail: async (path, count) => {
        const answer = await call("read", { path, limit: 1 });
        const more = Number(/\[(\d+) more lines/u.exec(answer)?.[1]);
        if (Number.isNaN(more)) throw new Refused(answer);
        const lines = await read(path, { from: Math.max(1, more + 1 - count) });
        return lines.slice(-count);
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        if (changes.some(({ all = false }) => all)) {
          const content = `${(await read(path)).join("\n")}\n`;
          await write(path, changed(content, changes));
          return;
        }
        const edits = changes.map(({ before, after }) => ({ oldText: before, newText: after }));
        expectStart(await call("edit", { path, edits }), /^Successfully/u);
      },
      write,
      largest: () => cannot("the size of a file"),
      newest: () => cannot("when a file was changed"),
    };
  },
};

function matchOf(line: string, path: string | undefined): Match[] {
  const [, file = "", number, text = ""] = /^(.+?):(\d+): (.*)$/u.exec(line) ?? [];
  if (number === undefined) return [];
  // Below a directory it prints paths relative to that directory; a single file by its name.
  const isFile = path?.endsWith(`/${file}`) === true;
  const below = path === undefined || path === "." ? file : `${path}/${file}`;
  return [{ file: isFile ? path : below, line: Number(number), text }];
}
