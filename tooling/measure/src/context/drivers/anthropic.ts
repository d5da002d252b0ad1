import { join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { linesOf, patternOf, Refused, relativeTo, type Call, type Match } from "./driver.ts";

const CUT = /\n\[output truncated at .*\]$/u;

export const anthropic = (root: string): Dialect => {
  const at = (path: string) => (path.startsWith("../") ? join(root, path) : path);
  const listed = (answer: string): string[] => {
    if (/^(?:glob|grep): /u.test(answer)) throw new Refused(answer);
    return answer === "no matches" ? [] : linesOf(answer.replace(CUT, ""));
  };
  const glob = (pattern: string, path: string): Call => [
    "glob",
    path === "." ? { pattern } : { pattern, path: at(path) },
  ];
  return {
    // It has no list but that of the files that match.
    list: (path) => glob("*", path),
    entries: (answer) => ({ items: listed(answer).map((path) => ({ name: path.slice(path.lastIndexOf("/") + 1) })) }),
    find: glob,
    paths: (answer) => ({ items: listed(answer).map((path) => relativeTo(root, path)) }),
    findsNewestFirst: true,
    search: (query) => [
      "grep",
      { pattern: patternOf(query), ...(query.path === undefined ? {} : { path: at(query.path) }) },
    ],
    matches: (answer, _, { path = "", include }) => {
      const end = include?.replace("*", "") ?? "";
      const items = listed(answer).flatMap((line) => matchOf(line, root, path));
      return { items: items.filter(({ file }) => file.endsWith(end)), lacks: CUT.exec(answer)?.[0].trim() };
    },
    read: (path, { from, count, goesOn }) => [
      "read",
      from === 1 && count === Infinity && !goesOn
        ? { file_path: at(path) }
        : { file_path: at(path), view_range: [from, from + Math.min(count, 2000) - 1] },
    ],
    lines: (answer, { from, count, goesOn }) => {
      if (answer.includes("Use the view_range parameter")) return { items: [], next: from };
      if (answer.startsWith("read: ")) throw new Refused(answer);
      if (!goesOn && count === Infinity && from === 1) return { items: linesOf(answer) };
      const items = linesOf(answer);
      return { items, next: items.length === 2000 ? from + 2000 : undefined };
    },
    edit: (path, [change]) => [
      "edit",
      { file_path: at(path), old_string: change?.before, new_string: change?.after, replace_all: change?.all },
    ],
    write: (path, content) => ["write", { file_path: at(path), content }],
    done: /^(?:edited|wrote) /u,
  };
};

function matchOf(line: string, root: string, path: string): Match[] {
  const [, file = "", number, text = ""] = /^(\/.+?):(\d+):(.*)$/u.exec(line) ?? [];
  if (number !== undefined) return [{ file: relativeTo(root, file), line: Number(number), text }];
  // A single file's name is not printed.
  const [, alone, rest = ""] = /^(\d+):(.*)$/u.exec(line) ?? [];
  return alone === undefined ? [] : [{ file: path, line: Number(alone), text: rest }];
}
