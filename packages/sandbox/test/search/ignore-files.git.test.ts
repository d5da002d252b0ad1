import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fixture } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox.ts";
import { createSearchedTest } from "../../src/search/search-rules.ts";
import { walkFiles } from "../../src/search/walk.ts";
import { positionOf } from "../walked.ts";

const SCOPE = { includeHidden: true, includeIgnored: false };
const CASES = 200;

/** One random project: its files, and the lines of its ignore files by directory. */
interface Case {
  readonly files: readonly string[];
  readonly rules: readonly { readonly directory: string; readonly lines: readonly string[] }[];
}

const name = fc.constantFrom(
  ...["a", "b", "ab", "abc", "a.b", "b.log", "log", "A", "c", "1b", "é", "a*", "[", "#b", "!a", " x", "a ", "-"],
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const segment = fc.oneof(
  { weight: 3, arbitrary: name },
  fc.constantFrom(
    ...["*", "?", "a*", "*b", "*.log", "*.*", "?b", "a?c", "**", "***", "*a*b*", "[ab]", "[!a]*", "[^b]", "[a-c]"],
    ...["[[:alpha:]]", "[[:digit:]]b", "[[:upper:][:digit:]]*", "[[:nonsense:]]", "[:alpha:]", "[]a]", "[a-]", "[--0]"],
    ...["[!]a]", String.raw`\a`, String.raw`a\*`, String.raw`[\]a]`, String.raw`[\a-c]`, "[", "a[", "[a", "[!", "[x/]"],
    ...["??", "[a]b", String.raw`a\ `, String.raw`\#b`, String.raw`\!a`, String.raw`x\\`, "\\"],
  ),
);
const line = fc.oneof(
  { weight: 12, arbitrary: patternLine() },
  fc.constantFrom(
    "",
    "# a comment",
    "#b",
    "  ",
    "!",
    "/",
    String.raw`\/a`,
    "!/",
    "//",
    "**/",
    "/**",
    "!**/a",
    "a/**/b",
    "*/",
    "!*/",
    "*",
  ),
);
const rules = fc.record({ directory: path, lines: fc.array(line, { minLength: 2, maxLength: 7 }) });
const cases: fc.Arbitrary<Case> = fc.record({
  files: fc.uniqueArray(path, { minLength: 3, maxLength: 9 }),
  rules: fc.array(rules, { minLength: 1, maxLength: 3 }),
});

function patternLine(): fc.Arbitrary<string> {
  const slash = fc.constantFrom("/", "/", "/", String.raw`\/`);
  const below = fc.array(fc.tuple(slash, segment), { minLength: 1, maxLength: 2 });
  return fc
    .tuple(
      fc.constantFrom("", "", "", "!", "!", "/", "!/"),
      segment,
      fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: below }),
      fc.constantFrom("", "", "", "/", " ", "/  ", "\r", "//", "\0x", " \0"),
    )
    .map((parts) => parts.flat(2).join(""));
}

function git(root: string, args: readonly string[], input = ""): string {
  const { stdout, stderr, status } = spawnSync("git", ["-c", "core.excludesFile=/dev/null", "-C", root, ...args], {
    input,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
    maxBuffer: 2 ** 28,
    encoding: "utf8",
  });
  // 1: none of the paths is ignored.
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return stdout;
}

/** Those of the paths that git does not ignore. */
function keptByGit(root: string, paths: readonly string[]): string[] {
  const answer = git(root, ["check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"], paths.join("\0"));
  // Source, line, pattern and path of each; no source, or a negated pattern, is a path that is kept.
  const fields = answer.split("\0");
  return paths.filter((_, index) => {
    const [source = "", , pattern = ""] = fields.slice(4 * index);
    return source === "" || pattern.startsWith("!");
  });
}

/** Writes a file, unless a file is where a directory is needed, or the other way round. */
function write(root: string, path: string, content: string): boolean {
  try {
    mkdirSync(dirname(`${root}/${path}`), { recursive: true });
    writeFileSync(`${root}/${path}`, content);
    return true;
  } catch {
    return false;
  }
}

/** Makes a case in its own directory of a repository; returns its files. */
function build(root: string, directory: string, { files, rules }: Case): string[] {
  mkdirSync(`${root}/${directory}`, { recursive: true });
  const written = files.map((file) => posix.join(directory, file)).filter((file) => write(root, file, ""));
  for (const [index, { directory: place, lines }] of rules.entries()) {
    // The first one is always at the top of the case.
    const file = posix.join(directory, index === 0 ? "." : dirname(place), ".gitignore");
    if (write(root, file, lines.join("\n")) && !written.includes(file)) written.push(file);
  }
  return written;
}

async function keptByWalk(root: string): Promise<string[]> {
  const sandbox = createSandbox({ projectRoot: root, gitignore: true });
  const paths: string[] = [];
  await walkFiles(sandbox, sandbox.root, {
    ...SCOPE,
    position: positionOf("**"),
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
    take: ({ path }) => paths.push(path) > 0,
  });
  return paths;
}

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.runIf(hasGit)("ignore files, against git check-ignore --no-index", { timeout: 120_000 }, () => {
  // Rule: Ignore files mean what git says they mean.
  it(`keep the same files in ${String(CASES)} random projects`, async () => {
    const seed = Number(process.env.FSTOOLS_SEED ?? Date.now() % 1_000_000);
    const { root } = fixture();
    git(root, ["init", "-q"]);
    const samples = fc.sample(cases, { numRuns: CASES, seed });
    const files = samples.flatMap((sample, index) => build(root, `case-${String(index)}`, sample));
    const kept = keptByGit(root, files);
    const walked = new Set(await keptByWalk(root));
    const sandbox = createSandbox({ projectRoot: root, gitignore: true });
    const isSearched = createSearchedTest(sandbox, sandbox.root, SCOPE);
    const keptSet = new Set(kept);
    for (const file of files) {
      const [expected, byWalk, byTest] = [keptSet.has(file), walked.has(file), isSearched(file)];
      if (expected === byWalk && expected === byTest) continue;
      const index = Number(/^case-(?<index>\d+)/u.exec(file)?.groups?.index);
      expect.fail(
        `seed ${String(seed)}: ${JSON.stringify(file)} is ${expected ? "kept" : "ignored"} by git, ` +
          `${byWalk ? "kept" : "ignored"} by the walk, ${byTest ? "kept" : "ignored"} by the test: ` +
          JSON.stringify(samples[index]),
      );
    }
    // Neither side of the comparison is trivial.
    expect(kept.length).toBeGreaterThan(files.length / 10);
    expect(kept.length).toBeLessThan(files.length * 0.95);
  });

  it("keep the same files with .git/info/exclude", async () => {
    const seed = Number(process.env.FSTOOLS_SEED ?? Date.now() % 1_000_000);
    for (const [index, sample] of fc
      .sample(fc.tuple(cases, fc.array(line, { maxLength: 4 })), { numRuns: 10, seed })
      .entries()) {
      const { root, cleanup } = fixture();
      git(root, ["init", "-q"]);
      const [project, lines] = sample;
      const files = build(root, ".", project);
      mkdirSync(`${root}/.git/info`, { recursive: true });
      writeFileSync(`${root}/.git/info/exclude`, lines.join("\n"));
      const expected = keptByGit(root, files).sort();
      const found = (await keptByWalk(root)).filter((file) => !file.startsWith(".git/")).sort();
      expect({ seed, index, sample, found }).toEqual({ seed, index, sample, found: expected });
      cleanup();
    }
  });
});
