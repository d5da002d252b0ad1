import { join } from "node:path";
import {
  cannot,
  expectStart,
  follow,
  patternOf,
  Refused,
  relativeTo,
  toldByLines,
  wanted,
  type Call,
  type Driver,
  type Kit,
  type Match,
} from "./driver.ts";

const GOES_ON = /Use offset=(?<offset>\d+) to continue/u;
const CUT_LINE = "... (line truncated to 2000 chars)";
const ENTRIES = /<entries>\n(?<entries>[^]*)\n\n\((?<summary>.*)\)\n<\/entries>/u;

export const opencode: Kit = {
  first: (root) => ({
    list: (path) => ["read", { filePath: join(root, path) }],
    find: (pattern, path) => ["glob", { pattern, path: join(root, path) }],
    search: (pattern, path) => ["grep", { pattern, path: join(root, path) }],
    read: (path, limit) => ["read", { filePath: join(root, path), limit }],
    edit: (path, { before, after, all }) => [
      "edit",
      { filePath: join(root, path), oldString: before, newString: after, replaceAll: all },
    ],
  }),

  drive: (session, root) => {
    const { call, doubt } = session;
    const find = async (pattern: string): Promise<string[]> => {
      const answer = await call("glob", { pattern });
      const notice = /\(Results are truncated.*\)/u.exec(answer)?.[0];
      if (notice !== undefined) doubt(notice);
      return answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo(root, line)] : []));
    };
    const search: Driver["search"] = async (query) => {
      const { path, include } = query;
      const place = path === undefined ? undefined : join(root, path);
      const answer = await call("grep", { pattern: patternOf(query), path: place, include });
      expectStart(answer, /^(?:Found|No files found)/u);
      if (answer.includes("more matches available")) doubt("more matches available");
      return wanted(query, matchesOf(answer, root));
    };
    const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
      const lines: string[] = [];
      const page = (offset: number): Call => {
        const limit = count === Infinity ? undefined : from + count - offset;
        return ["read", { filePath: join(root, path), offset: offset === 1 ? undefined : offset, limit }];
      };
      await follow(session, page(from), (answer) => {
        if (!answer.includes("<type>file</type>")) throw new Refused(answer);
        const content = answer.slice(answer.indexOf("<content>\n") + 10, answer.lastIndexOf("\n\n("));
        for (const line of content.split("\n")) {
          const [, text] = /^\d+: (.*)$/su.exec(line) ?? [];
          if (text !== undefined) lines.push(text);
        }
        const offset = GOES_ON.exec(answer.slice(answer.lastIndexOf("\n\n(")))?.groups?.offset;
        return offset !== undefined && Number(offset) < from + count ? page(Number(offset)) : undefined;
      });
      if (lines.some((line) => line.endsWith(CUT_LINE))) doubt(CUT_LINE);
      return lines;
    };

    return {
      list: async (path) => {
        const names: string[] = [];
        const filePath = join(root, path);
        await follow(session, ["read", { filePath }], (answer) => {
          const { entries, summary = "" } = ENTRIES.exec(answer)?.groups ?? {};
          if (entries === undefined) throw new Refused(answer);
          names.push(...entries.split("\n"));
          return summary.startsWith("Showing") ? ["read", { filePath, offset: names.length + 1 }] : undefined;
        });
        return names;
      },
      count: async (path) => {
        const answer = await call("read", { filePath: join(root, path), limit: 1 });
        return Number(/ of (\d+) entries/u.exec(answer)?.[1]);
      },
      find,
      ...toldByLines(search),
      read,
      tail: async (path, count) => {
        const answer = await call("read", { filePath: join(root, path), offset: 1_000_000_000 });
        const total = Number(/\((\d+) lines\)/u.exec(answer)?.[1]);
        if (Number.isNaN(total)) throw new Refused(answer);
        return read(path, { from: Math.max(1, total - count + 1), count });
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        for (const { before, after, all } of changes) {
          const text = { oldString: before, newString: after, replaceAll: all };
          expectStart(await call("edit", { filePath: join(root, path), ...text }), /^Edit applied/u);
        }
      },
      write: async (path, content) => {
        expectStart(await call("write", { filePath: join(root, path), content }), /^Wrote/u);
      },
      largest: () => cannot("the size of a file"),
      newest: () => cannot("when a file was changed"),
    };
  },
};

function matchesOf(answer: string, root: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("/") && line.endsWith(":")) file = relativeTo(root, line.slice(0, -1));
    const [, number, text = ""] = /^ {2}Line (\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
