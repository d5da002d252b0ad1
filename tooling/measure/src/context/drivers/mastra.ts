import { join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { escaped, expectStart, linesOf, patternOf, Refused, type Match } from "./driver.ts";

const CUT = /\n?\[output truncated: .*\]$/u;
const TOTAL = /\(lines \d+-\d+ of (?<total>\d+),/u;
const name = (tool: string) => `mastra_workspace_${tool}`;

export const mastra = (root: string): Dialect => {
  const at = (path: string) => (path.startsWith("../") ? join(root, path) : path);
  const tree = (answer: string) => {
    expectStart(answer, /^[./]/u);
    return { items: treePaths(answer.replace(CUT, "")), lacks: CUT.exec(answer)?.[0].trim() };
  };
  return {
    list: (path, { hidden }) => [name("list_files"), { path: at(path), maxDepth: 1, showHidden: hidden }],
    entries: (answer) => {
      const { items, lacks } = tree(answer);
      return { items: items.map((path) => ({ name: path })), lacks };
    },
    find: (pattern, path, { hidden }) => [
      name("list_files"),
      { path: at(path), pattern, maxDepth: 20, showHidden: hidden },
    ],
    paths: (answer, [, { pattern }]) => {
      const { items, lacks } = tree(answer);
      return { items: matching(String(pattern), items), lacks };
    },
    search: (query) => {
      const place = [query.path ?? ".", ...(query.include === undefined ? [] : [`**/${query.include}`])].join("/");
      const path = place === "." ? undefined : at(place.replace(/^\.\/(?!\.)/u, ""));
      return [name("grep"), { pattern: patternOf(query), path, includeHidden: query.hidden }];
    },
    matches: (answer) => {
      const items = expectStart(answer, /^\d+ match|^No matches/u)
        .replace(CUT, "")
        .split("\n")
        .flatMap((line) => matchOf(line, root));
      const isCut = items.some(({ text }) => text.endsWith("..."));
      return { items, lacks: CUT.exec(answer)?.[0].trim() ?? (isCut ? "..." : undefined) };
    },
    read: (path, { from, count, goesOn }) => [
      name("read_file"),
      from === 1 && count === Infinity && !goesOn
        ? { path: at(path) }
        : { path: at(path), offset: from, limit: Math.min(count, 500) },
    ],
    lines: (answer, { from, count }) => {
      expectStart(answer, /^\S+ \((?:\d+ bytes|lines )/u);
      const isCut = CUT.test(answer);
      const numbered = answer.replace(CUT, "").split("\n").slice(1);
      // The line at which the answer was cut is not whole.
      const whole = isCut ? numbered.slice(0, -1) : numbered;
      if (isCut && whole.length === 0) throw new Refused(answer.slice(-100));
      const items = whole.map((line) => line.replace(/^ *\d+→/u, ""));
      const total = Number(TOTAL.exec(answer)?.groups?.total ?? NaN);
      const next = from + items.length;
      const goesOn = isCut || next <= total;
      // It counts what follows the last line end.
      return {
        items: goesOn || count < Infinity ? items : linesOf(items.join("\n")),
        next: goesOn ? next : undefined,
        total: Number.isNaN(total) ? undefined : total - 1,
      };
    },
    edit: (path, [change]) => [
      name("edit_file"),
      { path: at(path), old_string: change?.before, new_string: change?.after, replace_all: change?.all },
    ],
    write: (path, content) => [name("write_file"), { path: at(path), content }],
    remove: (path) => [name("delete"), { path: at(path) }],
    done: /^(?:Replaced|Wrote|Deleted)/u,
    others: ({ list, find }, { call }) => {
      const most = async (paths: readonly string[], pattern: RegExp): Promise<string> => {
        const found: { readonly path: string; readonly value: string }[] = [];
        for (const path of paths) {
          const value = pattern.exec(await call(name("file_stat"), { path }))?.[1] ?? "";
          found.push({ path, value: value.padStart(12) });
        }
        return found.sort((one, other) => other.value.localeCompare(one.value))[0]?.path ?? "";
      };
      return {
        largest: async (directory) => {
          const paths = (await list(directory)).map((file) => `${directory}/${file}`);
          return (await most(paths, /Size: (\d+)/u)).slice(directory.length + 1);
        },
        newest: async (pattern) => most(await find(pattern), /Modified: (\S+)/u),
      };
    },
  };
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

function matchOf(line: string, root: string): Match[] {
  const [, file = "", number, text = ""] = /^(?:\.\/)?(.+?):(\d+):\d+: (.*)$/u.exec(line) ?? [];
  const parent = root.slice(0, root.lastIndexOf("/"));
  return number === undefined ? [] : [{ file: file.replace(parent, ".."), line: Number(number), text }];
}
