import { mapped, type Dialect, type Part } from "./dialect.ts";
import { changed, escaped, linesOf, matchIn, patternOf, Refused, relativeTo } from "./driver.ts";
import type { Call, Change, Query } from "./driver.ts";

interface Output {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
  readonly content?: string;
}

const ROW = /^(.+?\.\w+)[:-](\d+)[:-](.*)$/u;
const CUT = /\n\n\[stdout truncated: \d+ characters removed\]$/u;

function bash(command: string): Call {
  return ["bash", { command }];
}

function printed(answer: string): string {
  if (!answer.startsWith("{")) throw new Refused(answer);
  const { stdout = "", stderr = "", content } = JSON.parse(answer) as Output;
  if (stderr !== "") throw new Refused(stderr);
  return content ?? stdout;
}

function rows(answer: string, [, { command }]: Call): Part<string> {
  const stdout = printed(answer);
  if (!CUT.test(stdout)) return { items: linesOf(stdout) };
  const items = stdout.replace(CUT, "").split("\n").slice(0, -1);
  if (items.length === 0) return { items, lacks: CUT.exec(stdout)?.[0].trim() };
  const [, whole = "", from = "1"] = /^(.*?)(?: \| tail -n \+(\d+))?$/su.exec(String(command)) ?? [];
  return { items, next: bash(`${whole} | tail -n +${Number(from) + items.length}`) };
}

function grep({ path = ".", include, context, ...query }: Query, flags: string): string {
  const files = include === undefined ? "" : `--include=${quoted(include)} `;
  const around = context === undefined ? "" : `-C${context} `;
  return `grep -r${flags} ${around}${files}-E ${quoted(patternOf(query))} ${quoted(at(path))}`;
}

export const bashTool = (): Dialect => ({
  list: (path, { hidden = false }) => bash(`ls -F${hidden ? "A" : ""} ${quoted(at(path))}`),
  entries: (answer, call) => mapped(rows(answer, call), (name) => ({ name })),
  find: (pattern, path, reach) => bash(findCommand(pattern, path, reach.ignored)),
  paths: (answer, call) => mapped(rows(answer, call), below),
  search: (query) => bash(grep(query, "n")),
  showsContext: true,
  matches: (answer, call, query) => {
    const { items, ...rest } = rows(answer, call);
    const matches = items.flatMap((line) => matchIn(line, below, { row: ROW, only: query.path }));
    if (rest.lacks === undefined || String(call[1].command).includes("-rno")) return { ...rest, items: matches };
    // A line too long to be shown: what stands around the word is enough.
    const around = { ...query, regex: new RegExp(`.{0,60}${patternOf(query)}.{0,60}`, "u") };
    return { items: [], next: bash(grep(around, "no")) };
  },
  read: (path, { from, count }) =>
    from === 1 && count === Infinity
      ? ["readFile", { path: at(path) }]
      : bash(`sed -n '${from},${count === Infinity ? "$" : from + count - 1}p' ${quoted(at(path))}`),
  lines: (answer, { from }) => {
    const { items, next } = rows(answer, bash(""));
    return { items, next: next === undefined ? undefined : from + items.length };
  },
  edit: (path, changes) => bash(changes.map((change) => sed(path, change)).join(" && ")),
  write: (path, content) => ["writeFile", { path: at(path), content }],
  move: (from, to) => bash(`mkdir -p ${quoted(to.slice(0, to.lastIndexOf("/")))} && mv ${quoted(from)} ${quoted(to)}`),
  copy: (from, to) => bash(`cp ${quoted(from)} ${quoted(to)}`),
  remove: (path) => bash(`rm ${quoted(at(path))}`),
  done: /^\{"success":true|"exitCode":0\}$/u,
  others: ({ write }, { call }) => {
    const run = async (command: string) => linesOf(printed(await call(...bash(command))));
    const first = async (command: string) => (await run(command))[0] ?? "";
    const number = async (command: string) => Number((await first(command)).trim());
    return {
      count: async (path) => number(`ls ${quoted(path)} | wc -l`),
      filesWith: async (query) => (await run(grep(query, "l"))).map(below),
      countLines: async (query) => number(`${grep(query, "h")} | wc -l`),
      sum: async (path) => number(`awk '{ s += $NF } END { print s }' ${quoted(path)}`),
      tail: async (path, count) => run(`tail -n ${count} ${quoted(path)}`),
      lineEnd: async (path, line) => first(`sed -n '${line}p' ${quoted(path)} | tail -c 100`),
      edit: async (path, changes) => {
        if (changes.some(({ before, after }) => `${before}${after}`.includes("\n"))) {
          const content = printed(await call("readFile", { path: at(path) }));
          await write(path, changed(content, content.includes("\r\n") ? changes.map(windows) : changes));
          return;
        }
        // sed changes every line that matches, so that each has to be the only one.
        const tests = changes.flatMap(({ before, all }) =>
          all === true ? [] : [`[ $(grep -cF -- ${quoted(before)} ${quoted(at(path))}) = 1 ]`],
        );
        const command = [...tests, ...changes.map((change) => sed(path, change))].join(" && ");
        const answer = await call(...bash(command));
        const { stderr = "", exitCode = 1 } = JSON.parse(answer) as Output;
        if (stderr !== "" || exitCode !== 0) throw new Refused(`${stderr} exit code ${exitCode}`);
      },
      editFiles: async (changes) => {
        await run(changes.map(({ path, ...one }) => sed(path, one)).join(" && "));
      },
      editLines: async (lines, { before, after }) => {
        const files = [...new Set(lines.map(({ file }) => quoted(file)))].join(" ");
        const from = `\\b${escaped(before)}\\b`;
        await run(`sed -i -E ${quoted(`s/${from}/${after}/g`)} ${files}`);
      },
      largest: async (path) => first(`ls -S ${quoted(path)} | head -n 1`),
      newest: async (pattern) => {
        // Its `ls -t` does not sort files that are named one by one.
        const last = await first(`${findCommand(pattern, ".")} -printf '%T@ %p\\n' | sort -rn | head -n 1`);
        return below(last.slice(last.indexOf(" ") + 1));
      },
      // Its `od` prints octal numbers, and its `file` no size.
      pictureSize: async (path) => {
        const bytes = (await first(`head -c 24 ${quoted(path)} | tail -c 8 | od -An`)).trim().split(/\s+/u);
        const number = (from: number) =>
          bytes.slice(from, from + 4).reduce((sum, byte) => sum * 256 + Number.parseInt(byte, 8), 0);
        return `${number(0)}x${number(4)}`;
      },
    };
  },
});

/** The second directory is mounted beside the project's. */
function at(path: string): string {
  return path.startsWith("../") ? path.replace(/^\.\.\/[^/]+/u, "/library") : path;
}

function below(path: string): string {
  return path.startsWith("/library/") ? path.replace("/library", "../acme-lib") : relativeTo("", path);
}

function quoted(text: string): string {
  return /^[\w./-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `**` crosses directories and braces are alternatives, which `find` says in its own way. */
function findCommand(pattern: string, path: string, ignored = false): string {
  const [, start = "", alternatives, end = ""] = /^(.*)\{(.*)\}(.*)$/u.exec(pattern) ?? [];
  const patterns = alternatives?.split(",").map((part) => `${start}${part}${end}`) ?? [pattern];
  const tests = patterns.map((one) =>
    one.startsWith("**/") && !one.slice(3).includes("/")
      ? `-name ${quoted(one.slice(3))}`
      : `-path ${quoted(`${path}/${one.replace(/^\*\*\//u, "*").replaceAll("[", "\\[")}`)}`,
  );
  const kept = ignored ? "" : " -not -path '*/node_modules/*'";
  return `find ${quoted(path)} -type f \\( ${tests.join(" -o ")} \\)${kept}`;
}

function sed(path: string, { before, after, all = false }: Change): string {
  const from = escaped(before).replaceAll("/", "\\/");
  const to = after.replaceAll(/[\\&/]/gu, "\\$&");
  return `sed -i -E ${quoted(`s/${from}/${to}/${all ? "g" : ""}`)} ${quoted(at(path))}`;
}

function windows({ before, after, ...rest }: Change): Change {
  return { before: before.replaceAll("\n", "\r\n"), after: after.replaceAll("\n", "\r\n"), ...rest };
}
