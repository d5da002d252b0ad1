import { dirname, join } from "node:path";
import type { Dialect } from "./dialect.ts";
import { attached, expectStart, linesOf, matchesBelow, pathIn, patternOf, Refused, relativeTo } from "./driver.ts";

const LINES_OF = /Showing lines (?<from>\d+)-(?<to>\d+) of (?<total>\d+) total lines/u;
const CONTENT = /\n--- FILE CONTENT \(truncated\) ---\n/u;
const CUT_LINE = "... [truncated]";
const REFUSAL =
  /^(?:Could not read|Path is a directory|Cannot display content|File size exceeds|Error|File path must|File not found|Path not in)/u;

export const gemini = (root: string): Dialect => {
  const at = pathIn(root);
  return {
    list: (path) => ["list_directory", { dir_path: at(path) }],
    entries: (answer) => {
      if (/^Directory .* is empty/u.test(answer)) return { items: [] };
      const [rows = ""] = expectStart(answer, /^Directory listing/u).split("\n\n");
      return { items: rows.split("\n").slice(1).map(entryOf), lacks: /\(\d+ .*ignored\)/u.exec(answer)?.[0] };
    },
    find: (pattern, path) => ["glob", { pattern, dir_path: path === "." ? undefined : at(path) }],
    paths: (answer) => {
      if (answer.startsWith("No files found")) return { items: [] };
      const [head = "", ...paths] = expectStart(answer, /^Found/u).split("\n");
      const items = paths.filter((path) => path !== "").map((path) => relativeTo(root, path));
      return { items, lacks: /ignored|truncated/u.test(head) ? head : undefined };
    },
    findsNewestFirst: true,
    search: ({ path, include, ignored, context, ...query }) => [
      "grep_search",
      {
        pattern: patternOf(query),
        dir_path: path && at(path),
        include_pattern: include,
        context,
        no_ignore: ignored === true ? true : undefined,
      },
    ],
    showsContext: true,
    matches: (answer, [tool, params], { path = "." }) => {
      const isLimited = /results limited to|Results truncated/u.test(answer);
      if (isLimited && params.total_max_matches === undefined) {
        return { items: [], next: [tool, { ...params, total_max_matches: 10_000 }] };
      }
      expectStart(answer, /^(?:Found|No matches)/u);
      // It prints paths relative to the directory that was searched.
      const directory = /\.\w+$/u.test(path) ? dirname(path) : path;
      const fileIn = (line: string) => {
        const [, file] = /^File: (.*)/u.exec(line) ?? [];
        return file?.startsWith("/") === true ? relativeTo(root, file) : file && join(directory, file);
      };
      const lacks = isLimited ? answer.split("\n")[0] : answer.includes(CUT_LINE) ? CUT_LINE : undefined;
      return { items: matchesBelow(answer, fileIn, /^L(\d+)[:-] (.*)$/u), lacks };
    },
    read: (path, { from, count, goesOn }) => {
      if (from === 1 && count === Infinity && !goesOn) return ["read_file", { file_path: at(path) }];
      return ["read_file", { file_path: at(path), start_line: from, end_line: from + Math.min(count, 2000) - 1 }];
    },
    lines: (answer, { count }) => {
      const shown = LINES_OF.exec(answer)?.groups;
      if (shown === undefined && REFUSAL.test(answer)) throw new Refused(answer);
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
        allow_multiple: change?.all === true ? true : undefined,
      },
    ],
    write: (path, content) => ["write_file", { file_path: at(path), content }],
    done: /^Successfully/u,
    others: (_, { call }) => ({ page: async (path) => attached(await call("read_file", { file_path: at(path) })) }),
  };
};

function entryOf(entry: string) {
  if (entry.startsWith("[DIR] ")) return { name: `${entry.slice(6)}/` };
  const [, name = entry, bytes] = /^(.*) \((\d+) bytes\)$/u.exec(entry) ?? [];
  return { name, size: bytes === undefined ? undefined : Number(bytes) };
}
