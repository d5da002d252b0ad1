import {
  cannot,
  expectStart,
  follow,
  patternOf,
  Refused,
  wanted,
  type Driver,
  type Kit,
  type Match,
  type Query,
  type Reach,
} from "./driver.ts";

const GOES_ON = /Use (?<params>(?:\w+=\d+ ?)+)to (?:continue|view)/u;
const LEFT_OUT = /^\(Not (?:shown|searched): .*\)$/mu;

/** The largest page: a first call leaves it to the tool, those that go on ask for it. */
const LARGEST: Readonly<Record<string, number>> = { LS: 200, Glob: 200, Grep: 200, Read: 2000 };

type Params = Readonly<Record<string, unknown>>;

export const fstools: Kit = {
  first: () => ({
    list: (path) => ["LS", { path }],
    find: (pattern, path) => ["Glob", { pattern, path }],
    search: (pattern, path) => ["Grep", { pattern, path }],
    read: (path, limit) => ["Read", { path, limit }],
    edit: (path, { before, after, all }) => ["Edit", { path, old_string: before, new_string: after, replace_all: all }],
  }),

  drive: (session) => {
    const { call, doubt } = session;
    /** All pages of a list; asks again for what was left out where that may hold the answer. */
    const pages = async (
      tool: string,
      params: Params,
      reach: Reach,
      leftOutCounts: (items: readonly string[]) => boolean,
    ): Promise<string[]> => {
      const items: string[] = [];
      let asked = { ...params, ...reachParams(tool, reach) };
      let asksAgain = leftOutCounts;
      await follow(session, [tool, asked], (answer) => {
        const { head, body } = parts(expectStart(answer, /^(?:Listed|Found|No )/u));
        if (body !== "") items.push(body);
        const leftOut = LEFT_OUT.exec(head)?.[0];
        if (leftOut !== undefined && asksAgain(items)) {
          items.length = 0;
          asked = { ...params, ...reachParams(tool, { hidden: true, ignored: true }) };
          asksAgain = () => false;
          return [tool, asked];
        }
        if (leftOut !== undefined) doubt(leftOut);
        const goesOn = continuation(head);
        if (goesOn === undefined && head.includes("[Partial")) doubt(head);
        return goesOn && [tool, { ...asked, limit: LARGEST[tool], ...goesOn }];
      });
      return items;
    };
    const none = (items: readonly string[]) => items.length === 0;
    const grep = async (query: Query, more: Params) => {
      const { path, include } = query;
      return pages("Grep", { pattern: patternOf(query), path, include, ...more }, query, none);
    };
    const read: Driver["read"] = async (path, { from = 1, count = Infinity, encoding } = {}) => {
      const lines: string[] = [];
      const limit = count === Infinity ? undefined : Math.min(count, LARGEST.Read ?? 0);
      const first = { path, start_line: from === 1 ? undefined : from, limit, encoding };
      await follow(session, ["Read", first], (answer) => {
        const { head, body } = parts(expectStart(answer, /^(?:Read \d|File '.*' is empty)/u));
        if (head.includes("[Warning")) doubt(head);
        for (const line of body.split("\n").slice(0, -1)) {
          const [, number, text = ""] = /^(\d+)\t(.*)$/su.exec(line) ?? [];
          const index = Number(number) - from;
          lines[index] = (lines[index] ?? "") + text;
        }
        const goesOn = continuation(head);
        const left = from + count - (goesOn?.start_line ?? Infinity);
        return left > 0 ? ["Read", { ...first, ...goesOn, limit: Math.min(left, LARGEST.Read ?? 0) }] : undefined;
      });
      return lines;
    };

    return {
      list: async (path, reach = {}) =>
        (await pages("LS", { path }, reach, () => reach.hidden !== true)).flatMap((page) =>
          page.split("\n").map((name) => name.replace(/@$/u, "")),
        ),
      count: async (path) => Number(/Total: (\d+) items/u.exec(await call("LS", { path, limit: 1 }))?.[1]),
      find: async (pattern, reach = {}) => (await pages("Glob", { pattern }, reach, none)).flatMap(ungrouped),
      search: async (query) => wanted(query, (await grep(query, {})).flatMap(matchesOf)),
      filesWith: async (query) =>
        (await grep(query, { case_sensitive: true, output_mode: "files" })).flatMap(ungrouped),
      countLines: async (query) =>
        (await grep(query, { case_sensitive: true, output_mode: "count" }))
          .flatMap(ungrouped)
          .reduce((sum, line) => sum + Number(/: (\d+)$/u.exec(line)?.[1]), 0),
      read,
      tail: async (path, count) => {
        const last = Number(asked(await call("Read", { path, start_line: 1_000_000_000 }), /Valid range: 1 to (\d+)/u));
        return read(path, { from: Math.max(1, last - count + 1), count });
      },
      lineEnd: async (path, line) => {
        const place = { path, start_line: line, limit: 1 };
        const length = asked(await call("Read", { ...place, start_column: 1_000_000_000 }), /line length \((\d+) /u);
        return parts(await call("Read", { ...place, start_column: Math.max(1, Number(length) - 100) })).body;
      },
      edit: async (path, changes, encoding) => {
        const edits = changes.map(({ before, after, all }) => ({
          old_string: before,
          new_string: after,
          replace_all: all,
        }));
        const answer = await call("Edit", { path, ...(edits.length === 1 ? edits[0] : { edits }), encoding });
        expectStart(answer, /^Edited/u);
      },
      write: async (path, content) => {
        expectStart(await call("Write", { path, content }), /^(?:Created|Updated)/u);
      },
      largest: () => cannot("the size of a file"),
      newest: async (pattern) => {
        const include = pattern.replace(/^\*\*\//u, "");
        const answer = await call("Grep", { pattern: ".", include, output_mode: "files", sort: "modified", limit: 1 });
        return ungrouped(parts(expectStart(answer, /^Found/u)).body)[0] ?? "";
      },
    };
  },
};

function reachParams(tool: string, { hidden = false, ignored = false }: Reach): Params {
  if (tool === "LS") return hidden || ignored ? { include_hidden: true } : {};
  return { ...(hidden ? { include_hidden: true } : {}), ...(ignored ? { include_ignored: true } : {}) };
}

/** What an answer to a question beyond the end says about where the end is. */
function asked(answer: string, figure: RegExp): string {
  const [, found] = figure.exec(answer) ?? [];
  if (found === undefined) throw new Refused(answer);
  return found;
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
