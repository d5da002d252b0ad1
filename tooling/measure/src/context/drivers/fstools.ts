import type { Params } from "../../rivals/host.ts";
import { mapped, type Dialect, type Part } from "./dialect.ts";
import { expectStart, found, patternOf, relativeTo, replacement } from "./driver.ts";
import type { Call, FileChange, Match, Reach } from "./driver.ts";

const GOES_ON = /Use (?<params>(?:\w+=\d+ ?)+)to (?:continue|view)/u;
const LEFT_OUT = /^\(Not (?:shown|searched): .*\)$/mu;
const LIST = /^(?:\d+ (?:entr|file|match)|Listed |No |\[|\(|Note: )/u;
const BARE = /^\d+ lines?$/mu;

/** The largest page: a first call leaves it to the tool, those that go on ask for it. */
const LARGEST = { LS: 200, Glob: 200, Grep: 200, Read: 2000 };

/** With two roots, each path begins with the name of its root. */
export const fstools = (root: string, isOneRoot: boolean): Dialect => {
  const name = root.slice(root.lastIndexOf("/") + 1);
  const at = (path: string) => (isOneRoot ? path : path.startsWith("../") ? path.slice(3) : `${name}/${path}`);
  const from = (path: string) =>
    isOneRoot ? path : path.startsWith(`${name}/`) ? path.slice(name.length + 1) : `../${path}`;
  const page = <Item>(answer: string, call: Call, itemsOf: (body: string) => readonly Item[]): Part<Item> => {
    const { head, body } = parts(expectStart(answer, LIST));
    const [tool, params] = call;
    const leftOut = LEFT_OUT.exec(head)?.[0];
    const items = body === "" ? [] : itemsOf(body);
    if (leftOut !== undefined && (items.length === 0 || tool === "LS") && params.include_hidden !== true) {
      const next: Call = [tool, { ...params, ...reachParams(tool, { hidden: true, ignored: true }) }];
      return { items, next, isRepeated: true };
    }
    const next = continuation(head);
    const lacks = leftOut ?? (next === undefined && head.includes("[Partial") ? head : undefined);
    const limit = tool === "Grep" ? LARGEST.Grep : LARGEST.LS;
    return { items, lacks, next: next && [tool, { ...params, limit, ...next }] };
  };
  return {
    list: (path, reach) => ["LS", { path: at(path), ...reachParams("LS", reach) }],
    entries: (answer, call) =>
      mapped(
        page(answer, call, (body) => body.split("\n")),
        (line) => ({ name: line.replace(/@$/u, "") }),
      ),
    find: (pattern, path, reach) => [
      "Glob",
      { pattern, path: path === "." && isOneRoot ? undefined : at(path), ...reachParams("Glob", reach) },
    ],
    paths: (answer, call) => mapped(page(answer, call, ungrouped), from),
    search: ({ path, include, context, ...query }) => [
      "Grep",
      { pattern: patternOf(query), path: path && at(path), include, context, ...reachParams("Grep", query) },
    ],
    showsContext: true,
    matches: (answer, call) => mapped(page(answer, call, matchesOf), (match) => ({ ...match, file: from(match.file) })),
    read: (path, { from: line, count, goesOn, encoding }) => {
      const limit = count === Infinity && !goesOn ? undefined : Math.min(count, LARGEST.Read);
      return ["Read", { path: at(path), start_line: line === 1 ? undefined : line, limit, encoding }];
    },
    lines: (answer) => {
      const isNumbered = /^\d+\t/u.test(answer);
      if (!isNumbered) expectStart(answer, /^(?:\d+ lines?\n|\[|Note: |Read 0 lines )/u);
      const { head, body } = isNumbered ? { head: "", body: answer } : parts(answer);
      const rows = body.split("\n").slice(0, -1);
      const areBare = BARE.test(head) || rows.some((row) => !/^\d+\t/u.test(row));
      const items = areBare ? rows : rows.map((row) => row.slice(row.indexOf("\t") + 1));
      return { items, next: continuation(head)?.start_line, lacks: head.includes("[Warning") ? head : undefined };
    },
    countLines: [(path) => ["Read", { path, start_line: 1_000_000_000 }], /Valid range: 1 to (\d+)/u],
    edit: (path, changes, encoding) => {
      const edits = changes.map(replacement);
      return ["Edit", { path: at(path), ...(edits.length === 1 ? edits[0] : { edits }), encoding }];
    },
    editsSeveral: true,
    write: (path, content) => ["Write", { path: at(path), content }],
    move: (from, to) => ["Move", { from, to }],
    copy: (from, to) => ["Move", { from, to, copy: true }],
    remove: (path) => ["Delete", { path }],
    done: /^(?:Edited|Created|Updated|Moved|Copied|Deleted|Patched) /u,
    others: ({ read }, { call }) => {
      const grep = async (params: Params, goesOn = true) => {
        const rows: string[] = [];
        for (let next: Params | undefined = params; next !== undefined;) {
          const { head, body } = parts(expectStart(await call("Grep", next), LIST));
          rows.push(...ungrouped(body));
          const place = goesOn ? continuation(head) : undefined;
          next = place && { ...params, limit: LARGEST.Grep, ...place };
        }
        return rows;
      };
      return {
        count: async (path) => Number(found(await call("LS", { path, limit: 1 }), / of (\d+)\. /u)),
        filesWith: async ({ path, include, ...query }) => {
          const params: Params = { pattern: patternOf(query), path, include, output_mode: "files" };
          const files = await grep({ ...params, ...reachParams("Grep", query) });
          return files.length > 0 ? files : grep({ ...params, include_hidden: true, include_ignored: true });
        },
        countLines: async ({ path, ...query }) => {
          const rows = await grep({ pattern: patternOf(query), path, case_sensitive: true, output_mode: "count" });
          return rows.reduce((sum, row) => sum + Number(/: (\d+)$/u.exec(row)?.[1]), 0);
        },
        lineEnd: async (path, line) => {
          const place = { path, start_line: line, limit: 1 };
          const beyond = await call("Read", { ...place, start_column: 1_000_000_000 });
          const length = Number(found(beyond, /line length \((\d+) /u));
          return parts(await call("Read", { ...place, start_column: Math.max(1, length - 100) })).body;
        },
        editFiles: async (changes) => {
          expectStart(await call("Patch", { patch: patchOf(changes) }), /^Patched /u);
        },
        largest: async (path) => found(await call("LS", { path, sort: "size", limit: 1 }), /\n\n(\S+) {2}/u),
        pictureSize: async (path) => found(await call("Read", { path }), /^Read image .* \(\w+, (\d+x\d+), /u),
        page: async (path, page) => {
          const rows = await read(path);
          const from = rows.findIndex((row) => row.startsWith(`--- Page ${page} of `));
          const to = rows.findIndex((row, index) => index > from && /^--- Page \d+ of /u.test(row));
          return rows.slice(from + 1, to).join("\n");
        },
        newest: async (pattern) => {
          const include = pattern.replace(/^\*\*\//u, "");
          const [file = ""] = await grep(
            { pattern: ".", include, output_mode: "files", sort: "modified", limit: 1 },
            false,
          );
          return relativeTo(root, file);
        },
      };
    },
  };
};

function patchOf(changes: readonly FileChange[]): string {
  const sections = changes.map(({ path, before, after }) => [`*** Update File: ${path}`, `-${before}`, `+${after}`]);
  return ["*** Begin Patch", ...sections.flat(), "*** End Patch"].join("\n");
}

function reachParams(tool: string, { hidden, ignored }: Reach): Params {
  const [include_hidden, include_ignored] = [hidden === true || undefined, ignored === true || undefined];
  return tool === "LS" ? { include_hidden: include_hidden ?? include_ignored } : { include_hidden, include_ignored };
}

function parts(answer: string): { readonly head: string; readonly body: string } {
  const blank = answer.indexOf("\n\n");
  return blank === -1 ? { head: answer, body: "" } : { head: answer.slice(0, blank), body: answer.slice(blank + 2) };
}

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
    return lines.flatMap((line) => {
      const [, number, text = ""] = /^(\d+)[:-](.*)$/su.exec(line) ?? [];
      return number === undefined ? [] : [{ file, line: Number(number), text }];
    });
  });
}
