import { createGlobTool } from "@fstools/glob";
import { compareWalkOrder, GLOB_IGNORED_NAMES } from "@fstools/sandbox";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandContender, linesOf } from "../rivals.ts";
import { flatDirectory, sourceTree } from "../fixtures.ts";
import { faster, plain, row, SHORT_TICKS, unwrap, within, type Contender, type Row } from "../row.ts";

/** Every rival skips what we skip: these directories, and names that begin with a dot. */
const ignoredNames = [...GLOB_IGNORED_NAMES];
const ignore = ignoredNames.map((name) => `**/${name}/**`);

const TINYGLOBBY = "tinyglobby";
const SORTED_RG = "rg --files --sort path";
const BARE_WALK = "a bare readdirSync walk";

/** The breakers are for agents; here the whole tree is wanted. */
const NO_BREAKERS = { maxVisitedEntries: 10_000_000, maxDurationMs: 600_000 };

function ours(root: string, pattern: string, limit: number, gitignore = false, name = "@fstools/glob"): Contender {
  const tool = createGlobTool({ projectRoot: root, gitignore, ...NO_BREAKERS });
  const run = () => tool.run({ pattern, limit });
  return plain(name, run, (response) => unwrap(response).paths);
}

/** `suffix`, for a rival that only walks, is the end of the names that the pattern matches. */
async function contenders(root: string, pattern: string, limit: number, suffix?: string): Promise<Contender[]> {
  // Loaded here, so that the processes of other rows start sooner.
  const [tinyglobby, { default: fastGlob }, { glob }, { globby }] = await Promise.all([
    import("tinyglobby"),
    import("fast-glob"),
    import("glob"),
    import("globby"),
  ]);
  const firstPage = (paths: readonly string[]) => paths.toSorted(compareWalkOrder).slice(0, limit);
  const options = { cwd: root, ignore, followSymbolicLinks: false };
  const whole = { ...options, expandDirectories: false };
  const rgGlobs = [`/${pattern}`, ...ignoredNames.map((name) => `!${name}`)].flatMap((glob) => ["--glob", glob]);
  const command = (name: string, programs: readonly string[], args: readonly string[]) =>
    commandContender(name, programs, args, root, (printed) => firstPage(linesOf(printed)));
  const rg = (name: string, ...more: readonly string[]) =>
    command(name, ["rg"], ["--no-config", "--files", ...more, "--no-ignore", ...rgGlobs]);
  const fdExcludes = ignoredNames.flatMap((name) => ["--exclude", name]);
  const fdArgs = ["--no-ignore", "--type", "f", "--strip-cwd-prefix", ...fdExcludes, "--full-path", "--glob"];
  return [
    ours(root, pattern, limit),
    plain(TINYGLOBBY, () => tinyglobby.glob(pattern, whole), firstPage),
    plain("fast-glob", () => fastGlob(pattern, options), firstPage),
    plain("glob", () => glob(pattern, { cwd: root, ignore, nodir: true, posix: true }), firstPage),
    plain("globby", () => globby(pattern, whole), firstPage),
    ...(suffix === undefined ? [] : [plain(BARE_WALK, async () => Promise.resolve(bareWalk(root, suffix)), firstPage)]),
    ...rg(SORTED_RG, "--sort", "path"),
    ...rg("rg --files (unsorted)"),
    ...command("fd --glob", ["fd", "fdfind"], [...fdArgs, `${root}/${pattern}`]),
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

const WITHOUT_IGNORE_FILES = "@fstools/glob without ignore files";

/** The same search with and without ignore files; the tree has one of everyday length. */
function ignoreFileContenders(): Contender[] {
  const root = sourceTree();
  // It stays there: no other row reads it.
  writeFileSync(join(root, ".gitignore"), EVERYDAY_RULES.replaceAll(" ", "\n"));
  const pattern = "**/*.special";
  return [ours(root, pattern, 50, true), ours(root, pattern, 50, false, WITHOUT_IGNORE_FILES)];
}

const EVERYDAY_RULES =
  "node_modules/ dist/ build/ coverage/ out/ target/ __pycache__/ .cache/ .turbo/ *.log *.tsbuildinfo *.swp *~ *.py[cod] npm-debug.log* yarn-error.log* .DS_Store .env .env.*.local /tmp docs/_build/ /generated/**/*.js .vscode/* !.vscode/settings.json";

const FIRST_PAGE = [faster(TINYGLOBBY, 50), faster(SORTED_RG, 8)];
const LATE_MATCH = [faster(TINYGLOBBY, 1.7), within(BARE_WALK, 1.2), within(SORTED_RG, 1)];
const FLAT = [faster(TINYGLOBBY, 1.5), SHORT_TICKS];
const IGNORING = [within(WITHOUT_IGNORE_FILES, 1.5)];

const inSources = (pattern: string, limit: number, suffix?: string) => () =>
  contenders(sourceTree(), pattern, limit, suffix);
const inFlat = () => contenders(flatDirectory(100_000), "**/*777.ts", 200);
const narrow = "packages/*/src/index.ts";

export const globRows: readonly Row[] = [
  row("glob-first-page", "Glob, first page (`**/*.ts`, limit 50), 20k files", FIRST_PAGE, inSources("**/*.ts", 50)),
  row("glob-late-match", "Glob, one late match in 20k files", LATE_MATCH, inSources("**/*.special", 50, ".special")),
  row("glob-narrow", `Glob, \`${narrow}\`, 20k files`, [faster(TINYGLOBBY, 4)], inSources(narrow, 200)),
  row("glob-gitignore", "Glob, one late match in 20k files, with ignore files", IGNORING, ignoreFileContenders),
  row("glob-flat", "Glob, `**/*777.ts`, 100k files in one directory", FLAT, inFlat),
];
