import { dirname, join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { attached, expectStart, linesOf, patternOf, Refused, relativeTo, type Match } from "./driver.ts";

const LINES_OF = /Showing lines (?<from>\d+)-(?<to>\d+) of (?<total>\d+) total lines/u;
const CONTENT = /\n--- FILE CONTENT \(truncated\) ---\n/u;
const CUT_LINE = "... [truncated]";

export const gemini = (root: string): Dialect => {
  const at = (path: string) => (path.startsWith("../") ? join(root, path) : path);
  return {
    list: (path) => ["list_directory", { dir_path: at(path) }],
    entries: (answer) => {
      if (/^Directory .* is empty/u.test(answer)) return { items: [] };
      const rows = expectStart(answer, /^Directory listing/u)
        .split("\n\n")[0]
        ?.split("\n");
      const lacks = /\(\d+ .*ignored\)/u.exec(answer)?.[0];
      return { items: (rows ?? []).slice(1).map(entryOf), lacks };
    },
    find: (pattern, path) => ["glob", path === "." ? { pattern } : { pattern, dir_path: at(path) }],
    paths: (answer) => {
      if (answer.startsWith("No files found")) return { items: [] };
      const [head = "", ...paths] = expectStart(answer, /^Found/u).split("\n");
      const lacks = /ignored|truncated/u.test(head) ? head : undefined;
      return { items: paths.filter((path) => path !== "").map((path) => relativeTo(root, path)), lacks };
    },
    findsNewestFirst: true,
    search: (query) => [
      "grep_search",
      {
        pattern: patternOf(query),
        ...(query.path === undefined || query.path === "." ? {} : { dir_path: at(query.path) }),
        ...(query.include === undefined ? {} : { include_pattern: query.include }),
        ...(query.ignored === true ? { no_ignore: true } : {}),
      },
    ],
    matches: (answer, [tool, params], { path = "." }) => {
      const isLimited = /results limited to|Results truncated/u.test(answer);
      if (isLimited && params.total_max_matches === undefined) {
        return { items: [], next: [tool, { ...params, total_max_matches: 10_000 }] };
      }
      expectStart(answer, /^(?:Found|No matches)/u);
      const lacks = isLimited ? answer.split("\n")[0] : answer.includes(CUT_LINE) ? CUT_LINE : undefined;
      return { items: matchesOf(answer, root, /\.\w+$/u.test(path) ? dirname(path) : path), lacks };
    },
    read: (path, { from, count, goesOn }) => [
      "read_file",
      from === 1 && count === Infinity && !goesOn
        ? { file_path: at(path) }
        : { file_path: at(path), start_line: from, end_line: from + Math.min(count, 2000) - 1 },
    ],
    lines: (answer, { count }) => {
      const shown = LINES_OF.exec(answer)?.groups;
      if (shown === undefined && isRefusal(answer)) throw new Refused(answer);
      const content = shown === undefined ? answer : (answer.split(CONTENT)[1] ?? "");
      const [to, total] = [Number(shown?.to ?? Infinity), Number(shown?.total ?? 0)];
      return {
        items: to >= total && count === Infinity ? linesOf(content) : content.split("\n"),
        next: to < total ? to + 1 : undefined,
        // It counts what follows the last line end.
        total: shown === undefined ? undefined : total - 1,
        lacks: content.includes(CUT_LINE) ? CUT_LINE : undefined,
      };
    },
    edit: (path, [change]) => [
      "replace",
      {
        file_path: at(path),
        instruction: "Replace the text as described.",
        old_string: change?.before,
        new_string: change?.after,
        ...(change?.all === true ? { allow_multiple: true } : {}),
      },
    ],
    write: (path, content) => ["write_file", { file_path: at(path), content }],
    done: /^Successfully/u,
    others: (_, { call }) => ({
      page: async (path) => attached(await call("read_file", { file_path: at(path) })),
    }),
  };
};

function isRefusal(answer: string): boolean {
  return /^(?:Could not read|Path is a directory|Cannot display content|File size exceeds|Error|File path must|File not found|Path not in)/u.test(
    answer,
  );
}

function entryOf(entry: string) {
  if (entry.startsWith("[DIR] ")) return { name: `${entry.slice(6)}/` };
  const size = / \((\d+) bytes\)$/u.exec(entry)?.[1];
  return { name: entry.replace(/ \(\d+ bytes\)$/u, ""), ...(size === undefined ? {} : { size: Number(size) }) };
}

/** It prints paths relative to the directory that was searched. */
function matchesOf(answer: string, root: string, directory: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("File: ")) {
      const path = line.slice(6);
      file = path.startsWith("/") ? relativeTo(root, path) : join(directory, path);
    }
    const [, number, text = ""] = /^L(\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
