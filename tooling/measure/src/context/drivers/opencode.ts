import { join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { attached, expectStart, found, patternOf, Refused, relativeTo, type Match } from "./driver.ts";

const CUT_LINE = "... (line truncated to 2000 chars)";
const ENTRIES = /<entries>\n(?<entries>[^]*)\n\n\((?<summary>.*)\)\n<\/entries>/u;

export const opencode = (root: string): Dialect => {
  const at = (path: string | undefined) => (path === undefined ? undefined : join(root, path));
  return {
    list: (path) => ["read", { filePath: at(path) }],
    entries: (answer, [tool, params]) => {
      const { entries, summary = "" } = ENTRIES.exec(answer)?.groups ?? {};
      if (entries === undefined) throw new Refused(answer);
      const offset = /beyond entry (\d+)/u.exec(summary)?.[1];
      const next = summary.startsWith("Showing") ? ([tool, { ...params, offset: Number(offset) }] as const) : undefined;
      return { items: entries.split("\n").map((name) => ({ name })), next };
    },
    find: (pattern, path) => ["glob", path === "." ? { pattern } : { pattern, path: at(path) }],
    paths: (answer) => ({
      items: answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo(root, line)] : [])),
      lacks: /\(Results are truncated.*\)/u.exec(answer)?.[0],
    }),
    search: (query) => ["grep", { pattern: patternOf(query), path: at(query.path), include: query.include }],
    matches: (answer) => ({
      items: matchesOf(expectStart(answer, /^(?:Found|No files found)/u), root),
      lacks: /more matches available/u.exec(answer)?.[0],
    }),
    read: (path, { from, count }) => [
      "read",
      { filePath: at(path), offset: from === 1 ? undefined : from, limit: count === Infinity ? undefined : count },
    ],
    lines: (answer) => {
      if (!answer.includes("<type>file</type>")) throw new Refused(answer);
      const end = answer.lastIndexOf("\n\n(");
      const items = answer
        .slice(answer.indexOf("<content>\n") + 10, end)
        .split("\n")
        .flatMap((line) => /^\d+: (.*)$/su.exec(line)?.[1] ?? []);
      const next = /Use offset=(\d+) to continue/u.exec(answer.slice(end))?.[1];
      const lacks = items.some((line) => line.endsWith(CUT_LINE)) ? CUT_LINE : undefined;
      return { items, next: next === undefined ? undefined : Number(next), lacks };
    },
    edit: (path, [change]) => [
      "edit",
      { filePath: at(path), oldString: change?.before, newString: change?.after, replaceAll: change?.all },
    ],
    write: (path, content) => ["write", { filePath: at(path), content }],
    done: /^(?:Edit applied|Wrote)/u,
    others: ({ read }, { call }) => ({
      page: async (path) => attached(await call("read", { filePath: at(path) })),
      count: async (path) => Number(found(await call("read", { filePath: at(path), limit: 1 }), / of (\d+) entries/u)),
      tail: async (path, count) => {
        const beyond = await call("read", { filePath: at(path), offset: 1_000_000_000 });
        const total = Number(found(beyond, /\((\d+) lines\)/u));
        return read(path, { from: Math.max(1, total - count + 1), count });
      },
    }),
  };
};

function matchesOf(answer: string, root: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("/") && line.endsWith(":")) file = relativeTo(root, line.slice(0, -1));
    const [, number, text = ""] = /^ {2}Line (\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
