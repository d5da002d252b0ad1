import {
  escaped,
  filesOf,
  patternOf,
  Refused,
  wanted,
  type Call,
  type Kit,
  type Match,
  type Query,
  type Range,
} from "./driver.ts";

const CUT = /\n?\[output truncated: .*\]$/u;
const TOTAL = /\(lines \d+-\d+ of (?<total>\d+),/u;
const name = (tool: string) => `mastra_workspace_${tool}`;

export const mastra: Kit = {
  first: () => ({
    list: (path): Call => [name("list_files"), { path, maxDepth: 1 }],
    find: (pattern, path): Call => [name("list_files"), { path, pattern, maxDepth: 20 }],
    search: (pattern, path): Call => [name("grep"), { pattern, path }],
    read: (path, limit): Call => [name("read_file"), limit === undefined ? { path } : { path, limit }],
    edit: (path, { before, after, all = false }): Call => [
      name("edit_file"),
      { path, old_string: before, new_string: after, ...(all ? { replace_all: true } : {}) },
    ],
  }),

  drive: ({ call, doubt }) => {
    const uncut = (answer: string): string => {
      const notice = CUT.exec(answer)?.[0].trim();
      if (notice !== undefined) doubt(notice);
      return answer.replace(CUT, "");
    };
    const files = async (params: Readonly<Record<string, unknown>>): Promise<string[]> => {
      const answer = await call(name("list_files"), params);
      if (!answer.startsWith(".")) throw new Refused(answer);
      return treePaths(uncut(answer));
    };
    const search = async (query: Query): Promise<Match[]> => {
      const place = [query.path ?? ".", ...(query.include === undefined ? [] : [`**/${query.include}`])].join("/");
      const answer = await call(name("grep"), {
        pattern: patternOf(query),
        ...(place === "." ? {} : { path: place.replace(/^\.\//u, "") }),
        ...(query.hidden === true ? { includeHidden: true } : {}),
      });
      if (!/^\d+ match|^No matches/u.test(answer)) throw new Refused(answer);
      const matches = uncut(answer).split("\n").flatMap(matchOf);
      if (matches.some(({ text }) => text.endsWith("..."))) doubt("...");
      return wanted(query, matches);
    };
    const read = async (path: string, { from = 1, count = Infinity }: Range = {}): Promise<string[]> => {
      const lines: string[] = [];
      let next: number | undefined = from;
      while (next !== undefined) {
        const limit = from + count - next;
        const range =
          from === 1 && next === 1 && count === Infinity ? {} : { offset: next, limit: Math.min(limit, 500) };
        const answer: string = await call(name("read_file"), { path, ...range });
        if (!/^\S+ \((?:\d+ bytes|lines )/u.test(answer)) throw new Refused(answer);
        const isCut = CUT.test(answer);
        const numbered = answer.replace(CUT, "").split("\n").slice(1);
        // The line at which the answer was cut is not whole.
        const whole = isCut ? numbered.slice(0, -1) : numbered;
        for (const line of whole) lines.push(line.replace(/^ *\d+→/u, ""));
        const seen: number = from + lines.length;
        const total = Number(TOTAL.exec(answer)?.groups?.total ?? NaN);
        if (isCut && whole.length === 0) throw new Refused(answer.slice(-100));
        const goesOn = isCut || (count === Infinity && seen <= total);
        next = goesOn && seen < from + count ? seen : undefined;
      }
      // The text after the last line end counts as a line there.
      if (count === Infinity && lines.at(-1) === "") lines.pop();
      return lines;
    };
    const stat = async (path: string) => call(name("file_stat"), { path });

    return {
      list: async (path, { hidden = false } = {}) =>
        files({ path, maxDepth: 1, ...(hidden ? { showHidden: true } : {}) }),
      find: async (pattern, { hidden = false } = {}) =>
        matching(pattern, await files({ path: ".", pattern, maxDepth: 20, ...(hidden ? { showHidden: true } : {}) })),
      search,
      filesWith: async (query) => filesOf(await search(query)),
      countLines: async (query) => (await search(query)).length,
      read,
      tail: async (path, count) => {
        const answer = await call(name("read_file"), { path, limit: 1 });
        const total = Number(TOTAL.exec(answer)?.groups?.total);
        if (Number.isNaN(total)) throw new Refused(answer);
        const lines = await read(path, { from: Math.max(1, total - count), count: count + 1 });
        return (lines.at(-1) === "" ? lines.slice(0, -1) : lines).slice(-count);
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        for (const { before, after, all = false } of changes) {
          const text = { old_string: before, new_string: after };
          const answer = await call(name("edit_file"), { path, ...text, ...(all ? { replace_all: true } : {}) });
          if (!answer.startsWith("Replaced")) throw new Refused(answer);
        }
      },
      write: async (path, content) => {
        const answer = await call(name("write_file"), { path, content });
        if (!answer.startsWith("Wrote")) throw new Refused(answer);
      },
      largest: async (directory) => {
        const sizes: { file: string; size: number }[] = [];
        for (const file of await files({ path: directory, maxDepth: 1 })) {
          const size = Number(/Size: (\d+)/u.exec(await stat(`${directory}/${file}`))?.[1]);
          sizes.push({ file, size });
        }
        return sizes.sort((one, other) => other.size - one.size)[0]?.file ?? "";
      },
      newest: async (pattern) => {
        const dated: { path: string; time: string }[] = [];
        for (const path of matching(pattern, await files({ path: ".", pattern, maxDepth: 20 }))) {
          dated.push({ path, time: /Modified: (\S+)/u.exec(await stat(path))?.[1] ?? "" });
        }
        return dated.sort((one, other) => other.time.localeCompare(one.time))[0]?.path ?? "";
      },
    };
  },
};

/** The paths of a tree whose depth is told by tabs; what has something below it, and what the tree counts first, are directories. */
function treePaths(tree: string): string[] {
  const [body = "", summary = ""] = tree.split("\n\n");
  const rows = body.split("\n").slice(1);
  const parents: string[] = [];
  const paths = rows.map((row, index) => {
    const depth = /^\t*/u.exec(row)?.[0].length ?? 0;
    const isParent = /^\t*/u.exec(rows[index + 1] ?? "")?.[0].length === depth + 1;
    parents[depth] = row.slice(depth);
    const path = parents.slice(0, depth + 1).join("/");
    return isParent ? `${path}/` : path;
  });
  const isFlat = paths.every((path) => !path.endsWith("/"));
  const directories = Number(/^(\d+) director/u.exec(summary)?.[1] ?? 0);
  return isFlat ? paths.map((path, index) => (index < directories ? `${path}/` : path)) : paths;
}

/** It shows all directories, and nothing tells one without files from a file: the pattern's last part does. */
function matching(pattern: string, paths: readonly string[]): string[] {
  const name = escaped(pattern.slice(pattern.lastIndexOf("/") + 1))
    .replaceAll("\\*", "[^/]*")
    .replaceAll(/\\\{(.*)\\\}/gu, (_, inside: string) => `(?:${inside.replaceAll(",", "|")})`);
  return paths.filter((path) => new RegExp(`(?:^|/)${name}$`, "u").test(path));
}

function matchOf(line: string): Match[] {
  const [, file = "", number, text = ""] = /^(?:\.\/)?(.+?):(\d+):\d+: (.*)$/u.exec(line) ?? [];
  return number === undefined ? [] : [{ file, line: Number(number), text }];
}
