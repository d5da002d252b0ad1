import { createGrepTool, type GrepData } from "@fstools/grep";
import { compareWalkOrder } from "@fstools/sandbox";
import { rgPath } from "@vscode/ripgrep";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { commandContender, linesOf, deepAgentsSearch, openedOnce, rivalTool, withoutCommands } from "../rivals.ts";
import type { RivalTool } from "../rivals.ts";
import { GIB, installedSources, textFile } from "../fixtures.ts";
import { contender, faster, plain, row, SHORT_TICKS, unwrap, within, type Contender, type Row } from "../row.ts";

const RG = "rg (unsorted)";
const SORTED_RG = "rg --sort path";
const PI = "pi, grep";
const GEMINI = "gemini-cli-core, grep_search";
const GEMINI_JAVASCRIPT = "gemini-cli-core, grep_search in JavaScript";
const DEEPAGENTS = "deepagents, grep in JavaScript";
const NAIVE = "glob, readFile and RegExp, line by line";

/** Nothing is found, or nothing is printed: 1 is not a failure. */
const RG_CODES = [0, 1];

interface GrepWork {
  readonly caseSensitive?: boolean;
  readonly inJavascript?: boolean;
  readonly file?: string;
  readonly rivals?: readonly RivalTool[];
}

const LIMIT = 100;

function contenders(pattern: string, work: GrepWork): Contender[] {
  const { caseSensitive = false, inJavascript = false, file, rivals = [] } = work;
  const root = file === undefined ? installedSources() : dirname(file);
  const path = file === undefined ? "." : basename(file);
  const engine = inJavascript ? { ripgrepPath: false as const } : {};
  const tool = createGrepTool({ projectRoot: root, maxDurationMs: 600_000, ...engine });
  const run = () => tool.run({ pattern, path, case_sensitive: caseSensitive, limit: LIMIT });
  const flags = ["--no-config", "--no-heading", "-Hn", caseSensitive ? "-s" : "-i"];
  const target = file === undefined ? "./" : `./${path}`;
  const rg = (name: string, ...more: readonly string[]) => {
    const args = [...flags, ...more, "-e", pattern, target];
    const answer = (printed: Buffer) => firstPage(linesOf(printed).map(placeOf));
    return commandContender(name, [rgPath], args, root, answer, RG_CODES);
  };
  return [
    plain("@fstools/grep", run, (response) => placesIn(unwrap(response))),
    ...rg(RG),
    ...rg(SORTED_RG, "--sort", "path"),
    ...(inJavascript ? [naive(root, pattern, caseSensitive)] : []),
    ...rivals.map((tool) => rival(tool, root, pattern, caseSensitive)),
  ];
}

/** A rival's tool as an agent would call it. What it shows is its own: other limits, in no or another order. */
function rival(tool: RivalTool, root: string, pattern: string, caseSensitive: boolean): Contender {
  return contender({
    name: tool.name,
    prepare: openedOnce(tool, root),
    run: (call) => call({ pattern, ignoreCase: !caseSensitive, limit: LIMIT }),
    inProcess: false,
  });
}

/** What agents' tools do where they have no ripgrep. */
function naive(root: string, pattern: string, caseSensitive: boolean): Contender {
  const search = async () => {
    const { glob } = await import("tinyglobby");
    const regex = new RegExp(pattern, caseSensitive ? "u" : "iu");
    const found: Place[] = [];
    for (const file of await glob("**/*", { cwd: root, followSymbolicLinks: false })) {
      const text = await readFile(join(root, file), "utf8");
      for (const [index, line] of text.split(/\r?\n/u).entries()) {
        if (regex.test(line)) found.push({ file, line: index + 1 });
      }
    }
    return found;
  };
  return plain(NAIVE, search, firstPage);
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Stands before the places, as to find nothing is an answer too. */
const FOUND = "found:";

function placesIn({ matches }: GrepData): string[] {
  return [FOUND, ...matches.map(({ file, line }) => `${file}:${line}`)];
}

function placeOf(printed: string): Place {
  const { file = "", line = "0" } = /^(?:\.\/)?(?<file>.*?):(?<line>\d+):/u.exec(printed)?.groups ?? {};
  return { file, line: Number(line) };
}

function firstPage(places: readonly Place[]): string[] {
  const ordered = places.toSorted((a, b) => (a.file === b.file ? a.line - b.line : compareWalkOrder(a.file, b.file)));
  return [FOUND, ...ordered.slice(0, LIMIT).map(({ file, line }) => `${file}:${line}`)];
}

const FULL_SCAN = [within(RG, 1.3), within(SORTED_RG, 1), faster(PI, 1), faster(GEMINI, 1), SHORT_TICKS];
const IN_JAVASCRIPT = [...[NAIVE, GEMINI_JAVASCRIPT, DEEPAGENTS].map((name) => faster(name, 2)), SHORT_TICKS];
const FOUND_BY_GEMINI = /^(?:Found|No matches)/u;

/** Gemini's search knows no case; it takes pi's parameters and passes over those that it does not know. */
const agents = (): RivalTool[] => [
  ...rivalTool(PI, "pi", "grep", /^(?:No matches|.+:\d+: )/u),
  ...rivalTool(GEMINI, "gemini", "grep_search", FOUND_BY_GEMINI),
];

const scriptedAgents = (isLiteral: boolean): RivalTool[] => [
  ...rivalTool(GEMINI_JAVASCRIPT, "gemini", "grep_search", FOUND_BY_GEMINI).map(withoutCommands),
  ...(isLiteral ? deepAgentsSearch(DEEPAGENTS) : []),
];

const withCase = (pattern: string) => () => contenders(pattern, { caseSensitive: true, rivals: agents() });
const anyCase = (pattern: string) => () => contenders(pattern, { rivals: agents() });

function javascriptRow(kind: string, words: string, pattern: string): Row {
  const work = `Grep without ripgrep, ${words} 20k source files`;
  const search = () => contenders(pattern, { inJavascript: true, rivals: scriptedAgents(kind === "literal") });
  return row(`grep-javascript-${kind}`, work, IN_JAVASCRIPT, search, "full");
}

const RARE_REGEX = String.raw`create[A-Z]\w+FromPath\b`;
const COMMON = [faster(SORTED_RG, 3), SHORT_TICKS];
const ANY_CASE = [within(RG, 1.3), SHORT_TICKS];
const LARGE = [within(RG, 1.5), SHORT_TICKS];
const inLarge = () => contenders("zq9_is_nowhere", { caseSensitive: true, file: textFile(2 * GIB) });

export const grepRows: readonly Row[] = [
  row("grep-none", "Grep, no match in 20k source files", FULL_SCAN, withCase("zq9_is_nowhere")),
  row("grep-rare-literal", "Grep, rare literal in 20k source files", FULL_SCAN, withCase("createRequireFromPath")),
  row("grep-rare-regex", "Grep, rare regular expression in 20k source files", FULL_SCAN, withCase(RARE_REGEX)),
  row("grep-common", "Grep, common word, first page of 100, 20k source files", COMMON, anyCase("function")),
  row("grep-ignore-case", "Grep, literal in any case, 20k source files", ANY_CASE, anyCase("CREATEREQUIREFROMPATH")),
  ...[String.raw`[A-Z]\w+Manager`, "(a+)+$", "(x|y){1,500}z"].map((pattern, index): Row => {
    const work = `Grep, the hostile pattern \`${pattern.replaceAll("|", "\\|")}\`, 20k source files`;
    const search = () => contenders(pattern, { caseSensitive: true });
    return row(`grep-hostile-${index + 1}`, work, [SHORT_TICKS], search, "full");
  }),
  javascriptRow("literal", "literal in", "createRequireFromPath"),
  javascriptRow("regex", "regular expression with a literal,", String.raw`class\s+\w+SyntaxError`),
  row("grep-2-GB", "Grep, no match in one file of 2 GB", LARGE, inLarge, "full"),
];
