import { join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { attached, expectStart, found, matchesBelow, patternOf, Refused, relativeTo } from "./driver.ts";

const CUT_LINE = "... (line truncated to 2000 chars)";
const ENTRIES = /<entries>\n(?<entries>[^]*)\n\n\((?<summary>.*)\)\n<\/entries>/u;

export const opencode = (root: string): Dialect => {
  const at = (path: string | undefined) => (path === undefined ? undefined : join(root, path));
  const fileIn = (line: string) => {
    const [, file] = /^(\/.*):$/u.exec(line) ?? [];
    return file && relativeTo(root, file);
  };
  return {
    list: (path) => ["read", { filePath: at(path) }],
    entries: (answer, [tool, params]) => {
      const { entries, summary = "" } = ENTRIES.exec(answer)?.groups ?? {};
      if (entries === undefined) throw new Refused(answer);
      const offset = Number(/beyond entry (\d+)/u.exec(summary)?.[1]);
      const next = summary.startsWith("Showing") ? ([tool, { ...params, offset }] as const) : undefined;
      return { items: entries.split("\n").map((name) => ({ name })), next };
    },
    find: (pattern, path) => ["glob", { pattern, path: path === "." ? undefined : at(path) }],
    paths: (answer) => ({
      items: answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo(root, line)] : [])),
      lacks: /\(Results are truncated.*\)/u.exec(answer)?.[0],
    }),
    search: (query) => ["grep", { pattern: patternOf(query), path: at(query.path), include: query.include }],
    matches: (answer) => ({
      items: matchesBelow(expectStart(answer, /^(?:Found|No files found)/u), fileIn, /^ {2}Line (\d+): (.*)$/u),
      lacks: /more matches available/u.exec(answer)?.[0],
    }),
    read: (path, { from, count }) => [
      "read",
      { filePath: at(path), offset: from === 1 ? undefined : from, limit: count === Infinity ? undefined : count },
    ],
    lines: (answer) => {
      if (!answer.includes("<type>file</type>")) throw new Refused(answer);
      const end = answer.lastIndexOf("\n\n(");
      const rows = answer.slice(answer.indexOf("<content>\n") + 10, end).split("\n");
      const items = rows.flatMap((line) => /^\d+: (.*)$/su.exec(line)?.[1] ?? []);
      const next = /Use offset=(\d+) to continue/u.exec(answer.slice(end))?.[1];
      const lacks = items.some((line) => line.endsWith(CUT_LINE)) ? CUT_LINE : undefined;
      return { items, next: next === undefined ? undefined : Number(next), lacks };
    },
    countLines: [(path) => ["read", { filePath: at(path), offset: 1_000_000_000 }], /\((\d+) lines\)/u],
    edit: (path, [change]) => [
      "edit",
      { filePath: at(path), oldString: change?.before, newString: change?.after, replaceAll: change?.all },
    ],
    write: (path, content) => ["write", { filePath: at(path), content }],
    done: /^(?:Edit applied|Wrote)/u,
    others: (_, { call }) => ({
      page: async (path) => attached(await call("read", { filePath: at(path) })),
      count: async (path) => Number(found(await call("read", { filePath: at(path), limit: 1 }), / of (\d+) entries/u)),
    }),
  };
};
