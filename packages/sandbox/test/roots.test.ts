import { readFileSync, rmSync, symlinkSync } from "node:fs";
import { fixture, link, type Fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createOutputStore } from "../src/store/output-store.ts";
import type { RootOptions } from "../src/roots.ts";
import { createBoundary } from "../src/disk/boundary.ts";
import { createSandbox, createSandboxWithin, type Sandbox, type SandboxRules } from "../src/sandbox.ts";
import { failure } from "./failure.ts";

type Roots = Readonly<Record<string, Partial<RootOptions>>>;

interface Rules extends SandboxRules {
  readonly usesProc?: boolean | undefined;
}

/** A sandbox over directories of a fixture, by their paths in it. */
function over({ path }: Fixture, roots: Roots, { workingDir, ...rules }: Rules = {}): Sandbox {
  const list = Object.entries(roots).map(([directory, root]) => ({ path: path(directory), ...root }));
  return createSandboxWithin(createBoundary({ defaultDeny: true, ...rules, roots: list }), workingDir);
}

function namesOf({ roots }: Sandbox): string[] {
  return roots.map(({ path }) => path.relative);
}

async function list(sandbox: Sandbox, path = "."): Promise<string[]> {
  const names: string[] = [];
  for await (const entries of sandbox.readDirectory(await sandbox.resolve(path))) {
    names.push(...entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name)));
  }
  return names.sort();
}

async function resolved(sandbox: Sandbox, path: string): Promise<string> {
  const { relative } = await sandbox.resolve(path);
  return relative;
}

const suggestions = async (sandbox: Sandbox, path: string) => {
  const error = await failure(() => sandbox.resolve(path));
  return { reason: error.reason, suggestions: error.suggestions, remark: error.remark };
};

describe("the names of roots", () => {
  // Rule: With two or more roots, a path begins with the name of its root.
  it.each<[Roots, string[]]>([
    [{ "a/web": {}, "b/api": {} }, ["web", "api"]],
    [{ "a/web": {}, "b/web": {} }, ["web", "web-2"]],
    [{ "a/web": {}, "b/WEB": {}, "b/web": {} }, ["web", "WEB-2", "web-3"]],
    [{ "a/web": {}, "b/web": { name: "web" } }, ["web-2", "web"]],
    [{ "a/web": { name: "the front" }, "b/api": { name: "..back" } }, ["the front", "..back"]],
    // The same directory twice is one root, and so is one inside another; a root alone has no name.
    [{ "a/web": {}, "a/../a/web": {}, "b/api": {} }, ["web", "api"]],
    [{ a: {}, "a/web": {}, "b/api": {} }, ["a", "api"]],
    [{ "a/web": {}, a: {} }, ["."]],
    [{ "a/web": { name: "front" } }, ["."]],
  ])("of %j are %j", (roots, names) => {
    const tree = fixture({ a: { web: {} }, b: { api: {}, web: {}, WEB: {} } });
    expect(namesOf(over(tree, roots))).toEqual(names);
  });

  it.each<[Roots, string]>([
    [{ a: { name: "x" }, b: { name: "X" } }, "Two roots have the name 'X'."],
    [{ a: { name: "x/y" }, b: {} }, "The name of a root must be one segment of a path, but 'x/y' is not."],
    [{ a: { name: ".." }, b: {} }, "must be one segment"],
    [{ a: { name: "." }, b: {} }, "must be one segment"],
    [{ a: { name: "" } }, "must be one segment"],
    [{ gone: {}, b: {} }, "is not an existing directory."],
    [{}, "roots must be a list of directories."],
  ])("are refused: %j", (roots, message) => {
    expect(() => over(fixture({ a: {}, b: {} }), roots)).toThrow(message);
  });

  it("are not asked for beside a project root", () => {
    const { root } = fixture();
    expect(() => createSandbox({ projectRoot: root, roots: [{ path: root }] })).toThrow("not both");
  });
});

const PROJECT = {
  web: { src: { "a.ts": "", "web.ts": "" }, "to-api": link("../api/src"), "to-out": link("../other/x.txt") },
  api: { src: { "a.ts": "", "api.ts": "" }, "to-web": link("../web/src/web.ts"), up: link("..") },
  other: { "x.txt": "" },
};

function twoRoots(rules: Rules = {}, tree = fixture(PROJECT)): Sandbox {
  return over(tree, { web: {}, api: {} }, rules);
}

describe.each([{ usesProc: undefined }, { usesProc: false }])("paths, %o", ({ usesProc }) => {
  it.each([
    [".", "."],
    ["", "."],
    ["web", "web"],
    ["./web/./src/", "web/src"],
    ["web/src/a.ts", "web/src/a.ts"],
    // `..` of a root is the list of them.
    ["web/..", "."],
    ["web/src/../../api/src", "api/src"],
    // A link that leads into another root resolves to that root's path, wherever the names are.
    ["web/to-api/api.ts", "api/src/api.ts"],
    ["api/to-web", "web/src/web.ts"],
  ])("resolve: '%s' is '%s'", async (path, expected) => {
    expect(await resolved(twoRoots({ usesProc }), path)).toBe(expected);
  });

  // Rule: What lies outside every root cannot be reached, and one root from another only where the disk leads there.
  it.each(["..", "../web", "web/../..", "web/to-out", "api/up", "api/up/other", "web/src/../../../other"])(
    "lead nowhere outside: '%s'",
    async (path) => {
      expect((await failure(() => twoRoots({ usesProc }).resolve(path))).reason).toBe("outside");
    },
  );

  it("follow links by the disk, not by the names of the roots", async () => {
    const tree = fixture({ one: { up: link("../two/a.txt") }, two: { "a.txt": "" }, far: { two: { "b.txt": "" } } });
    const sandbox = over(tree, { one: {}, two: { name: "second" }, "far/two": { name: "two" } }, { usesProc });
    expect(await resolved(sandbox, "one/up")).toBe("second/a.txt");
    expect(await resolved(sandbox, "one/../two/b.txt")).toBe("two/b.txt");
  });

  it("may be absolute, also as the host spelled a root", async () => {
    const tree = fixture({ ...PROJECT, linked: link("api") });
    const sandbox = over(tree, { web: {}, linked: {} }, { usesProc });
    expect(namesOf(sandbox)).toEqual(["web", "linked"]);
    for (const spelled of ["linked/src/api.ts", "api/src/api.ts", "web/../api/src/api.ts"]) {
      expect(await resolved(sandbox, `${tree.root}/${spelled}`)).toBe("linked/src/api.ts");
    }
    expect((await failure(() => sandbox.resolve(tree.root))).reason).toBe("outside");
    expect((await failure(() => sandbox.resolve(tree.path("other/x.txt")))).reason).toBe("outside");
  });

  // Rule: A path without a root's name is taken where exactly one root has it.
  it("without a root's name are taken where only one root has them, with a note", async () => {
    const told: string[] = [];
    const call = { note: () => undefined, tell: (line: string) => told.push(line) };
    const { relative } = await twoRoots({ usesProc }).resolve("src/api.ts", { call });
    expect([relative, told]).toEqual(["api/src/api.ts", ["Note: 'src/api.ts' was taken as 'api/src/api.ts'."]]);
  });

  it("without a root's name are missing where several roots have them, or none", async () => {
    const sandbox = twoRoots({ usesProc });
    expect(await suggestions(sandbox, "src/a.ts")).toEqual({
      reason: "missing",
      suggestions: ["web/src/a.ts", "api/src/a.ts"],
      remark: "",
    });
    expect(await suggestions(sandbox, "src/apj.ts")).toEqual({
      reason: "missing",
      suggestions: ["web/src/a.ts", "api/src/api.ts", "api/src/a.ts"],
      remark: "A path begins with the name of a root: 'web', 'api'.",
    });
    expect(await suggestions(sandbox, "wed")).toMatchObject({ suggestions: ["web"] });
    expect(await suggestions(sandbox, "web/src/wed.ts")).toMatchObject({ suggestions: ["web/src/web.ts"], remark: "" });
    // What is named is not looked for elsewhere.
    expect(await suggestions(sandbox, "web/src/api.ts")).toMatchObject({ reason: "missing", remark: "" });
  });

  it("start in the working directory, which may be absolute or named", async () => {
    const tree = fixture(PROJECT);
    for (const workingDir of ["api/src", tree.path("api/src")]) {
      const sandbox = twoRoots({ usesProc, workingDir }, tree);
      expect(sandbox.cwd.relative).toBe("api/src");
      expect((await sandbox.resolve("api.ts", { from: sandbox.cwd })).relative).toBe("api/src/api.ts");
      expect((await sandbox.resolve("../../web", { from: sandbox.cwd })).relative).toBe("web");
    }
    expect(twoRoots({ usesProc }).cwd.relative).toBe(".");
    expect(() => twoRoots({ usesProc, workingDir: "src" }, tree)).toThrow("is not an existing directory inside");
    expect(() => twoRoots({ usesProc, workingDir: tree.path("other") }, tree)).toThrow(
      "is not an existing directory inside",
    );
  });

  it("of a root that is gone say so", async () => {
    const tree = fixture(PROJECT);
    const sandbox = twoRoots({ usesProc }, tree);
    rmSync(tree.path("api"), { recursive: true });
    const error = await failure(() => sandbox.resolve("api"));
    expect([error.reason, error.nearest]).toEqual(["missing", ""]);
    expect(await list(sandbox, "web/src")).toEqual(["a.ts", "web.ts"]);
  });
});

describe.each([{ usesProc: undefined }, { usesProc: false }])("the list of roots, %o", ({ usesProc }) => {
  it("is a directory of their names", async () => {
    const sandbox = over(fixture({ b: {}, a: {}, ".c": {} }), { b: {}, a: {}, ".c": {} }, { usesProc });
    expect(await list(sandbox)).toEqual([".c/", "a/", "b/"]);
    expect(sandbox.kind(sandbox.root)).toBe("directory");
    expect(() => sandbox.open(sandbox.root)).toThrow(expect.objectContaining({ reason: "is_directory" }));
    const directory = await sandbox.resolveDirectory(".");
    expect(directory.look("a")).toMatchObject({ kind: "directory" });
    directory.close();
  });

  it("shows nothing of what is put in a root's place", async () => {
    const tree = fixture({ a: {}, b: {}, outside: { "x.txt": "" } });
    const sandbox = over(tree, { a: {}, b: {} }, { usesProc });
    rmSync(tree.path("a"), { recursive: true });
    symlinkSync(tree.path("outside"), tree.path("a"));
    const directory = await sandbox.resolveDirectory(".");
    expect(directory.look("a")).toBe("unknown");
    directory.close();
    expect((await failure(() => sandbox.resolve("a"))).reason).toBe("outside");
    expect((await failure(() => sandbox.resolve("a/x.txt"))).reason).toBe("outside");
  });
});

const RULED = {
  web: {
    private: { "a.txt": "" },
    deep: { private: { "a.txt": "" } },
    "x.pem": "",
    "to-api": link("../api/private/b.txt"),
  },
  api: { private: { "b.txt": "" }, "open.txt": "" },
};

describe("rules", () => {
  // Rule: `deny` and `protect` count from each root.
  it("count from each root", async () => {
    const sandbox = over(fixture(RULED), { web: {}, api: {} }, { deny: ["private/**", "*.pem"] });
    for (const path of ["web/private/a.txt", "api/private/b.txt", "web/x.pem", "web/to-api"]) {
      expect((await failure(() => sandbox.resolve(path))).reason).toBe("denied");
    }
    expect(await resolved(sandbox, "web/deep/private/a.txt")).toBe("web/deep/private/a.txt");
    expect(await list(sandbox, "web")).toEqual(["deep/", "to-api"]);
  });

  it("with a root's absolute path are that root's", async () => {
    const tree = fixture(RULED);
    const sandbox = over(tree, { web: {}, api: {} }, { deny: [tree.path("api/private")] });
    expect(await resolved(sandbox, "web/private/a.txt")).toBe("web/private/a.txt");
    expect((await failure(() => sandbox.resolve("api/private/b.txt"))).reason).toBe("denied");
    expect(() => over(tree, { web: {}, api: {} }, { deny: ["/etc/passwd"] })).toThrow("outside the project root");
  });

  it("hide no root by its own name", async () => {
    const tree = fixture({ ".env": { "a.txt": "", ".env": "" }, "x.pem": {} });
    const sandbox = over(tree, { ".env": {}, "x.pem": {} }, { deny: ["*.pem"] });
    expect(await list(sandbox)).toEqual([".env/", "x.pem/"]);
    expect(await list(sandbox, ".env")).toEqual(["a.txt"]);
  });

  // Rule: A root inside another has the outer one's paths, under the rules of both and the stricter access.
  it("of a root inside another are added to the outer one's", async () => {
    const tree = fixture({
      outer: { secret: { x: "" }, inner: { secret: { x: "" } }, other: { secret: { x: "" } } },
      far: {},
    });
    const sandbox = over(tree, { outer: {}, "outer/inner": {}, far: {} }, { deny: ["secret/**"] });
    expect(namesOf(sandbox)).toEqual(["outer", "far"]);
    expect(await list(sandbox, "outer")).toEqual(["inner/", "other/"]);
    expect(await list(sandbox, "outer/inner")).toEqual([]);
    expect(await list(sandbox, "outer/other/secret")).toEqual(["x"]);
    expect(await resolved(sandbox, tree.path("outer/inner"))).toBe("outer/inner");
  });

  it("take a root through a link into another one for what it is", async () => {
    const tree = fixture({ outer: { inner: { "a.txt": "" } }, spelled: link("outer/inner") });
    const sandbox = over(tree, { outer: {}, spelled: { access: "read" } });
    expect(namesOf(sandbox)).toEqual(["."]);
    expect(await resolved(sandbox, tree.path("spelled/a.txt"))).toBe("inner/a.txt");
  });

  it("of ignore files count from each root", async () => {
    const { createIgnoreTest } = await import("../src/search/search-rules.ts");
    const tree = fixture({
      web: { ".gitignore": "/out\n*.log\n", src: {} },
      api: { ".git": { info: { exclude: "tmp\n" } } },
    });
    const sandbox = over(tree, { web: {}, api: {} }, { gitignore: true });
    const ignores = async (directory: string, name: string) =>
      createIgnoreTest(sandbox, await sandbox.resolve(directory))?.(name, false);
    expect(await Promise.all([ignores("web", "out"), ignores("web/src", "out"), ignores("api", "out")])).toEqual([
      true,
      false,
      false,
    ]);
    expect(await Promise.all([ignores("web/src", "a.log"), ignores("api", "a.log")])).toEqual([true, false]);
    expect(await Promise.all([ignores("web", "tmp"), ignores("api", "tmp"), ignores(".", "tmp")])).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("spills", () => {
  const bytes = [new TextEncoder().encode("{}")];

  // Rule: Spills go to the first root that may be written, else nowhere.
  it("go to the first root that may be written", async () => {
    const tree = fixture({ a: {}, b: {}, c: {} });
    const store = createOutputStore(over(tree, { a: { access: "read" }, c: {}, b: {} }));
    const saved = await store.save("LS", bytes);
    expect(saved).toMatch(/^c\/tool-output\/tool_.*_LS\.json$/u);
    expect(readFileSync(tree.path(saved), "utf8")).toBe("{}");
  });

  it.each<[Roots]>([[{ a: { access: "read" }, b: { access: "read" } }], [{ a: { access: "read" } }]])(
    "go nowhere if none may: %j",
    async (roots) => {
      const tree = fixture({ a: {}, b: {} });
      await expect(createOutputStore(over(tree, roots)).save("LS", bytes)).rejects.toMatchObject({
        code: "ACCESS_DENIED",
        message: "The project may only be read.",
      });
      const directory = tree.path("a/out");
      await expect(createOutputStore(over(tree, roots), { directory }).save("LS", bytes)).rejects.toThrow(
        "only be read",
      );
    },
  );
});
