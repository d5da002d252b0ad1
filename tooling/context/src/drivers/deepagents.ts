import {
  cannot,
  filesOf,
  Refused,
  relativeTo,
  wanted,
  type Call,
  type Kit,
  type Match,
  type Query,
  type Range,
} from "./driver.ts";

const WINDOW = /@@ lines (?<from>\d+)-(?<to>\d+) of (?<total>\d+)(?<more>.*) @@\n/u;
const TRUNCATED = /results truncated|stopped early|truncated due to size|truncated mid-line/u;

/** Paths begin with a slash, which is the project. */
const at = (path: string) => (path === "." ? "/" : `/${path}`);

export const deepagents: Kit = {
  first: () => ({
    list: (path): Call => ["ls", { path: at(path) }],
    find: (pattern, path): Call => ["glob", { pattern, path: at(path) }],
    search: (pattern, path): Call => ["grep", { pattern, path: at(path) }],
    read: (path, lines): Call => [
      "read_file",
      lines === undefined ? { file_path: at(path) } : { file_path: at(path), limit: lines },
    ],
    edit: (path, { before, after, all = false }): Call => [
      "edit_file",
      { file_path: at(path), old_string: before, new_string: after, ...(all ? { replace_all: true } : {}) },
    ],
  }),

  drive: ({ call, doubt }) => {
    const complete = (answer: string): string => {
      if (answer.startsWith("Error")) throw new Refused(answer);
      const notice = TRUNCATED.exec(answer)?.[0];
      if (notice !== undefined) doubt(notice);
      return answer;
    };
    const grep = async ({ word, path, include }: Query, more: object = {}): Promise<string> => {
      const params = {
        pattern: word,
        path: at(path ?? "."),
        ...(include === undefined ? {} : { glob: include }),
        ...more,
      };
      const answer = await call("grep", params);
      if (!answer.includes("stopped early")) return complete(answer);
      return complete(await call("grep", { ...params, max_count: 100_000 }));
    };
    const search = async (query: Query) => wanted(query, matchesOf(await grep(query)));
    const read = async (path: string, { from = 1, count = Infinity }: Range = {}): Promise<string[]> => {
      const lines: string[] = [];
      let offset: number | undefined = from - 1;
      while (offset !== undefined) {
        const limit = Math.min(from - 1 + count - offset, 2000);
        const answer = complete(await call("read_file", { file_path: at(path), offset, limit }));
        const shown = WINDOW.exec(answer);
        if (shown === null) {
          if (answer.includes("empty")) return [];
          throw new Refused(answer);
        }
        lines.push(...answer.slice(shown.index + shown[0].length).split("\n"));
        const to = Number(shown.groups?.to);
        const goesOn = to < Number(shown.groups?.total) && to < from - 1 + count;
        offset = goesOn ? Number(/next offset (\d+)/u.exec(answer)?.[1] ?? to) : undefined;
      }
      return lines;
    };
    const listing = async (path: string) => {
      const answer = complete(await call("ls", { path: at(path) }));
      return answer.startsWith("No files found") ? [] : answer.split("\n").filter((line) => line.startsWith("/"));
    };

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
        if (query.regex !== undefined) return filesOf(await search(query));
        const answer = await grep(query, { output_mode: "files_with_matches" });
        return answer.split("\n").flatMap((line) => (line.startsWith("/") ? [relativeTo("", line)] : []));
      },
      countLines: async (query) => {
        if (query.regex !== undefined) return (await search(query)).length;
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
        for (const { before, after, all = false } of changes) {
          const text = { old_string: before, new_string: after };
          const answer = await call("edit_file", {
            file_path: at(path),
            ...text,
            ...(all ? { replace_all: true } : {}),
          });
          if (!answer.startsWith("Successfully")) throw new Refused(answer);
        }
      },
      write: async (path, content) => {
        const answer = await call("write_file", { file_path: at(path), content });
        if (!answer.startsWith("Successfully")) throw new Refused(answer);
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
