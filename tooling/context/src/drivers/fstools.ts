import {
  cannot,
  patternOf,
  Refused,
  type Call,
  type Kit,
  type Match,
  type Query,
  type Range,
  type Reach,
} from "./driver.ts";

const GOES_ON = /Use (?<params>(?:\w+=\d+ ?)+)to (?:continue|view)/u;
const LEFT_OUT = /^\(Not (?:shown|searched): .*\)$/mu;

export const fstools: Kit = {
  first: () => ({
    list: (path): Call => ["LS", { path }],
    find: (pattern, path): Call => ["Glob", { pattern, path }],
    search: (pattern, path): Call => ["Grep", { pattern, path }],
    read: (path, limit): Call => ["Read", limit === undefined ? { path } : { path, limit }],
    edit: (path, { before, after, all }): Call => [
      "Edit",
      { path, old_string: before, new_string: after, ...(all === true ? { replace_all: true } : {}) },
    ],
  }),

  drive: ({ call, doubt }) => {
    /** All pages of a list; asks again for what was left out where that may hold the answer. */
    const pages = async (
      tool: string,
      params: Readonly<Record<string, unknown>>,
      reach: Reach,
      leftOutCounts: (items: readonly string[]) => boolean,
    ): Promise<string[]> => {
      const items: string[] = [];
      let next: Readonly<Record<string, unknown>> | undefined = { ...params, ...reachParams(tool, reach) };
      while (next !== undefined) {
        const { head, body } = parts(await call(tool, next));
        if (body !== "") items.push(body);
        const leftOut = LEFT_OUT.exec(head)?.[0];
        if (leftOut !== undefined && leftOutCounts(items)) {
          return pages(tool, params, { hidden: true, ignored: true }, () => false);
        }
        if (leftOut !== undefined) doubt(leftOut);
        if (!/^(?:Listed|Found|No )/u.test(head)) throw new Refused(head);
        const goesOn = continuation(head);
        if (goesOn === undefined && head.includes("[Partial")) doubt(head);
        next = goesOn && { ...next, ...goesOn };
      }
      return items;
    };
    const none = (items: readonly string[]) => items.length === 0;
    const grep = async (query: Query, more: Readonly<Record<string, unknown>>) => {
      const { path, include } = query;
      const params = { pattern: patternOf(query), path, include, case_sensitive: true, limit: 200, ...more };
      return pages("Grep", params, query, none);
    };
    const search = async (query: Query): Promise<Match[]> => (await grep(query, {})).flatMap(matchesOf);
    const read = async (path: string, { from = 1, count = Infinity, encoding }: Range = {}) => {
      const lines: string[] = [];
      let next: Readonly<Record<string, unknown>> | undefined = {
        path,
        ...(from === 1 ? {} : { start_line: from }),
        limit: Math.min(count, 2000),
        ...(encoding === undefined ? {} : { encoding }),
      };
      while (next !== undefined) {
        const { head, body } = parts(await call("Read", next));
        if (!/^(?:Read \d|File '.*' is empty)/u.test(head)) throw new Refused(head);
        if (head.includes("[Warning")) doubt(head);
        for (const line of body.split("\n").slice(0, -1)) {
          const [, number, text = ""] = /^(\d+)\t(.*)$/su.exec(line) ?? [];
          const index = Number(number) - from;
          lines[index] = (lines[index] ?? "") + text;
        }
        const goesOn: Readonly<Record<string, unknown>> | undefined = continuation(head);
        const isWithin = goesOn !== undefined && Number(goesOn.start_line) < from + count;
        next = isWithin
          ? { ...next, start_column: undefined, ...goesOn, limit: leftOf(goesOn, from, count) }
          : undefined;
      }
      return lines;
    };

    return {
      list: async (path, reach = {}) =>
        (await pages("LS", { path, limit: 200 }, reach, () => reach.hidden !== true)).flatMap((page) =>
          page.split("\n").map((name) => name.replace(/@$/u, "")),
        ),
      count: async (path) => Number(/Total: (\d+) items/u.exec(await call("LS", { path, limit: 1 }))?.[1]),
      find: async (pattern, reach = {}) =>
        (await pages("Glob", { pattern, limit: 200 }, reach, none)).flatMap(ungrouped),
      search,
      filesWith: async (query) => (await grep(query, { output_mode: "files" })).flatMap(ungrouped),
      countLines: async (query) =>
        (await grep(query, { output_mode: "count" }))
          .flatMap((page) => page.split("\n"))
          .reduce((sum, line) => sum + Number(/: (\d+)$/u.exec(line)?.[1]), 0),
      read,
      tail: async (path, count) => {
        const answer = await call("Read", { path, start_line: 1_000_000_000 });
        const [, last = ""] = /Valid range: 1 to (\d+)/u.exec(answer) ?? [];
        if (last === "") throw new Refused(answer);
        return read(path, { from: Math.max(1, Number(last) - count + 1), count });
      },
      lineEnd: async (path, line) => {
        const { head, body } = parts(await call("Read", { path, start_line: line, limit: 1 }));
        const length = /continues \((\d+) characters\)/u.exec(head)?.[1];
        if (length === undefined) return body;
        // The answer tells how long the line is, so that its end can be asked for.
        const start_column = Number(length) - 100;
        return parts(await call("Read", { path, start_line: line, start_column, limit: 1 })).body;
      },
      edit: async (path, changes, encoding) => {
        const one = changes.length === 1 ? changes[0] : undefined;
        const edits = changes.map(({ before, after, all }) => ({
          old_string: before,
          new_string: after,
          ...(all === true ? { replace_all: true } : {}),
        }));
        const charset = encoding === undefined ? {} : { encoding };
        const answer = await call("Edit", { path, ...(one === undefined ? { edits } : edits[0]), ...charset });
        if (!answer.startsWith("Edited")) throw new Refused(answer);
      },
      write: async (path, content) => {
        const answer = await call("Write", { path, content });
        if (!/^(?:Created|Updated)/u.test(answer)) throw new Refused(answer);
      },
      largest: () => cannot("the size of a file"),
      newest: async (pattern) => {
        const include = pattern.replace(/^\*\*\//u, "");
        const answer = await call("Grep", { pattern: ".", include, output_mode: "files", sort: "modified", limit: 1 });
        if (!answer.startsWith("Found")) throw new Refused(answer);
        return ungrouped(parts(answer).body)[0] ?? "";
      },
    };
  },
};

function reachParams(tool: string, { hidden = false, ignored = false }: Reach): object {
  if (tool === "LS") return hidden || ignored ? { include_hidden: true } : {};
  return { ...(hidden ? { include_hidden: true } : {}), ...(ignored ? { include_ignored: true } : {}) };
}

function parts(answer: string): { readonly head: string; readonly body: string } {
  const blank = answer.indexOf("\n\n");
  return blank === -1 ? { head: answer, body: "" } : { head: answer.slice(0, blank), body: answer.slice(blank + 2) };
}

/** The parameters of the next call, as the answer names them. */
function continuation(head: string): Readonly<Record<string, number>> | undefined {
  const params = GOES_ON.exec(head)?.groups?.params;
  if (params === undefined) return undefined;
  return Object.fromEntries([...params.matchAll(/(\w+)=(\d+)/gu)].map(([, name = "", value]) => [name, Number(value)]));
}

function leftOf(goesOn: Readonly<Record<string, unknown>>, from: number, count: number): number {
  return Math.min(from + count - Number(goesOn.start_line), 2000);
}

/** Paths that may stand below their directory. */
function ungrouped(body: string): string[] {
  let directory = "";
  return body.split("\n").flatMap((line) => {
    if (line.startsWith(" ")) return [directory + line.slice(1)];
    directory = line.endsWith("/") ? line : "";
    return directory === "" && line !== "" ? [line] : [];
  });
}

function matchesOf(body: string): Match[] {
  return body.split("\n\n").flatMap((group) => {
    const [file = "", ...lines] = group.split("\n");
    return lines.map((line) => {
      const [, number, text = ""] = /^(\d+):(.*)$/su.exec(line) ?? [];
      return { file, line: Number(number), text };
    });
  });
}
