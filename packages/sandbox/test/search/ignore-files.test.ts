import { writeFileSync } from "node:fs";
import { fifo, fixture, link, type Tree } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox, type SandboxRules } from "../../src/sandbox.ts";
import { createIgnoreTest, createSearchedTest } from "../../src/search/search-rules.ts";
import { walkFiles } from "../../src/search/walk.ts";
import { positionOf } from "../walked.ts";

const SCOPE = { includeHidden: false, includeIgnored: false };

async function search(
  projectRoot: string,
  { path = ".", pattern = "**", includeHidden = false, includeIgnored = false, ...options }: SearchOptions = {},
) {
  const sandbox = createSandbox({ projectRoot, gitignore: true, ...options });
  const paths: string[] = [];
  const report = await walkFiles(sandbox, await sandbox.resolve(path), {
    includeHidden,
    includeIgnored,
    position: positionOf(pattern),
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
    take: ({ path: found }) => paths.push(found) > 0,
  });
  return { paths, ignored: report.ignored, hidden: report.hidden, visited: report.visited };
}

interface SearchOptions extends SandboxRules {
  readonly path?: string;
  readonly pattern?: string;
  readonly includeHidden?: boolean;
  readonly includeIgnored?: boolean;
}

const PROJECT: Tree = {
  ".gitignore": "*.log\n/generated/\nsecrets.txt\n",
  "a.ts": "",
  "a.log": "",
  generated: { "b.ts": "", deep: { "c.ts": "" } },
  src: {
    ".gitignore": "!keep.log\n*.tmp\n",
    "keep.log": "",
    "other.log": "",
    "x.tmp": "",
    "y.ts": "",
    generated: { "z.ts": "" },
  },
};

describe("ignore files", () => {
  it("leave out what git ignores, and count what the pattern could match", async () => {
    const { root } = fixture(PROJECT);
    expect(await search(root)).toMatchObject({
      paths: ["a.ts", "src/keep.log", "src/y.ts", "src/generated/z.ts"],
      // a.log, generated, src/other.log, src/x.tmp; the two ignore files.
      ignored: 4,
      hidden: 2,
    });
    expect(await search(root, { pattern: "*.ts" })).toMatchObject({ paths: ["a.ts"], ignored: 0 });
    expect(await search(root, { pattern: "**/*.ts" })).toMatchObject({ ignored: 1 });
  });

  it("have no effect unless the host wants them, or if ignored entries are asked for", async () => {
    const { root } = fixture(PROJECT);
    const everything = ["a.log", "a.ts", "generated/b.ts", "generated/deep/c.ts"];
    const below = ["src/keep.log", "src/other.log", "src/x.tmp", "src/y.ts", "src/generated/z.ts"];
    expect(await search(root, { gitignore: false })).toMatchObject({ paths: [...everything, ...below], ignored: 0 });
    expect(await search(root, { includeIgnored: true })).toMatchObject({
      paths: [...everything, ...below],
      ignored: 0,
    });
  });

  it("let a directory through that is named explicitly, and still apply below it", async () => {
    const { root } = fixture({
      ".gitignore": "generated/\n*.log\n",
      generated: { "a.ts": "", "a.log": "", b: { c: "" } },
    });
    expect(await search(root, { path: "generated" })).toMatchObject({ paths: ["a.ts", "b/c"], ignored: 1 });
    expect(await search(root, { path: "generated/b" })).toMatchObject({ paths: ["c"] });
  });

  it("are read from the project root down, wherever a search starts", async () => {
    const { root } = fixture(PROJECT);
    expect(await search(root, { path: "src" })).toMatchObject({ paths: ["keep.log", "y.ts", "generated/z.ts"] });
    // Where only one name can match, the directory is not listed, but its ignore file is read.
    expect(await search(root, { pattern: "src/x.tmp" })).toMatchObject({ paths: [], ignored: 1 });
    expect(await search(root, { pattern: "src/keep.log" })).toMatchObject({ paths: ["src/keep.log"] });
    expect(await search(root, { pattern: "src/.gitignore", includeHidden: true })).toMatchObject({
      paths: ["src/.gitignore"],
      visited: 3,
    });
  });

  it("include .git/info/exclude, which every .gitignore overrules", async () => {
    const { root } = fixture({
      ".git": { info: { exclude: "*.a\n*.b\n" } },
      ".gitignore": "!y.b\n",
      "x.a": "",
      "y.b": "",
      "z.b": "",
    });
    expect(await search(root)).toMatchObject({ paths: ["y.b"], ignored: 2 });
  });

  it.each<[string, Tree]>([
    ["a FIFO", fifo()],
    ["a link", link("rules")],
    ["a link to outside", link("/etc/passwd")],
    ["a directory", { a: "" }],
    ["an empty file", ""],
  ])("do not wait for %s of that name, nor follow it", async (_, node) => {
    const { root } = fixture({ ".gitignore": node, rules: "*", "a.ts": "" });
    expect(await search(root)).toMatchObject({ paths: ["a.ts", "rules"], ignored: 0 });
  });

  it("are not read where the host denies them", async () => {
    const { root } = fixture(PROJECT);
    expect((await search(root, { deny: ["src/.gitignore"] })).paths).toEqual([
      "a.ts",
      "src/x.tmp",
      "src/y.ts",
      "src/generated/z.ts",
    ]);
  });

  it("count up to a generous size", async () => {
    const { root, path } = fixture({ "a.ts": "", "b.ts": "", ".gitignore": "" });
    writeFileSync(path(".gitignore"), `a.ts\n${"# filler\n".repeat(40_000)}b.ts\n`);
    expect(await search(root)).toMatchObject({ paths: ["b.ts"], ignored: 1 });
  });

  it("have a budget of wildcards that directories share with those above", async () => {
    const long = (letter: string, length: number) => `*${letter.repeat(length - 2)}*\n`;
    const { root } = fixture({
      ".gitignore": long("x", 16_384),
      a: {
        ".gitignore": `${long("y", 16_379)}f*.ts\n`,
        b: { ".gitignore": `${long("z", 1000)}g*.ts\nh.ts\n`, "f1.ts": "", "g1.ts": "", "h.ts": "" },
      },
    });
    // What exceeds it is left out, unless it has no wildcard.
    expect((await search(root)).paths).toEqual(["a/b/g1.ts"]);
  });

  it("give the test of a path the same answers", () => {
    const { root } = fixture(PROJECT);
    const sandbox = createSandbox({ projectRoot: root, gitignore: true });
    const isSearched = createSearchedTest(sandbox, sandbox.root, SCOPE);
    const paths = [
      "a.ts",
      "a.log",
      "generated/b.ts",
      "src/keep.log",
      "src/other.log",
      "src/generated/z.ts",
      "src/n/x.tmp",
    ];
    expect(paths.filter(isSearched)).toEqual(["a.ts", "src/keep.log", "src/generated/z.ts"]);
  });
});

describe("createIgnoreTest", () => {
  it("asks about the entries of one directory", async () => {
    const { root } = fixture(PROJECT);
    const sandbox = createSandbox({ projectRoot: root, gitignore: true });
    const isIgnored = createIgnoreTest(sandbox, await sandbox.resolve("src"));
    expect(["keep.log", "other.log", "y.ts"].map((name) => isIgnored?.(name, false))).toEqual([false, true, false]);
    expect(createIgnoreTest(sandbox, sandbox.root)?.("generated", true)).toBe(true);
    expect(createIgnoreTest(sandbox, sandbox.root)?.("generated", false)).toBe(false);
  });

  it("does not exist unless the host wants ignore files", () => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    expect(createIgnoreTest(sandbox, sandbox.root)).toBeUndefined();
  });
});
