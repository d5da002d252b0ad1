import type { Dialect } from "./dialect.ts";
import { expectStart, globSource, linesOf, matchIn, most, pathIn, patternOf, Refused, replacement } from "./driver.ts";

const CUT = /\n?\[output truncated: .*\]$/u;
const name = (tool: string) => `mastra_workspace_${tool}`;

export const mastra = (root: string): Dialect => {
  const at = pathIn(root);
  const tree = <Item>(answer: string, itemsOf: (paths: string[]) => Item[]) => ({
    items: itemsOf(treePaths(expectStart(answer, /^[./]/u).replace(CUT, ""))),
    lacks: CUT.exec(answer)?.[0].trim(),
  });
  const fileOf = (file: string) => file.replace(/^\.\//u, "").replace(root.slice(0, root.lastIndexOf("/")), "..");
  return {
    list: (path, { hidden }) => [name("list_files"), { path: at(path), maxDepth: 1, showHidden: hidden }],
    entries: (answer) => tree(answer, (paths) => paths.map((path) => ({ name: path }))),
    find: (pattern, path, { hidden }) => [
      name("list_files"),
      { path: at(path), pattern, maxDepth: 20, showHidden: hidden },
    ],
    paths: (answer, [, { pattern }]) => tree(answer, (paths) => matching(String(pattern), paths)),
    search: (query) => {
      const place = [query.path ?? ".", ...(query.include === undefined ? [] : [`**/${query.include}`])].join("/");
      const path = place === "." ? undefined : at(place.replace(/^\.\/(?!\.)/u, ""));
      return [
        name("grep"),
        { pattern: patternOf(query), path, includeHidden: query.hidden, contextLines: query.context },
      ];
    },
    showsContext: true,
    matches: (answer) => {
      const rows = expectStart(answer, /^\d+ match|^No matches/u)
        .replace(CUT, "")
        .split("\n");
      const items = rows.flatMap((line) => matchIn(line, fileOf, { row: /^(.+?):(\d+)(?::\d+:|-) (.*)$/u }));
      const isCut = items.some(({ text }) => text.endsWith("..."));
      return { items, lacks: CUT.exec(answer)?.[0].trim() ?? (isCut ? "..." : undefined) };
    },
    read: (path, { from, count, goesOn }) => {
      if (from === 1 && count === Infinity && !goesOn) return [name("read_file"), { path: at(path) }];
      return [name("read_file"), { path: at(path), offset: from, limit: Math.min(count, 500) }];
    },
    lines: (answer, { from, count }) => {
      expectStart(answer, /^\S+ \((?:\d+ bytes|lines )/u);
      const isCut = CUT.test(answer);
      const numbered = answer.replace(CUT, "").split("\n").slice(1);
      // The line at which the answer was cut is not whole.
      const whole = isCut ? numbered.slice(0, -1) : numbered;
      if (isCut && whole.length === 0) throw new Refused(answer.slice(-100));
      const items = whole.map((line) => line.replace(/^ *\d+→/u, ""));
      const total = Number(/\(lines \d+-\d+ of (\d+),/u.exec(answer)?.[1] ?? NaN);
      const next = from + items.length;
      const goesOn = isCut || next <= total;
      return {
        items: goesOn || count < Infinity ? items : linesOf(items.join("\n")),
        next: goesOn ? next : undefined,
        // It counts what follows the last line end.
        total: Number.isNaN(total) ? undefined : total - 1,
      };
    },
    edit: (path, [change]) => [name("edit_file"), { path: at(path), ...replacement(change) }],
    write: (path, content) => [name("write_file"), { path: at(path), content }],
    remove: (path) => [name("delete"), { path: at(path) }],
    done: /^(?:Replaced|Wrote|Deleted)/u,
    others: ({ list, find }, { call }) => {
      const told = async (path: string, what: RegExp) => what.exec(await call(name("file_stat"), { path }))?.[1] ?? "";
      return {
        largest: async (directory) =>
          most(await list(directory), async (file) => Number(await told(`${directory}/${file}`, /Size: (\d+)/u))),
        newest: async (pattern) =>
          most(await find(pattern), async (path) => Date.parse(await told(path, /Modified: (\S+)/u))),
      };
    },
  };
};

/** The paths of a tree whose depth is told by tabs; what has something below it, and what the tree counts first, are directories. */
function treePaths(tree: string): string[] {
  const [body = "", summary = ""] = tree.split("\n\n");
  const rows = body.split("\n").slice(1);
  const depthOf = (row = "") => /^\t*/u.exec(row)?.[0].length ?? 0;
  const parents: string[] = [];
  const paths = rows.map((row, index) => {
    const depth = depthOf(row);
    parents[depth] = row.slice(depth);
    const path = parents.slice(0, depth + 1).join("/");
    return depthOf(rows[index + 1]) === depth + 1 ? `${path}/` : path;
  });
  const isFlat = paths.every((path) => !path.endsWith("/"));
  const directories = Number(/^(\d+) director/u.exec(summary)?.[1] ?? 0);
  return isFlat ? paths.map((path, index) => (index < directories ? `${path}/` : path)) : paths;
}

/** It shows all directories, and nothing tells one without files from a file: the pattern's last part does. */
function matching(pattern: string, paths: readonly string[]): string[] {
  const name = globSource(pattern.slice(pattern.lastIndexOf("/") + 1));
  return paths.filter((path) => new RegExp(`(?:^|/)${name}$`, "u").test(path));
}
