import {
  escaped,
  expectStart,
  follow,
  latest,
  patternOf,
  Refused,
  toldByLines,
  wanted,
  withoutEmptyEnd,
  type Call,
  type Driver,
  type Kit,
  type Match,
} from "./driver.ts";

const CUT = /\n?\[output truncated: .*\]$/u;
const TOTAL = /\(lines \d+-\d+ of (?<total>\d+),/u;
const name = (tool: string) => `mastra_workspace_${tool}`;

export const mastra: Kit = {
  first: () => ({
    list: (path) => [name("list_files"), { path, maxDepth: 1 }],
    find: (pattern, path) => [name("list_files"), { path, pattern, maxDepth: 20 }],
    search: (pattern, path) => [name("grep"), { pattern, path }],
    read: (path, limit) => [name("read_file"), { path, limit }],
    edit: (path, { before, after, all }) => [
      name("edit_file"),
      { path, old_string: before, new_string: after, replace_all: all },
    ],
  }),

  drive: (session) => {
    const { call, doubt } = session;
    const uncut = (answer: string): string => {
      const notice = CUT.exec(answer)?.[0].trim();
      if (notice !== undefined) doubt(notice);
      return answer.replace(CUT, "");
    };
    const files = async (params: Readonly<Record<string, unknown>>): Promise<string[]> => {
      return treePaths(uncut(expectStart(await call(name("list_files"), params), /^\./u)));
    };
    const search: Driver["search"] = async (query) => {
      const place = [query.path ?? ".", ...(query.include === undefined ? [] : [`**/${query.include}`])].join("/");
      const answer = await call(name("grep"), {
        pattern: patternOf(query),
        path: place === "." ? undefined : place.replace(/^\.\//u, ""),
        includeHidden: query.hidden,
      });
      expectStart(answer, /^\d+ match|^No matches/u);
      const matches = uncut(answer).split("\n").flatMap(matchOf);
      if (matches.some(({ text }) => text.endsWith("..."))) doubt("...");
      return wanted(query, matches);
    };
    const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
      const lines: string[] = [];
      const page = (offset: number): Call => {
        const limit = Math.min(from + count - offset, 500);
        return [name("read_file"), offset === 1 && count === Infinity ? { path } : { path, offset, limit }];
      };
      await follow(session, page(from), (answer) => {
        expectStart(answer, /^\S+ \((?:\d+ bytes|lines )/u);
        const isCut = CUT.test(answer);
        const numbered = answer.replace(CUT, "").split("\n").slice(1);
        // The line at which the answer was cut is not whole.
        const whole = isCut ? numbered.slice(0, -1) : numbered;
        for (const line of whole) lines.push(line.replace(/^ *\d+→/u, ""));
        const seen = from + lines.length;
        const total = Number(TOTAL.exec(answer)?.groups?.total ?? NaN);
        if (isCut && whole.length === 0) throw new Refused(answer.slice(-100));
        const goesOn = isCut || (count === Infinity && seen <= total);
        return goesOn && seen < from + count ? page(seen) : undefined;
      });
      return count === Infinity ? withoutEmptyEnd(lines) : lines;
    };
    const stat = async (path: string) => call(name("file_stat"), { path });

    return {
      list: async (path, { hidden } = {}) => files({ path, maxDepth: 1, showHidden: hidden }),
      find: async (pattern, { hidden } = {}) =>
        matching(pattern, await files({ path: ".", pattern, maxDepth: 20, showHidden: hidden })),
      ...toldByLines(search),
      read,
      tail: async (path, count) => {
        const answer = await call(name("read_file"), { path, limit: 1 });
        const total = Number(TOTAL.exec(answer)?.groups?.total);
        if (Number.isNaN(total)) throw new Refused(answer);
        const lines = await read(path, { from: Math.max(1, total - count), count: count + 1 });
        return withoutEmptyEnd(lines).slice(-count);
      },
      lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
      edit: async (path, changes) => {
        for (const { before, after, all } of changes) {
          const text = { old_string: before, new_string: after, replace_all: all };
          expectStart(await call(name("edit_file"), { path, ...text }), /^Replaced/u);
        }
      },
      write: async (path, content) => {
        expectStart(await call(name("write_file"), { path, content }), /^Wrote/u);
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
        const paths = matching(pattern, await files({ path: ".", pattern, maxDepth: 20 }));
        return latest(paths, async (path) => /Modified: (\S+)/u.exec(await stat(path))?.[1] ?? "");
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
