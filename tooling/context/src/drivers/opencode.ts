import { join } from "node:path";
import {
  cannot,
  filesOf,
  patternOf,
  Refused,
  relativeTo,
  wanted,
  type Call,
  type Kit,
  type Match,
  type Query,
  type Range,
} from "./driver.ts";

const GOES_ON = /Use offset=(?<offset>\d+) to continue/u;
const CUT_LINE = "... (line truncated to 2000 chars)";
const ENTRIES = /<entries>\n(?<entries>[^]*)\n\n\((?<summary>.*)\)\n<\/entries>/u;

export const opencode: Kit = {
  first: (root) => ({
    list: (path): Call => ["read", { filePath: join(root, path) }],
    find: (pattern, path): Call => ["glob", { pattern, path: join(root, path) }],
    search: (pattern, path): Call => ["grep", { pattern, path: join(root, path) }],
    read: (path, limit): Call => ["read", { filePath: join(root, path), ...(limit === undefined ? {} : { limit }) }],
    edit: (path, { before, after, all = false }): Call => [
      "edit",
      { filePath: join(root, path), oldString: before, newString: after, ...(all ? { replaceAll: true } : {}) },
    ],
  }),

  drive: ({ call, doubt }, root) => {
    const find = async (pattern: string): Promise<string[]> => {
      const answer = await call("glob", { pattern });
      const notice = /\(Results are truncated.*\)/u.exec(answer)?.[0];
      if (notice !== undefined) doubt(notice);
      return answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo(root, line)] : []));
    };
    const search = async (query: Query): Promise<Match[]> => {
      const { path, include } = query;
      const answer = await call("grep", {
        pattern: patternOf(query),
        ...(path === undefined ? {} : { path: join(root, path) }),
        ...(include === undefined ? {} : { include }),
      });
      if (!/^(?:Found|No files found)/u.test(answer)) throw new Refused(answer);
      if (answer.includes("more matches available")) doubt("more matches available");
      return wanted(query, matchesOf(answer, root));
    };
    const read = async (path: string, { from = 1, count = Infinity }: Range = {}): Promise<string[]> => {
      const lines: string[] = [];
      let next: number | undefined = from;
      while (next !== undefined) {
        const limit = from + count - next;
        const range = { ...(next === 1 ? {} : { offset: next }), ...(count === Infinity ? {} : { limit }) };
        const answer: string = await call("read", { filePath: join(root, path), ...range });
        if (!answer.includes("<type>file</type>")) throw new Refused(answer);
        const content = answer.slice(answer.indexOf("<content>\n") + 10, answer.lastIndexOf("\n\n("));
        for (const line of content.split("\n")) {
          const [, text] = /^\d+: (.*)$/su.exec(line) ?? [];
          if (text !== undefined) lines.push(text);
        }
        const offset = GOES_ON.exec(answer.slice(answer.lastIndexOf("\n\n(")))?.groups?.offset;
        next = offset !== undefined && Number(offset) < from + count ? Number(offset) : undefined;
      }
      if (lines.some((line) => line.endsWith(CUT_LINE))) doubt(CUT_LINE);
      return lines;
    };

    return {
      list: async (path) => {
        const names: string[] = [];
        for (;;) {
          const offset = names.length === 0 ? {} : { offset: names.length + 1 };
          const answer = await call("read", { filePath: join(root, path), ...offset });
          const { entries, summary = "" } = ENTRIES.exec(answer)?.groups ?? {};
          if (entries === undefined) throw new Refused(answer);
          names.push(...entries.split("\n"));
          if (!summary.startsWith("Showing")) return names;
        }
      },
      count: async (path) => {
        const answer = await call("read", { filePath: join(root, path), limit: 1 });
        return Number(/ of (\d+) entries/u.exec(answer)?.[1]);
      },
      find,
      search,
      filesWith: async (query) => filesOf(await search(query)),
      countLines: async (query) => (await search(query)).length,
      read,
      tail: async (path, count) => {
        const answer = await call("read", { filePath: join(root, path), offset: 1_000_000_000 });
        const total = Number(/\((\d+) lines\)/u.exec(answer)?.[1]);
        if (Number.isNaN(total)) throw new Refused(answer);
        return read(path, { from: Math.max(1, total - count + 1), count });
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        for (const { before, after, all = false } of changes) {
          const text = { oldString: before, newString: after };
          const answer = await call("edit", {
            filePath: join(root, path),
            ...text,
            ...(all ? { replaceAll: true } : {}),
          });
          if (!answer.startsWith("Edit applied")) throw new Refused(answer);
        }
      },
      write: async (path, content) => {
        const answer = await call("write", { filePath: join(root, path), content });
        if (!answer.startsWith("Wrote")) throw new Refused(answer);
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
