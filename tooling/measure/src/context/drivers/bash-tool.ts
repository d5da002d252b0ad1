import {
  changed,
  escaped,
  expectStart,
  linesOf,
  patternOf,
  Refused,
  relativeTo,
  wanted,
  type Call,
  type Change,
  type Driver,
  type Kit,
  type Match,
  type Query,
} from "./driver.ts";

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

const CUT = /\n\n\[stdout truncated: (?<removed>\d+) characters removed\]$/u;

/** A shell: what a model that knows shells would type. */
export const bashTool: Kit = {
  first: () => ({
    list: (path) => bash(`ls -F ${quoted(path)}`),
    find: (pattern, path) => bash(findCommand(pattern, path, {})),
    search: (word, path) => bash(`grep -rn ${quoted(word)} ${quoted(path)}`),
    read: (path, lines) => (lines === undefined ? ["readFile", { path }] : bash(`head -n ${lines} ${quoted(path)}`)),
    edit: (path, change) => bash(sed(path, change)),
  }),

  drive: ({ call, doubt }) => {
    const run = async (command: string): Promise<Output> => {
      return JSON.parse(expectStart(await call(...bash(command)), /^\{/u)) as Output;
    };
    const checked = async (command: string): Promise<string> => {
      const { stdout, stderr } = await run(command);
      if (stderr !== "") throw new Refused(stderr);
      return stdout;
    };
    /** All lines that a command prints, in as many calls as it takes. */
    const lines = async (command: string): Promise<string[]> => {
      const found: string[] = [];
      for (;;) {
        const from = found.length + 1;
        const stdout = await checked(from === 1 ? command : `${command} | tail -n +${from}`);
        if (!CUT.test(stdout)) return [...found, ...linesOf(stdout)];
        const whole = stdout.replace(CUT, "").split("\n").slice(0, -1);
        if (whole.length === 0) {
          doubt(CUT.exec(stdout)?.[0].trim() ?? "");
          return found;
        }
        found.push(...whole);
      }
    };
    const grep = ({ path = ".", include, ...query }: Query, flags: string) =>
      `grep -r${flags} ${include === undefined ? "" : `--include=${quoted(include)} `}-E ${quoted(patternOf(query))} ${quoted(path)}`;
    const search: Driver["search"] = async (query) => {
      const { stdout } = await run(grep(query, "n"));
      const isOneLongLine = CUT.test(stdout) && stdout.replace(CUT, "").split("\n").length === 1;
      // A line too long to be shown: what stands around the word is enough.
      const around = { ...query, regex: new RegExp(`.{0,60}${patternOf(query)}.{0,60}`, "u") };
      const found = isOneLongLine
        ? await lines(grep(around, "no"))
        : CUT.test(stdout)
          ? await lines(grep(query, "n"))
          : linesOf(stdout);
      return wanted(
        query,
        found.flatMap((line) => matchOf(line, query.path)),
      );
    };
    const readWhole = async (path: string): Promise<string> => {
      const answer = expectStart(await call("readFile", { path }), /^\{/u);
      return (JSON.parse(answer) as { content: string }).content;
    };
    const write: Driver["write"] = async (path, content) => {
      expectStart(await call("writeFile", { path, content }), /"success":true/u);
    };

    return {
      list: async (path, { hidden = false } = {}) => lines(`ls -F${hidden ? "A" : ""} ${quoted(path)}`),
      count: async (path) => Number((await checked(`ls ${quoted(path)} | wc -l`)).trim()),
      find: async (pattern, reach = {}) =>
        (await lines(findCommand(pattern, ".", reach))).map((path) => relativeTo("", path)),
      search,
      filesWith: async (query) => (await lines(grep(query, "l"))).map((path) => relativeTo("", path)),
      countLines: async (query) => Number((await checked(`${grep(query, "h")} | wc -l`)).trim()),
      read: async (path, { from = 1, count = Infinity } = {}) => {
        if (from === 1 && count === Infinity) return linesOf(await readWhole(path));
        return lines(`sed -n '${from},${count === Infinity ? "$" : from + count - 1}p' ${quoted(path)}`);
      },
      sum: async (path) => Number((await checked(`awk '{ s += $NF } END { print s }' ${quoted(path)}`)).trim()),
      tail: async (path, count) => lines(`tail -n ${count} ${quoted(path)}`),
      lineEnd: async (path, line) => checked(`sed -n '${line}p' ${quoted(path)} | tail -c 100`),
      edit: async (path, changes) => {
        const isOneLine = changes.every(({ before, after }) => !`${before}${after}`.includes("\n"));
        if (!isOneLine) {
          const content = await readWhole(path);
          await write(path, changed(content, content.includes("\r\n") ? changes.map(windows) : changes));
          return;
        }
        // sed changes every line that matches, so that each has to be the only one.
        const tests = changes.flatMap(({ before, all }) =>
          all === true ? [] : [`[ $(grep -cF ${quoted(before)} ${quoted(path)}) = 1 ]`],
        );
        const command = [...tests, ...changes.map((change) => sed(path, change))].join(" && ");
        const { stderr, exitCode } = await run(command);
        if (stderr !== "" || exitCode !== 0) throw new Refused(`${stderr} exit code ${exitCode}`);
      },
      write,
      largest: async (path) => (await lines(`ls -S ${quoted(path)}`))[0] ?? "",
      newest: async (pattern) => {
        // Its `ls -t` does not sort files that are named one by one.
        const [last = ""] = await lines(`${findCommand(pattern, ".", {})} -printf '%T@ %p\\n' | sort -rn | head -n 1`);
        return relativeTo("", last.slice(last.indexOf(" ") + 1));
      },
    };
  },
};

function bash(command: string): Call {
  return ["bash", { command }];
}

function quoted(text: string): string {
  return /^[\w./*-]+$/u.test(text) && !text.includes("*") ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `**` crosses directories and braces are alternatives, which `find` says in its own way. */
function findCommand(pattern: string, path: string, { ignored = false }: { readonly ignored?: boolean }): string {
  const alternatives = /^(.*)\{(.*)\}(.*)$/u.exec(pattern);
  const patterns =
    alternatives === null
      ? [pattern]
      : (alternatives[2] ?? "").split(",").map((part) => `${alternatives[1] ?? ""}${part}${alternatives[3] ?? ""}`);
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
  return `sed -i -E ${quoted(`s/${from}/${to}/${all ? "g" : ""}`)} ${quoted(path)}`;
}

function windows({ before, after, ...rest }: Change): Change {
  return { before: before.replaceAll("\n", "\r\n"), after: after.replaceAll("\n", "\r\n"), ...rest };
}

function matchOf(line: string, path: string | undefined): Match[] {
  const [, file = "", number, text = ""] = /^(.+?):(\d+):(.*)$/u.exec(line) ?? [];
  if (number !== undefined) return [{ file: relativeTo("", file), line: Number(number), text }];
  const [, alone, rest = ""] = /^(\d+):(.*)$/u.exec(line) ?? [];
  return alone === undefined || path === undefined ? [] : [{ file: path, line: Number(alone), text: rest }];
}
