import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, fifo, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { SafePath } from "../../src/names/safe-path.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox.ts";
import { walkFiles, type WalkedFile, type WalkOptions, type WalkReport } from "../../src/search/walk.ts";
import { positionOf } from "../walked.ts";

interface FindOptions extends Partial<WalkOptions> {
  readonly limit?: number;
  /** Called with each file before it is taken. */
  readonly onFile?: (file: WalkedFile) => void;
}

async function find(
  projectRoot: string,
  pattern: string,
  { limit = Infinity, onFile, ...options }: FindOptions = {},
): Promise<WalkReport & { paths: string[] }> {
  const sandbox = createSandbox({ projectRoot });
  const paths: string[] = [];
  const report = await walkFiles(sandbox, sandbox.root, {
    position: positionOf(pattern),
    includeHidden: false,
    includeIgnored: false,
    maxVisitedEntries: 20_000,
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
    take: (file) => {
      onFile?.(file);
      return paths.length < limit && paths.push(file.path) > 0;
    },
    ...options,
  });
  return { ...report, paths };
}

/** Does something when a file was found, which is after its directory was read and before those below it are. */
function at(file: string, change: () => void): FindOptions {
  return {
    onFile: ({ path }) => {
      if (path === file) change();
    },
  };
}

/** Walks over everything below a directory. */
const walkAll = (sandbox: Sandbox, start: SafePath) =>
  walkFiles(sandbox, start, {
    position: positionOf("**"),
    includeHidden: true,
    includeIgnored: true,
    maxDurationMs: 60_000,
    signal: new AbortController().signal,
    take: () => true,
  });

describe("walkFiles", () => {
  // Rule: Walk order: a directory's files, then its sub-directories, by code point, depth first.
  it("gives a directory's own files first, then its sub-directories, by code point, depth first", async () => {
    const { root } = fixture({
      "z.ts": "",
      B: { "x.ts": "", a: { "1.ts": "" } },
      "a.ts": "",
      a: { "c.ts": "", "B.ts": "" },
      "😀.ts": "",
      "\uff01.ts": "",
      "😀": { "y.ts": "" },
      "\uff01": { "y.ts": "" },
    });
    const { paths, stoppedBy } = await find(root, "**/*.ts");
    expect(paths).toEqual([
      "a.ts",
      "z.ts",
      "\uff01.ts",
      "😀.ts",
      "B/x.ts",
      "B/a/1.ts",
      "a/B.ts",
      "a/c.ts",
      "\uff01/y.ts",
      "😀/y.ts",
    ]);
    expect(stoppedBy).toBeUndefined();
  });

  // Rule: `visited` counts every directory entered and every file seen.
  it("counts every directory entered and every file seen, hidden ones too", async () => {
    const { root } = fixture({
      "a.ts": "",
      ".b": "",
      c: "",
      d: { "e.ts": "" },
      f: {},
      ".g": { h: "" },
      dist: { i: "" },
    });
    // The start, d, f; a.ts, .b, c, d/e.ts.
    expect(await find(root, "**/*.ts")).toMatchObject({ visited: 7, paths: ["a.ts", "d/e.ts"] });
  });

  // Rule: A directory below which nothing can match is not entered.
  it("enters only directories below which something can match", async () => {
    const src = { "index.ts": "", "other.ts": "", deep: { "x.ts": "" } };
    const { root, path } = fixture({
      packages: { a: { src, lib: { "index.ts": "" } }, b: { src }, c: {}, "README.md": "" },
      src,
      other: { src },
    });
    // Entering these would be reported.
    for (const name of ["src", "other", "packages/a/lib", "packages/a/src/deep"]) chmodSync(path(name), 0o000);
    const { paths, skipped, visited } = await asNobody(() => find(root, "packages/*/src/*.ts"));
    expect(paths).toEqual([
      "packages/a/src/index.ts",
      "packages/a/src/other.ts",
      "packages/b/src/index.ts",
      "packages/b/src/other.ts",
    ]);
    expect(skipped).toEqual([]);
    // The start, packages, its README, a, b, c, the two directories src and their four files.
    expect(visited).toBe(12);
  });

  it("counts only the names that can match in a directory, if these are few", async () => {
    const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${String(index)}.ts`, ""]));
    const { root } = fixture({ src: files });
    // The start, src, and the one file.
    expect(await find(root, "src/f7.ts")).toMatchObject({ visited: 3, paths: ["src/f7.ts"] });
    expect(await find(root, "src/{f7,f8,none}.ts")).toMatchObject({ visited: 4, paths: ["src/f7.ts", "src/f8.ts"] });
    expect(await find(root, "SRC/f7.ts")).toMatchObject({ paths: [] });
  });

  it("finds the only path that can match without reading directories, and counts what is on the way", async () => {
    const { root, path } = fixture({
      "a.ts": "",
      p: {
        blind: { src: { "a.ts": "" } },
        empty: { src: {} },
        one: { src: { "a.ts": "", "b.ts": "" } },
        linked: { src: link("../one/src") },
        two: { src: { "a.ts": { "c.ts": "" } } },
      },
    });
    chmodSync(path("p", "blind"), 0o311);
    const found = await asNobody(() => find(root, "p/*/src/a.ts"));
    expect(found).toMatchObject({ paths: ["p/blind/src/a.ts", "p/one/src/a.ts"], skipped: [] });
    // The start, p, each package with its src, two files; the link, which is not entered.
    expect(found.visited).toBe(2 + 5 + 5 + 2);
    expect(await find(root, "a.ts")).toMatchObject({ paths: ["a.ts"], visited: 2, stoppedBy: undefined });
    expect(await find(root, "p/one/src/a.ts", { limit: 0 })).toMatchObject({ paths: [], stoppedBy: "enough" });
    expect(await find(root, "p/one/src/a.ts", { maxVisitedEntries: 4 })).toMatchObject({ stoppedBy: "count_limit" });
    expect(await find(root, "p/one/src/a.ts", { maxVisitedEntries: 5 })).toMatchObject({ paths: ["p/one/src/a.ts"] });
  });

  // Rule: The walk stops at the first match past `limit`; `truncated` only if there is more.
  it("stops at the first match past the limit, and only then says that there is more", async () => {
    const { root } = fixture({ "1.ts": "", "2.ts": "", "3.ts": "", d: { "4.ts": "" } });
    expect(await find(root, "**/*.ts", { limit: 4 })).toMatchObject({ stoppedBy: undefined, visited: 6 });
    expect(await find(root, "**/*.ts", { limit: 3 })).toMatchObject({ stoppedBy: "enough", visited: 6 });
    expect(await find(root, "**/*.ts", { limit: 2 })).toMatchObject({
      paths: ["1.ts", "2.ts"],
      stoppedBy: "enough",
      visited: 4,
    });
    expect(await find(root, "**/*.ts", { limit: 1 })).toMatchObject({
      paths: ["1.ts"],
      stoppedBy: "enough",
      visited: 3,
    });
  });

  it("waits for a taker that takes its time", async () => {
    const { root } = fixture({ "1.ts": "", "2.ts": "", "3.ts": "" });
    const taken: WalkedFile[] = [];
    const { stoppedBy } = await find(root, "*.ts", {
      take: async (file) => {
        await Promise.resolve();
        return taken.push(file) < 2;
      },
    });
    expect(taken.map(({ path }) => path)).toEqual(["1.ts", "2.ts"]);
    expect(stoppedBy).toBe("enough");
  });

  it.each([
    [0, [], "count_limit", 0],
    [1, [], "count_limit", 1],
    [2, ["a.ts"], "count_limit", 2],
    [3, ["a.ts", "b.ts"], "count_limit", 3],
    [4, ["a.ts", "b.ts"], "count_limit", 4],
    [5, ["a.ts", "b.ts", "d/c.ts"], undefined, 5],
  ])("looks at no more than %i entries, and counts no more", async (maxVisitedEntries, paths, stoppedBy, visited) => {
    const { root } = fixture({ "b.ts": "", "a.ts": "", d: { "c.ts": "" } });
    expect(await find(root, "**/*.ts", { maxVisitedEntries })).toMatchObject({ paths, stoppedBy, visited });
  });

  it("stops when the time is over", async () => {
    const { root } = fixture({ "a.ts": "" });
    expect(await find(root, "*.ts", { maxDurationMs: 0 })).toMatchObject({ paths: [], stoppedBy: "time_limit" });
  });

  it("stops when the caller aborts, and keeps what it has", async () => {
    const controller = new AbortController();
    const { root } = fixture({ "a.ts": "", d: { "b.ts": "" } });
    const abort = at("a.ts", () => {
      controller.abort();
    });
    const findings = await find(root, "**/*.ts", { signal: controller.signal, ...abort });
    expect(findings).toMatchObject({ paths: ["a.ts"], stoppedBy: "aborted" });
  });

  // Rule: Hidden entries and ignored directories are skipped below the search root, unless asked for.
  it("skips hidden entries and ignored directories unless they are asked for", async () => {
    const { root } = fixture({
      ".env0": "",
      ".github": { "ci.yml": "" },
      node_modules: { "a.js": "" },
      ".git": { HEAD: "" },
      build: "a file",
      src: { dist: { "b.js": "" } },
    });
    const found = async (options: Partial<WalkOptions>) => (await find(root, "**", options)).paths;
    expect(await found({})).toEqual(["build"]);
    expect(await found({ includeHidden: true })).toEqual([".env0", "build", ".github/ci.yml"]);
    expect(await found({ includeIgnored: true })).toEqual(["build", "node_modules/a.js", "src/dist/b.js"]);
    expect(await found({ includeHidden: true, includeIgnored: true })).toEqual([
      ".env0",
      "build",
      ".git/HEAD",
      ".github/ci.yml",
      "node_modules/a.js",
      "src/dist/b.js",
    ]);
  });

  it.each([
    "__pycache__",
    "node_modules",
    "target",
    "build",
    "dist",
    "venv",
    "site-packages",
    ".git",
    ".hg",
    ".svn",
    ".idea",
    ".vscode",
    ".DS_Store",
    ".venv",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".cache",
  ])("does not enter %s", async (name) => {
    const { root } = fixture({ [name]: { a: "" }, b: "" });
    expect((await find(root, "**", { includeHidden: true })).paths).toEqual(["b"]);
    expect((await find(root, `${name}/a`, { includeHidden: true })).paths).toEqual([]);
    expect((await find(root, "**", { includeHidden: true, includeIgnored: true })).paths).toEqual(["b", `${name}/a`]);
  });

  // Rule: Links to directories inside are neither entered nor reported; any other link by its own name.
  it("enters no link, reports no link to a directory inside, and any other link by its own name", async () => {
    const { root } = fixture({
      dir: { "a.ts": "" },
      "to-dir": link("dir"),
      "to-dir.ts": link("dir"),
      "to-file.ts": link("dir/a.ts"),
      "broken.ts": link("nowhere"),
      "outside.ts": link("/etc"),
      "loop.ts": link("loop.ts"),
      "pipe.ts": fifo(),
    });
    expect((await find(root, "**/*.ts")).paths).toEqual([
      "broken.ts",
      "loop.ts",
      "outside.ts",
      "pipe.ts",
      "to-file.ts",
      "dir/a.ts",
    ]);
    expect((await find(root, "to-dir/a.ts")).paths).toEqual([]);
    expect((await find(root, "to-dir/*")).paths).toEqual([]);
  });

  // Rule: Unreadable or unnameable directories are skipped, counted and make the answer partial.
  it("skips directories that it may not read, and says which", async () => {
    const { root, path } = fixture({ "a.ts": "", closed: { "b.ts": "" }, open: { "c.ts": "" } });
    chmodSync(path("closed"), 0o000);
    const findings = await asNobody(() => find(root, "**/*.ts"));
    expect(findings).toMatchObject({
      paths: ["a.ts", "open/c.ts"],
      skipped: [{ path: "closed", reason: "permission" }],
      stoppedBy: undefined,
    });
    expect(await asNobody(() => find(root, "closed/b.ts"))).toMatchObject({
      paths: [],
      skipped: [{ path: "closed", reason: "permission" }],
    });
    await expect(asNobody(() => find(path("closed"), "*"))).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("skips a directory whose name is not UTF-8, and reports such a file", async () => {
    const { root } = fixture({ "a.ts": "" });
    const named = (...bytes: number[]) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes)]);
    mkdirSync(named(0x64, 0xff));
    writeFileSync(named(0x66, 0xfe, 0x2e, 0x74, 0x73), "");
    expect(await find(root, "**/*.ts")).toMatchObject({
      paths: ["a.ts", "f\ufffd.ts"],
      skipped: [{ path: "d\ufffd", reason: "unnameable" }],
    });
  });

  it("knows whether the pattern fits directories only", async () => {
    const { root } = fixture({ src: { a: {} }, b: "" });
    expect((await find(root, "src")).fitsDirectories).toBe(true);
    expect((await find(root, "*/a")).fitsDirectories).toBe(true);
    expect((await find(root, "none")).fitsDirectories).toBe(false);
  });

  it.each([
    [
      "a file is removed",
      (path: (...names: string[]) => string) => {
        rmSync(path("d", "x.ts"));
      },
    ],
    [
      "a file becomes a directory",
      (path: (...names: string[]) => string) => {
        rmSync(path("d", "x.ts"));
        mkdirSync(path("d", "x.ts"));
      },
    ],
    [
      "the directory is removed",
      (path: (...names: string[]) => string) => {
        rmSync(path("d"), { recursive: true });
      },
    ],
    [
      "the directory is renamed",
      (path: (...names: string[]) => string) => {
        renameSync(path("d"), path("e"));
      },
    ],
    [
      "the directory becomes a file",
      (path: (...names: string[]) => string) => {
        rmSync(path("d"), { recursive: true });
        writeFileSync(path("d"), "");
      },
    ],
    [
      "the directory becomes a link to the outside",
      (path: (...names: string[]) => string) => {
        rmSync(path("d"), { recursive: true });
        symlinkSync("/", path("d"));
      },
    ],
  ])("survives when %s during the walk", async (_, change) => {
    for (const moment of ["a.ts", "d/w.ts"]) {
      const { root, path } = fixture({
        "a.ts": "",
        d: { "w.ts": "", "x.ts": "", deeper: { "y.ts": "" } },
        z: { "b.ts": "" },
      });
      const findings = await find(
        root,
        "**/*.ts",
        at(moment, () => {
          change(path);
        }),
      );
      expect(findings).toMatchObject({ skipped: [], stoppedBy: undefined });
      expect(findings.paths.filter((found) => !found.startsWith("d/"))).toEqual(["a.ts", "z/b.ts"]);
    }
  });

  it.each([
    ["before it is read", "a.ts", ["a.ts"], 2],
    ["before a directory in it is read", "d/x.ts", ["a.ts", "d/x.ts"], 4],
  ])("takes no name and no count from outside when a directory is swapped for a link %s", async (...row) => {
    const [, moment, paths, visited] = row;
    const outside = fixture({ "secret.ts": "", "x.ts": "", deeper: { "y.ts": "", "z.ts": "" } });
    const { root, path } = fixture({ "a.ts": "", d: { "x.ts": "", deeper: { "y.ts": "" } } });
    const swap = at(moment, () => {
      rmSync(path("d"), { recursive: true });
      symlinkSync(outside.root, path("d"));
    });
    expect(await find(root, "**/*.ts", swap)).toMatchObject({ paths, visited, skipped: [] });
  });

  it.each(["a", "a/b"])("says that the start is gone where %s was removed", async (removed) => {
    const { root, path } = fixture({ a: { b: { "x.ts": "" } } });
    const sandbox = createSandbox({ projectRoot: root });
    const start = await sandbox.resolve("a/b");
    rmSync(path(removed), { recursive: true });
    const walking = walkAll(sandbox, start);
    await expect(walking).rejects.toMatchObject({ reason: "missing" });
  });

  it("refuses a start that was swapped for a link, whatever is behind it", async () => {
    const outside = fixture({ d: { "secret.ts": "" } });
    const { path } = fixture({ project: { d: { "a.ts": "" } } });
    const sandbox = createSandbox({ projectRoot: path("project") });
    for (const target of [outside.path("d"), outside.path("none")]) {
      mkdirSync(path("project/d"), { recursive: true });
      const start = await sandbox.resolve("d");
      rmSync(path("project/d"), { recursive: true });
      symlinkSync(target, path("project/d"));
      const walking = walkAll(sandbox, start);
      await expect(walking).rejects.toMatchObject({ reason: "outside" });
      rmSync(path("project/d"));
    }
  });

  it("counts what it skipped if the pattern could match there", async () => {
    const { root } = fixture({
      ".env0": "",
      ".eslintrc.js": "",
      ".github": { "ci.yml": "" },
      ".git": { config: "" },
      ".venv": { "x.py": "" },
      node_modules: { "a.js": "" },
      src: { dist: { "b.js": "" }, ".cache": {}, build: "a file" },
    });
    const counted = async (pattern: string, options: FindOptions = {}) => {
      const { hidden, ignored } = await find(root, pattern, options);
      return { hidden, ignored };
    };
    // Two files, .github, .venv and src/.cache; node_modules and src/dist.
    expect(await counted("**")).toEqual({ hidden: 5, ignored: 2 });
    expect(await counted("**/*.js")).toEqual({ hidden: 4, ignored: 2 });
    expect(await counted("*.js")).toEqual({ hidden: 1, ignored: 0 });
    expect(await counted("src/*/*.js")).toEqual({ hidden: 1, ignored: 1 });
    expect(await counted("src/*.js")).toEqual({ hidden: 0, ignored: 0 });
    expect(await counted(".env0")).toEqual({ hidden: 1, ignored: 0 });
    expect(await counted("**", { includeHidden: true })).toEqual({ hidden: 0, ignored: 4 });
    expect(await counted("**", { includeIgnored: true })).toEqual({ hidden: 5, ignored: 0 });
    expect(await counted("**", { includeHidden: true, includeIgnored: true })).toEqual({ hidden: 0, ignored: 0 });
  });

  it("distinguishes links from files", async () => {
    const { root } = fixture({ a: "", b: link("a"), c: link("/etc"), d: fifo() });
    const links: [string, boolean][] = [];
    await find(root, "*", { onFile: ({ path, isLink }) => links.push([path, isLink]) });
    expect(links).toEqual([
      ["a", false],
      ["b", true],
      ["c", true],
      ["d", false],
    ]);
  });
});
