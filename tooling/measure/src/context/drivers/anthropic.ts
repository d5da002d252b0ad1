import type { Dialect } from "./dialect.ts";
import { linesOf, matchIn, pathIn, patternOf, Refused, relativeTo, replacement, type Call } from "./driver.ts";

const CUT = /\n\[output truncated at .*\]$/u;

export const anthropic = (root: string): Dialect => {
  const at = pathIn(root);
  const fileOf = (path: string) => relativeTo(root, path);
  const listed = (answer: string): string[] => {
    if (/^(?:glob|grep): /u.test(answer)) throw new Refused(answer);
    return answer === "no matches" ? [] : linesOf(answer.replace(CUT, ""));
  };
  const glob = (pattern: string, path: string): Call => [
    "glob",
    { pattern, path: path === "." ? undefined : at(path) },
  ];
  return {
    // It has no list but that of the files that match.
    list: (path) => glob("*", path),
    entries: (answer) => ({ items: listed(answer).map((path) => ({ name: path.slice(path.lastIndexOf("/") + 1) })) }),
    find: glob,
    paths: (answer) => ({ items: listed(answer).map(fileOf) }),
    findsNewestFirst: true,
    search: (query) => ["grep", { pattern: patternOf(query), path: query.path && at(query.path) }],
    matches: (answer, _, { path = "", include }) => {
      const items = listed(answer).flatMap((line) =>
        matchIn(line, fileOf, { row: /^(\/.+?):(\d+):(.*)$/u, only: path }),
      );
      const isMeant = ({ file }: { file: string }) => file.endsWith(include?.replace("*", "") ?? "");
      return { items: items.filter(isMeant), lacks: CUT.exec(answer)?.[0].trim() };
    },
    read: (path, { from, count, goesOn }) => {
      const isWhole = from === 1 && count === Infinity && !goesOn;
      return [
        "read",
        { file_path: at(path), view_range: isWhole ? undefined : [from, from + Math.min(count, 2000) - 1] },
      ];
    },
    lines: (answer, { from, count, goesOn }) => {
      if (answer.includes("Use the view_range parameter")) return { items: [], next: from };
      if (answer.startsWith("read: ")) throw new Refused(answer);
      const items = linesOf(answer);
      const isWhole = !goesOn && count === Infinity && from === 1;
      return { items, next: !isWhole && items.length === 2000 ? from + 2000 : undefined };
    },
    edit: (path, [change]) => ["edit", { file_path: at(path), ...replacement(change) }],
    write: (path, content) => ["write", { file_path: at(path), content }],
    done: /^(?:edited|wrote) /u,
  };
};
