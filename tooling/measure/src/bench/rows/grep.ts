import { createGrepTool, type GrepData } from "@fstools/grep";
import { compareWalkOrder } from "@fstools/sandbox";
import { rgPath } from "@vscode/ripgrep";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { linesOf, output } from "../command.ts";
import { GIB, installedSources, textFile } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row } from "../row.ts";
import { deepAgentsSearch, geminiTool, piTool, withoutCommands, type RivalTool } from "../rivals.ts";
import { unwrap } from "../unwrap.ts";

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
  /** A directory, or a file. */
  readonly place: () => string;
  readonly pattern: string;
  readonly caseSensitive?: boolean;
  /** Whether the engine in JavaScript is measured. */
  readonly inJavascript?: boolean;
  readonly isFile?: boolean;
  /** Tools of agents that do the same. */
  readonly rivals?: readonly RivalTool[];
}

const LIMIT = 100;

function grepContenders(work: GrepWork): Contender[] {
  const { pattern, caseSensitive = false, inJavascript = false, isFile = false, rivals = [] } = work;
  const place = work.place();
  const root = isFile ? dirname(place) : place;
  const path = isFile ? basename(place) : ".";
  const target = isFile ? `./${path}` : "./";
  const engine = inJavascript ? { ripgrepPath: false as const } : {};
  const tool = createGrepTool({ projectRoot: root, maxDurationMs: 600_000, ...engine });
  const params = { pattern, path, case_sensitive: caseSensitive, limit: LIMIT };
  const rg = (name: string, ...more: readonly string[]) =>
    contender({
      name,
      prepare: nothing,
      run: () =>
        output(
          rgPath,
          ["--no-config", "--no-heading", "-Hn", caseSensitive ? "-s" : "-i", ...more, "-e", pattern, target],
          root,
          RG_CODES,
        ),
      answer: (printed) => firstPage(linesOf(printed).map(placeOf)),
      inProcess: false,
    });
  return [
    contender({
      name: "@fstools/grep",
      prepare: nothing,
      run: () => tool.run(params),
      answer: (response) => placesIn(unwrap(response)),
    }),
    rg(RG),
    rg(SORTED_RG, "--sort", "path"),
    ...(inJavascript ? [naive(root, pattern, caseSensitive)] : []),
    ...rivals.map((tool) => rival(tool, root, pattern, caseSensitive)),
  ];
}

/** A rival's tool as an agent would call it. What it shows is its own: other limits, in no or another order. */
function rival({ name, open }: RivalTool, root: string, pattern: string, caseSensitive: boolean): Contender {
  let opened: ReturnType<RivalTool["open"]> | undefined;
  return contender({
    name,
    prepare: () => (opened ??= open(root)),
    run: (tool) => tool({ pattern, ignoreCase: !caseSensitive, limit: LIMIT }),
    inProcess: false,
  });
}

/** What agents' tools do where they have no ripgrep. */
function naive(root: string, pattern: string, caseSensitive: boolean): Contender {
  return contender({
    name: NAIVE,
    prepare: nothing,
    run: async () => {
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
    },
    answer: firstPage,
  });
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

const LONGEST_TICK = { tickAtMostMs: 50 };
const AGENTS = [PI, GEMINI].map((name) => ({ rival: name, fasterAtLeast: 1 }));
const FULL_SCAN = [{ rival: RG, timesAtMost: 1.3 }, { rival: SORTED_RG, timesAtMost: 1 }, ...AGENTS, LONGEST_TICK];
const IN_JAVASCRIPT = [NAIVE, GEMINI_JAVASCRIPT, DEEPAGENTS].map((name) => ({ rival: name, fasterAtLeast: 2 }));

/** Gemini's search knows no case; it takes pi's parameters and passes over those that it does not know. */
const agents = (): RivalTool[] => [...piTool(PI, "createGrepTool"), ...geminiTool(GEMINI, "grep_search")];

function scriptedAgents(isLiteral: boolean): RivalTool[] {
  const gemini = geminiTool(GEMINI_JAVASCRIPT, "grep_search").map(({ name, open }) => {
    return { name, open: withoutCommands(open) };
  });
  // deepagents looks for fixed text only.
  return [...gemini, ...(isLiteral ? deepAgentsSearch(DEEPAGENTS) : [])];
}

export const grepRows: readonly Row[] = [
  {
    id: "grep-none",
    work: "Grep, no match in 20k source files",
    mode: "quick",
    targets: FULL_SCAN,
    contenders: () =>
      grepContenders({ place: installedSources, pattern: "zq9_is_nowhere", caseSensitive: true, rivals: agents() }),
  },
  {
    id: "grep-rare-literal",
    work: "Grep, rare literal in 20k source files",
    mode: "quick",
    targets: FULL_SCAN,
    contenders: () =>
      grepContenders({
        place: installedSources,
        pattern: "createRequireFromPath",
        caseSensitive: true,
        rivals: agents(),
      }),
  },
  {
    id: "grep-rare-regex",
    work: "Grep, rare regular expression in 20k source files",
    mode: "quick",
    targets: FULL_SCAN,
    contenders: () =>
      grepContenders({
        place: installedSources,
        pattern: String.raw`create[A-Z]\w+FromPath\b`,
        caseSensitive: true,
        rivals: agents(),
      }),
  },
  {
    id: "grep-common",
    work: "Grep, common word, first page of 100, 20k source files",
    mode: "quick",
    targets: [{ rival: SORTED_RG, fasterAtLeast: 3 }, LONGEST_TICK],
    contenders: () => grepContenders({ place: installedSources, pattern: "function", rivals: agents() }),
  },
  {
    id: "grep-ignore-case",
    work: "Grep, literal in any case, 20k source files",
    mode: "quick",
    targets: [{ rival: RG, timesAtMost: 1.3 }, LONGEST_TICK],
    contenders: () => grepContenders({ place: installedSources, pattern: "CREATEREQUIREFROMPATH", rivals: agents() }),
  },
  ...[String.raw`[A-Z]\w+Manager`, "(a+)+$", "(x|y){1,500}z"].map((pattern, index): Row => ({
    id: `grep-hostile-${index + 1}`,
    work: `Grep, the hostile pattern \`${pattern.replaceAll("|", "\\|")}\`, 20k source files`,
    mode: "full",
    targets: [LONGEST_TICK],
    contenders: () => grepContenders({ place: installedSources, pattern, caseSensitive: true }),
  })),
  {
    id: "grep-javascript-literal",
    work: "Grep without ripgrep, literal in 20k source files",
    mode: "full",
    targets: [...IN_JAVASCRIPT, LONGEST_TICK],
    contenders: () =>
      grepContenders({
        place: installedSources,
        pattern: "createRequireFromPath",
        inJavascript: true,
        rivals: scriptedAgents(true),
      }),
  },
  {
    id: "grep-javascript-regex",
    work: "Grep without ripgrep, regular expression with a literal, 20k source files",
    mode: "full",
    targets: [...IN_JAVASCRIPT, LONGEST_TICK],
    contenders: () =>
      grepContenders({
        place: installedSources,
        pattern: String.raw`class\s+\w+SyntaxError`,
        inJavascript: true,
        rivals: scriptedAgents(false),
      }),
  },
  {
    id: "grep-2-GB",
    work: "Grep, no match in one file of 2 GB",
    mode: "full",
    targets: [{ rival: RG, timesAtMost: 1.5 }, LONGEST_TICK],
    contenders: () =>
      grepContenders({ place: () => textFile(2 * GIB), pattern: "zq9_is_nowhere", caseSensitive: true, isFile: true }),
  },
];
