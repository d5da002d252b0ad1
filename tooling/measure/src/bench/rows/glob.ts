import { createGlobTool } from "@fstools/glob";
import { compareWalkOrder, GLOB_IGNORED_NAMES } from "@fstools/sandbox";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findCommand, linesOf, output } from "../command.ts";
import { flatDirectory, sourceTree } from "../fixtures.ts";
import { contender, nothing, type Contender, type Row } from "../row.ts";
import { unwrap } from "../unwrap.ts";

/** Every rival skips what we skip: these directories, and names that begin with a dot. */
const ignoredNames = [...GLOB_IGNORED_NAMES];
const ignore = ignoredNames.map((name) => `**/${name}/**`);

const TINYGLOBBY = "tinyglobby";
const SORTED_RG = "rg --files --sort path";
const BARE_WALK = "a bare readdirSync walk";

/** The breakers are for agents; here the whole tree is wanted. */
const NO_BREAKERS = { maxVisitedEntries: 10_000_000, maxDurationMs: 600_000 };

interface GlobWork {
  readonly root: () => string;
  readonly pattern: string;
  readonly limit: number;
  /** For a rival that only walks: the end of the names that the pattern matches. */
  readonly suffix?: string;
}

async function globContenders(work: GlobWork): Promise<Contender[]> {
  const { root: makeRoot, pattern, limit, suffix } = work;
  // Loaded here, so that the processes of other rows start sooner.
  const [tinyglobby, { default: fastGlob }, { glob }, { globby }] = await Promise.all([
    import("tinyglobby"),
    import("fast-glob"),
    import("glob"),
    import("globby"),
  ]);
  const root = makeRoot();
  const tool = createGlobTool({ projectRoot: root, ...NO_BREAKERS });
  const firstPage = (paths: readonly string[]) => paths.toSorted(compareWalkOrder).slice(0, limit);
  const library = (name: string, run: () => Promise<string[]>) =>
    contender({ name, prepare: nothing, run, answer: firstPage });
  return [
    contender({
      name: "@fstools/glob",
      prepare: nothing,
      run: () => tool.run({ pattern, limit }),
      answer: (response) => unwrap(response).paths,
    }),
    library(TINYGLOBBY, () =>
      tinyglobby.glob(pattern, { cwd: root, ignore, followSymbolicLinks: false, expandDirectories: false }),
    ),
    library("fast-glob", () => fastGlob(pattern, { cwd: root, ignore, followSymbolicLinks: false })),
    library("glob", () => glob(pattern, { cwd: root, ignore, nodir: true, posix: true })),
    library("globby", () =>
      globby(pattern, { cwd: root, ignore, followSymbolicLinks: false, expandDirectories: false }),
    ),
    ...(suffix === undefined ? [] : [library(BARE_WALK, () => Promise.resolve(bareWalk(root, suffix)))]),
    ...commandContenders(root, pattern, firstPage),
  ];
}

/** The least that can be done: every directory listed, nothing verified, nothing matched but the end of a name. */
function bareWalk(root: string, suffix: string): string[] {
  const found: string[] = [];
  const walk = (directory: string, relative: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const { name } = entry;
      if (name.startsWith(".") || GLOB_IGNORED_NAMES.has(name)) continue;
      if (entry.isDirectory()) walk(`${directory}/${name}`, `${relative}${name}/`);
      else if (name.endsWith(suffix)) found.push(relative + name);
    }
  };
  walk(root, "");
  return found;
}

function commandContenders(
  root: string,
  pattern: string,
  firstPage: (paths: readonly string[]) => string[],
): Contender[] {
  const command = (name: string, program: string, args: readonly string[]) =>
    contender({
      name,
      prepare: nothing,
      run: () => output(program, args, root),
      answer: (printed) => firstPage(linesOf(printed)),
      inProcess: false,
    });
  const rg = findCommand("rg");
  const fd = findCommand("fd", "fdfind");
  const rgGlobs = [`/${pattern}`, ...ignoredNames.map((name) => `!${name}`)].flatMap((glob) => ["--glob", glob]);
  const fdExcludes = ignoredNames.flatMap((name) => ["--exclude", name]);
  const fdArgs = ["--no-ignore", "--type", "f", "--strip-cwd-prefix", ...fdExcludes, "--full-path", "--glob"];
  return [
    ...(rg === undefined
      ? []
      : [
          command(SORTED_RG, rg, ["--no-config", "--files", "--sort", "path", "--no-ignore", ...rgGlobs]),
          command("rg --files (unsorted)", rg, ["--no-config", "--files", "--no-ignore", ...rgGlobs]),
        ]),
    ...(fd === undefined ? [] : [command("fd --glob", fd, [...fdArgs, `${root}/${pattern}`])]),
  ];
}

const WITHOUT_IGNORE_FILES = "@fstools/glob without ignore files";

/** The same search with and without ignore files; the tree has one of everyday length. */
function ignoreFileContenders(): Contender[] {
  const root = sourceTree();
  // It stays there: no other row reads it.
  writeFileSync(join(root, ".gitignore"), EVERYDAY_RULES.join("\n"));
  const search = (name: string, gitignore: boolean) => {
    const tool = createGlobTool({ projectRoot: root, gitignore, ...NO_BREAKERS });
    return contender({
      name,
      prepare: nothing,
      run: () => tool.run({ pattern: "**/*.special", limit: 50 }),
      answer: (response) => unwrap(response).paths,
    });
  };
  return [search("@fstools/glob", true), search(WITHOUT_IGNORE_FILES, false)];
}

const EVERYDAY_RULES = [
  ...["node_modules/", "dist/", "build/", "coverage/", "out/", "target/", "__pycache__/", ".cache/", ".turbo/"],
  ...["*.log", "*.tsbuildinfo", "*.swp", "*~", "*.py[cod]", "npm-debug.log*", "yarn-error.log*", ".DS_Store"],
  ...[".env", ".env.*.local", "/tmp", "docs/_build/", "/generated/**/*.js", ".vscode/*", "!.vscode/settings.json"],
];

const LONGEST_TICK = { tickAtMostMs: 50 };

export const globRows: readonly Row[] = [
  {
    id: "glob-first-page",
    work: "Glob, first page (`**/*.ts`, limit 50), 20k files",
    mode: "quick",
    targets: [
      { rival: TINYGLOBBY, fasterAtLeast: 50 },
      { rival: SORTED_RG, fasterAtLeast: 8 },
    ],
    contenders: () => globContenders({ root: sourceTree, pattern: "**/*.ts", limit: 50 }),
  },
  {
    id: "glob-late-match",
    work: "Glob, one late match in 20k files",
    mode: "quick",
    targets: [
      { rival: TINYGLOBBY, fasterAtLeast: 1.7 },
      { rival: BARE_WALK, timesAtMost: 1.2 },
      { rival: SORTED_RG, timesAtMost: 1 },
    ],
    contenders: () => globContenders({ root: sourceTree, pattern: "**/*.special", limit: 50, suffix: ".special" }),
  },
  {
    id: "glob-narrow",
    work: "Glob, `packages/*/src/index.ts`, 20k files",
    mode: "quick",
    targets: [{ rival: TINYGLOBBY, fasterAtLeast: 4 }],
    contenders: () => globContenders({ root: sourceTree, pattern: "packages/*/src/index.ts", limit: 200 }),
  },
  {
    id: "glob-gitignore",
    work: "Glob, one late match in 20k files, with ignore files",
    mode: "quick",
    targets: [{ rival: WITHOUT_IGNORE_FILES, timesAtMost: 1.5 }],
    contenders: ignoreFileContenders,
  },
  {
    id: "glob-flat",
    work: "Glob, `**/*777.ts`, 100k files in one directory",
    mode: "quick",
    targets: [{ rival: TINYGLOBBY, fasterAtLeast: 1.5 }, LONGEST_TICK],
    contenders: () => globContenders({ root: () => flatDirectory(100_000), pattern: "**/*777.ts", limit: 200 }),
  },
];
