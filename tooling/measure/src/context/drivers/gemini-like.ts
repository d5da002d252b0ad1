import { dirname, join } from "node:path";
import {
  expectStart,
  follow,
  occurrences,
  Refused,
  relativeTo,
  toldByLines,
  wanted,
  withoutEmptyEnd,
  type Call,
  type Driver,
  type Kit,
  type Match,
  type Query,
} from "./driver.ts";

/** Where Gemini CLI and its fork Qwen Code differ. */
export interface Dialect {
  readonly pathOf: (root: string, path: string) => string;
  readonly list: (path: string) => Call;
  readonly find: (pattern: string, path: string) => Call;
  readonly search: (query: Query, path: string, limit: number) => Call;
  /** The most matches that a search returns, without and with the limit raised. */
  readonly limits: readonly number[];
  readonly read: (path: string, from: number, count: number) => Call;
  readonly readAll: (path: string) => Call;
  readonly edit: (path: string, before: string, after: string, places: number) => Call;
}

const LINES_OF = /Showing lines (?<from>\d+)-(?<to>\d+) of (?<total>\d+) total lines/u;
const CONTENT = "--- FILE CONTENT (truncated) ---\n";
const CUT_LINE = "... [truncated]";

/** The driver for Gemini CLI's tools and those made after them. */
export function geminiLike(dialect: Dialect): Kit {
  return {
    first: (root) => ({
      list: (path) => dialect.list(dialect.pathOf(root, path)),
      find: (pattern, path) => dialect.find(pattern, dialect.pathOf(root, path)),
      search: (word, path) => dialect.search({ word }, dialect.pathOf(root, path), dialect.limits[0] ?? 0),
      read: (path, lines) => {
        const target = dialect.pathOf(root, path);
        return lines === undefined ? dialect.readAll(target) : dialect.read(target, 1, lines);
      },
      edit: (path, { before, after, all = false }) =>
        dialect.edit(dialect.pathOf(root, path), before, after, all ? 2 : 1),
    }),

    drive: (session, root) => {
      const { call, doubt } = session;
      const at = (path: string) => dialect.pathOf(root, path);
      const search: Driver["search"] = async (query) => {
        let answer = "";
        for (const limit of dialect.limits) {
          answer = await call(...dialect.search(query, at(query.path ?? "."), limit));
          if (!isLimited(answer)) break;
        }
        if (isLimited(answer)) doubt(answer.split("\n")[0] ?? "");
        if (answer.includes(CUT_LINE)) doubt(CUT_LINE);
        expectStart(answer, /^(?:Found|No matches)/u);
        return wanted(query, matchesOf(answer, directoryOf(query.path ?? ".")));
      };
      const find = async (pattern: string): Promise<string[]> => {
        const answer = await call(...dialect.find(pattern, at(".")));
        if (answer.startsWith("No files found")) return [];
        const [head = "", ...paths] = answer.split("\n");
        if (!head.startsWith("Found")) throw new Refused(answer);
        if (/ignored|truncated/u.test(head)) doubt(head);
        return paths.filter((path) => path !== "").map((path) => relativeTo(root, path));
      };
      const read: Driver["read"] = async (path, { from = 1, count = Infinity } = {}) => {
        const lines: string[] = [];
        const first =
          from === 1 && count === Infinity
            ? dialect.readAll(at(path))
            : dialect.read(at(path), from, Math.min(count, 2000));
        await follow(session, first, (answer) => {
          const shown = LINES_OF.exec(answer)?.groups;
          if (shown === undefined && isRefusal(answer)) throw new Refused(answer);
          const content = shown === undefined ? answer : (answer.split(CONTENT)[1] ?? "");
          lines.push(...content.split("\n"));
          const to = Number(shown?.to ?? Infinity);
          const goesOn = to < Number(shown?.total) && to < from + count - 1;
          return goesOn ? dialect.read(at(path), to + 1, Math.min(from + count - 1 - to, 2000)) : undefined;
        });
        if (lines.some((line) => line.endsWith(CUT_LINE))) doubt(CUT_LINE);
        return count === Infinity ? withoutEmptyEnd(lines) : lines;
      };
      const listing = async (path: string) => {
        const answer = await call(...dialect.list(at(path)));
        if (/^Directory .* is empty/u.test(answer)) return [];
        expectStart(answer, /^Directory listing/u);
        if (/\(\d+ .*ignored\)/u.test(answer)) doubt(answer.slice(answer.lastIndexOf("(")));
        return answer.split("\n\n")[0]?.split("\n").slice(1) ?? [];
      };

      return {
        list: async (path) => (await listing(path)).map(nameOf),
        find,
        ...toldByLines(search),
        read,
        tail: async (path, count) => {
          const answer = await call(...dialect.read(at(path), 1, 1));
          const total = Number(LINES_OF.exec(answer)?.groups?.total);
          if (Number.isNaN(total)) throw new Refused(answer);
          // It counts what follows the last line end as a line.
          const lines = await read(path, { from: Math.max(1, total - count), count: count + 1 });
          return withoutEmptyEnd(lines).slice(-count);
        },
        lineEnd: async (path, line) => (await read(path, { from: line, count: 1 }))[0] ?? "",
        edit: async (path, changes) => {
          for (const { before, after, all = false } of changes) {
            const places = all ? occurrences((await read(path)).join("\n"), before) : 1;
            expectStart(await call(...dialect.edit(at(path), before, after, places)), /^Successfully/u);
          }
        },
        write: async (path, content) => {
          expectStart(await call("write_file", { file_path: at(path), content }), /^Successfully/u);
        },
        largest: async (directory) => {
          const entries = await listing(directory);
          const sizes = entries.map((entry) => Number(/\((\d+) bytes\)$/u.exec(entry)?.[1] ?? 0));
          if (sizes.every((size) => size === 0)) throw new Refused("No tool tells the size of a file.");
          return nameOf(entries[sizes.indexOf(Math.max(...sizes))] ?? "");
        },
        newest: async (pattern) => (await find(pattern))[0] ?? "",
      };
    },
  };
}

function isLimited(answer: string): boolean {
  return /results limited to|Results truncated/u.test(answer);
}

function isRefusal(answer: string): boolean {
  return /^(?:Could not read|Path is a directory|Cannot display content|File size exceeds|Error|File path must)/u.test(
    answer,
  );
}

function nameOf(entry: string): string {
  if (entry.startsWith("[DIR] ")) return `${entry.slice(6)}/`;
  return entry.replace(/ \(\d+ bytes\)$/u, "");
}

function directoryOf(path: string): string {
  return /\.\w+$/u.test(path) ? dirname(path) : path;
}

/** It prints paths relative to the directory that was searched. */
function matchesOf(answer: string, directory: string): Match[] {
  let file = "";
  return answer.split("\n").flatMap((line) => {
    if (line.startsWith("File: ")) file = join(directory, line.slice(6));
    const [, number, text = ""] = /^L(\d+): (.*)$/u.exec(line) ?? [];
    return number === undefined ? [] : [{ file, line: Number(number), text }];
  });
}
