import {
  cannot,
  expectStart,
  follow,
  Refused,
  relativeTo,
  toldByLines,
  wanted,
  type Call,
  type Driver,
  type Kit,
  type Match,
  type Query,
} from "./driver.ts";

const WINDOW = /@@ lines (?<from>\d+)-(?<to>\d+) of (?<total>\d+)(?<more>.*) @@\n/u;
const TRUNCATED = /results truncated|stopped early|truncated due to size|truncated mid-line/u;

/** Paths begin with a slash, which is the project. */
const at = (path: string) => (path === "." ? "/" : `/${path}`);

export const deepagents: Kit = {
  first: () => ({
    list: (path) => ["ls", { path: at(path) }],
    find: (pattern, path) => ["glob", { pattern, path: at(path) }],
    search: (pattern, path) => ["grep", { pattern, path: at(path) }],
    read: (path, limit) => ["read_file", { file_path: at(path), limit }],
    edit: (path, { before, after, all }) => [
      "edit_file",
      { file_path: at(path), old_string: before, new_string: after, replace_all: all },
    ],
  }),

  drive: (session) => {
    const { call, doubt } = session;
    const complete = (answer: string): string => {
      if (answer.startsWith("Error")) throw new Refused(answer);
      const notice = TRUNCATED.exec(answer)?.[0];
      if (notice !== undefined) doubt(notice);
      return answer;
    };
    const grep = async ({ word, path, include }: Query, more: object = {}): Promise<string> => {
      const params = { pattern: word, path: at(path ?? "."), glob: include, ...more };
      const answer = await call("grep", params);
      if (!answer.includes("stopped early")) return complete(answer);
      return complete(await call("grep", { ...params, max_count: 100_000 }));
    };
    const search: Driver["search"] = async (query) => wanted(query, matchesOf(await grep(query)));
    const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
      const lines: string[] = [];
      const page = (offset: number): Call => {
        const limit = Math.min(from - 1 + count - offset, 2000);
        return ["read_file", { file_path: at(path), offset, limit }];
      };
      await follow(session, page(from - 1), (answer) => {
        const shown = WINDOW.exec(complete(answer));
        if (shown === null) {
          if (answer.includes("empty")) return undefined;
          throw new Refused(answer);
        }
        lines.push(...answer.slice(shown.index + shown[0].length).split("\n"));
        const to = Number(shown.groups?.to);
        const goesOn = to < Number(shown.groups?.total) && to < from - 1 + count;
        return goesOn ? page(Number(/next offset (\d+)/u.exec(answer)?.[1] ?? to)) : undefined;
      });
      return lines;
    };
    const listing = async (path: string) => {
      const answer = complete(await call("ls", { path: at(path) }));
      return answer.startsWith("No files found") ? [] : answer.split("\n").filter((line) => line.startsWith("/"));
    };

    const byLines = toldByLines(search);

    return {
      list: async (path) => (await listing(path)).map(nameOf),
      find: async (pattern) => {
        const answer = complete(await call("glob", { pattern }));
        if (answer.startsWith("No files found")) return [];
        return answer
          .split("\n")
          .filter((line) => line.startsWith("/"))
          .map((line) => relativeTo("", line));
      },
      search,
      filesWith: async (query) => {
        if (query.regex !== undefined) return byLines.filesWith(query);
        const answer = await grep(query, { output_mode: "files_with_matches" });
        return answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo("", line)] : []));
      },
      countLines: async (query) => {
        if (query.regex !== undefined) return byLines.countLines(query);
        const answer = await grep(query, { output_mode: "count" });
        return [...answer.matchAll(/: (\d+)$/gmu)].reduce((sum, [, count]) => sum + Number(count), 0);
      },
      read,
      tail: async (path, count) => {
        const answer = complete(await call("read_file", { file_path: at(path), offset: 0, limit: 1 }));
        const total = Number(WINDOW.exec(answer)?.groups?.total);
        if (Number.isNaN(total)) throw new Refused(answer);
        return read(path, { from: Math.max(1, total - count + 1), count });
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        for (const { before, after, all } of changes) {
          const text = { old_string: before, new_string: after, replace_all: all };
          expectStart(await call("edit_file", { file_path: at(path), ...text }), /^Successfully/u);
        }
      },
      write: async (path, content) => {
        expectStart(await call("write_file", { file_path: at(path), content }), /^Successfully/u);
      },
      largest: async (directory) => {
        const entries = await listing(directory);
        const sizes = entries.map((entry) => Number(/\((\d+) bytes\)$/u.exec(entry)?.[1] ?? 0));
        return nameOf(entries[sizes.indexOf(Math.max(...sizes))] ?? "");
      },
      newest: () => cannot("when a file was changed"),
    };
  },
};

function nameOf(entry: string): string {
  const path = entry.replace(/ \(directory\)$/u, "").replace(/ \(\d+ bytes\)$/u, "");
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1);
}

function matchesOf(answer: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("/") && line.endsWith(":")) file = relativeTo("", line.slice(0, -1));
    const [, number, text = ""] = /^ {2}(\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
