import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { ToolCall } from "@fstools/protocol";
import { asNobody, fifo, fixture, link } from "@fstools/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DirectoryEntry } from "../src/disk/verifier.ts";
import type { SandboxFile } from "../src/disk/open.ts";
import { SandboxError } from "../src/error.ts";
import { createBoundary } from "../src/disk/boundary.ts";
import { createSandbox, createSandboxWithin, type Sandbox } from "../src/sandbox.ts";
import { failure } from "./failure.ts";
import { restrict } from "./restrict.ts";
import { walked } from "./walked.ts";

const signal = new AbortController().signal;

function text(sandbox: Sandbox, path: Parameters<Sandbox["open"]>[0]): string {
  const file = sandbox.open(path);
  try {
    const bytes = Buffer.alloc(1000);
    return bytes.toString("utf8", 0, file.read(bytes, 0));
  } finally {
    file.close();
  }
}

async function names(sandbox: Sandbox, path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entries of sandbox.readDirectory(await sandbox.resolve(path), { signal })) {
    found.push(...entries.map(({ name }) => name));
  }
  return found.sort();
}

describe("createSandbox", () => {
  it("starts at the project root, or in a working directory inside it", () => {
    const { root, path } = fixture({ src: {}, in: link("src") });
    expect(createSandbox({ projectRoot: root }).cwd).toEqual({ absolute: root, relative: "." });
    for (const workingDir of ["src", path("src"), path("in"), "src/", "./src", "in"]) {
      const sandbox = createSandbox({ projectRoot: root, workingDir });
      expect(sandbox.root).toEqual({ absolute: root, relative: "." });
      expect(sandbox.cwd).toEqual({ absolute: path("src"), relative: "src" });
    }
  });

  it("accepts a working directory that the host spells through its own link", () => {
    const { path } = fixture({ project: { src: {} }, link: link("project") });
    expect(createSandbox({ projectRoot: path("project"), workingDir: path("link/src") }).cwd.relative).toBe("src");
  });

  it("throws if the working directory is not one inside the root", () => {
    const { path } = fixture({ project: { "a.txt": "", out: link("../other"), secret: {} }, other: {} });
    const projectRoot = path("project");
    for (const workingDir of ["..", path("other"), "out", "missing", "a.txt", "a\0b"]) {
      expect(() => createSandbox({ projectRoot, workingDir })).toThrow(
        "is not an existing directory inside projectRoot",
      );
    }
    expect(() => createSandbox({ projectRoot, workingDir: "secret", deny: ["secret"] })).toThrow("workingDir");
  });

  it("throws if the root is not an existing directory, or a rule is invalid", () => {
    const { root, path } = fixture({ "a.txt": "" });
    expect(() => createSandbox({ projectRoot: path("missing") })).toThrow("is not an existing directory.");
    expect(() => createSandbox({ projectRoot: path("a.txt") })).toThrow("is not an existing directory.");
    expect(() => createSandbox({ projectRoot: root, deny: ["["] })).toThrow("is not a valid glob.");
  });
});

// The second way is for systems without /proc; it works on Linux too, so it is tested here.
describe.each([
  ["through /proc", true],
  ["by device and inode", false],
])("sandbox %s", (_, usesProc) => {
  function sandboxAt(projectRoot: string, options: { workingDir?: string; deny?: string[] } = {}): Sandbox {
    return createSandboxWithin(createBoundary({ projectRoot, deny: options.deny, usesProc }), options.workingDir);
  }

  /** A project beside a secret, a directory whose name begins with the project's, and links of all sorts. */
  function project() {
    const tree = fixture({
      outside: { "secret.txt": "secret", deep: { "a.txt": "secret" } },
      "root-evil": { "a.txt": "secret" },
      root: {
        "a.txt": "inside",
        dir: { "b.txt": "inside b", "file-out": link("../../outside/secret.txt") },
        "..name": "dots",
        "[...slug]": { "page.tsx": "slug" },
        out: link("../outside/secret.txt"),
        "out-dir": link("../outside"),
        "chain-1": link("chain-2"),
        "chain-2": link("chain-3"),
        "chain-3": link("../outside/secret.txt"),
        dangling: link("../outside/missing.txt"),
        "dangling-abs": link("/no/such/file"),
        "link-in": link("a.txt"),
        "dir-in": link("dir"),
        "loop-a": link("loop-b"),
        "loop-b": link("loop-a"),
        "missing-in": link("dir/nothing.txt"),
        "missing-out": link("nothing/../../outside/secret.txt"),
      },
    });
    return { ...tree, sandbox: sandboxAt(tree.path("root")) };
  }

  // Rule: `..`, absolute paths outside, links to outside, chains of them, links in the middle, links to missing
  // outside files: ACCESS_DENIED.
  it.each([
    "..",
    "../outside/secret.txt",
    "dir/../../outside/secret.txt",
    "../root-evil/a.txt",
    "../root-evil",
    "/etc/passwd",
    "/",
    "out",
    "chain-1",
    "out-dir/secret.txt",
    "out-dir/deep/a.txt",
    "out-dir",
    "out-dir/missing",
    "dir/file-out",
    "dir-in/file-out",
    "dangling",
    "dangling-abs",
    "nothing/../../outside/secret.txt",
    "dir/nothing/../../../outside",
    "a.txt/../../outside/secret.txt",
    "missing-out",
  ])("denies access outside: %s", async (path) => {
    const { sandbox } = project();
    const error = await failure(() => sandbox.resolve(path));
    expect(error).toMatchObject({ reason: "outside", code: "ACCESS_DENIED", nearest: ".", suggestions: [] });
    expect(error.hint).toBe("Use a path inside the project root.");
  });

  // Rule: `/root-evil` next to `/root`: ACCESS_DENIED.
  it("denies an absolute path outside, also next to the root with the same beginning", async () => {
    const { sandbox, path } = project();
    for (const absolute of [
      path("outside/secret.txt"),
      path("root-evil/a.txt"),
      path("root-evil"),
      path("root") + "-evil",
    ]) {
      expect(await failure(() => sandbox.resolve(absolute))).toMatchObject({ reason: "outside" });
    }
  });

  // Rule: No answer reveals whether something outside exists.
  it("never reveals whether something outside exists", async () => {
    const { sandbox, path } = project();
    const inputs = [
      "out",
      "../outside/secret.txt",
      path("outside/secret.txt"),
      "out-dir/secret.txt",
      "out-dir/deep/a.txt",
    ];
    const before = await Promise.all(inputs.map((input) => failure(() => sandbox.resolve(input))));
    rmSync(path("outside"), { recursive: true });
    const after = await Promise.all(inputs.map((input) => failure(() => sandbox.resolve(input))));
    const said = (errors: typeof before) =>
      errors.map(({ reason, message, hint, osError }) => [reason, message, hint, osError]);
    expect(said(after)).toEqual(said(before));
  });

  // Rule: `..name`, `[...slug]` are fine.
  it.each([
    ["..name", "dots"],
    ["[...slug]/page.tsx", "slug"],
    ["dir/../a.txt", "inside"],
    ["dir/b.txt", "inside b"],
  ])("opens names that only look odd: %s", async (path, content) => {
    const { sandbox } = project();
    expect(text(sandbox, await sandbox.resolve(path))).toBe(content);
  });

  it.each([
    ["link-in", "a.txt"],
    ["dir-in/b.txt", "dir/b.txt"],
    ["dir-in/../a.txt", "a.txt"],
  ])("resolves links inside to the real path: %s", async (path, relative) => {
    const { sandbox } = project();
    expect((await sandbox.resolve(path)).relative).toBe(relative);
  });

  // Rule: `.` and `..` are resolved through links, as the system does.
  it("resolves '..' after a link as the system does", async () => {
    const { root } = fixture({
      a: { b: {}, "x.txt": "beside the target" },
      link: link("a/b"),
      "x.txt": "beside the link",
    });
    const sandbox = sandboxAt(root);
    expect(text(sandbox, await sandbox.resolve("link/../x.txt"))).toBe("beside the target");
  });

  it("accepts a root that is given through a link, or with a trailing slash", async () => {
    const { path } = fixture({ real: { src: { "a.txt": "a" } }, link: link("real"), "link-2": link("link") });
    for (const projectRoot of [path("link"), path("link-2"), path("real") + "/", path("link") + "//"]) {
      const sandbox = sandboxAt(projectRoot, { workingDir: "src" });
      expect(sandbox.root.absolute).toBe(path("real"));
      for (const input of [`${projectRoot}/src/a.txt`, path("real/src/a.txt"), "src/a.txt"]) {
        expect(text(sandbox, await sandbox.resolve(input))).toBe("a");
      }
      expect((await sandbox.resolve("a.txt", { from: sandbox.cwd })).relative).toBe("src/a.txt");
      expect(await names(sandbox, projectRoot)).toEqual(["src"]);
    }
  });

  it("accepts an absolute link inside that is spelled through the root's link", async () => {
    const { path } = fixture({ real: { "a.txt": "a" }, link: link("real") });
    symlinkSync(path("link/a.txt"), path("real/again"));
    const sandbox = sandboxAt(path("link"));
    expect((await sandbox.resolve("again")).relative).toBe("a.txt");
  });

  // Rule: The root may be `/`.
  it("accepts the file system's root as the project root", async () => {
    const { root } = fixture({ "a.txt": "a" });
    const sandbox = sandboxAt("/");
    expect(sandbox.root).toEqual({ absolute: "/", relative: "." });
    for (const input of [`${root}/a.txt`, `${root.slice(1)}/a.txt`, `/../..${root}/a.txt`]) {
      const path = await sandbox.resolve(input);
      expect(path).toEqual({ absolute: `${root}/a.txt`, relative: `${root.slice(1)}/a.txt` });
      expect(text(sandbox, path)).toBe("a");
    }
    expect(await names(sandbox, "/")).toContain("etc");
  });

  it.each([
    ["~/a.txt", "'~' is not expanded"],
    ["~", "'~' is not expanded"],
    ["file:///a.txt", "'file:' URLs are not understood"],
    ["C:\\a.txt", "Drive letters have no meaning here"],
    ["c:/a.txt", "Drive letters have no meaning here"],
  ])("takes %s for a plain name, with a hint", async (input, hint) => {
    const { sandbox, path } = project();
    const error = await failure(() => sandbox.resolve(input));
    expect(error).toMatchObject({ reason: "missing", code: "NOT_FOUND" });
    expect(error.hint).toContain(hint);
    if (input !== "~") expect(error.suggestions).toEqual(["a.txt"]);
    mkdirSync(path("root/~"));
    if (input === "~") expect((await sandbox.resolve(input)).relative).toBe("~");
  });

  it("says what a URL of a file inside would be", async () => {
    const { sandbox, path } = project();
    const error = await failure(() => sandbox.resolve(`file://${path("root/dir/b.txt")}`));
    expect(error).toMatchObject({ reason: "missing", suggestions: ["dir/b.txt"] });
  });

  it("says what an absolute path taken from the project root would be", async () => {
    const { sandbox } = project();
    const error = await failure(() => sandbox.resolve("/dir/b.txt"));
    expect(error).toMatchObject({ reason: "outside", suggestions: ["dir/b.txt"] });
  });

  it("answers a missing path with suggestions and the nearest directory", async () => {
    const { sandbox } = project();
    const error = await failure(() => sandbox.resolve("dir/b.tx"));
    expect(error).toMatchObject({ reason: "missing", code: "NOT_FOUND", nearest: "dir", suggestions: ["dir/b.txt"] });
    expect(error.hint).toBe("Did you mean 'dir/b.txt'? Check the path.");
    expect(await failure(() => sandbox.resolve("missing-in"))).toMatchObject({ reason: "missing", nearest: "dir" });
    expect(await failure(() => sandbox.resolve("a.txt/x"))).toMatchObject({
      reason: "missing",
      suggestions: ["a.txt"],
    });
  });

  // Rule: NUL byte, over-long name or path, link loop: INVALID_PARAM.
  it.each([
    ["a NUL byte", "a.txt\0", "NUL"],
    ["a name over 255 bytes", "x".repeat(256), "ENAMETOOLONG"],
    ["a name over 255 bytes in UTF-8", "日".repeat(86), "ENAMETOOLONG"],
    ["a path over PATH_MAX", "./".repeat(2048) + "a.txt", "ENAMETOOLONG"],
    ["a link loop", "loop-a", "ELOOP"],
    ["a way through a link loop", "loop-a/x", "ELOOP"],
  ])("answers %s with INVALID_PARAM", async (__, input, osError) => {
    const { sandbox } = project();
    const error = await failure(() => sandbox.resolve(input));
    expect(error).toMatchObject({ reason: "invalid_name", code: "INVALID_PARAM" });
    expect(error.osError).toContain(osError);
    expect(error.hint).toBe("Correct the path.");
  });

  // Rule: FIFOs, sockets and devices are never opened: INVALID_PARAM "'{path}' is not a regular file."
  it("never opens a FIFO, socket or device", async () => {
    const { root, path } = fixture({ pipe: fifo() });
    const server = createServer().listen(path("socket"));
    onTestFinished(() => void server.close());
    const sandbox = sandboxAt(root);
    for (const name of ["pipe", "socket"]) {
      const special = await sandbox.resolve(name);
      expect(sandbox.kind(special)).toBe("other");
      const error = await failure(() => sandbox.open(special));
      expect(error).toMatchObject({ code: "INVALID_PARAM", message: `'${name}' is not a regular file.` });
    }
    const devices = sandboxAt("/dev");
    const error = await failure(async () => devices.open(await devices.resolve("null")));
    expect(error).toMatchObject({ code: "INVALID_PARAM", message: "'null' is not a regular file." });
  });

  it("tells files and directories apart", async () => {
    const { sandbox } = project();
    expect(sandbox.kind(await sandbox.resolve("a.txt"))).toBe("file");
    expect(sandbox.kind(sandbox.root)).toBe("directory");
    expect(await failure(() => sandbox.open(sandbox.root))).toMatchObject({ code: "IS_DIRECTORY" });
    const file = await sandbox.resolve("a.txt");
    const listing = () => sandbox.readDirectory(file, { signal })[Symbol.asyncIterator]().next();
    expect(await failure(listing)).toMatchObject({ reason: "not_directory", code: "INVALID_PARAM" });
  });

  it("reports missing permissions", async () => {
    const { root, path } = fixture({ "secret.txt": "x", locked: { "a.txt": "x" }, closed: { "a.txt": "x" } });
    restrict(path("secret.txt"), 0o000);
    restrict(path("locked"), 0o000);
    restrict(path("closed"), 0o311);
    const sandbox = sandboxAt(root);
    const expected = { reason: "permission", code: "PERMISSION_DENIED" };
    await asNobody(async () => {
      expect(await failure(() => sandbox.resolve("locked/a.txt"))).toMatchObject(expected);
      const file = await sandbox.resolve("secret.txt");
      const error = await failure(() => sandbox.open(file));
      expect(error).toMatchObject({ ...expected, message: "Permission denied reading 'secret.txt'." });
      expect(await failure(() => names(sandbox, "locked"))).toMatchObject(expected);
      expect(await failure(() => names(sandbox, "closed"))).toMatchObject(expected);
      // A directory that may be entered but not listed.
      expect(text(sandbox, await sandbox.resolve("closed/a.txt"))).toBe("x");
    });
  });

  it("tries the other base directory only if nothing exists in the first", async () => {
    const { root } = fixture({ src: { "a.txt": "in src", "only-src": "" }, "a.txt": "in root", "only-root": "" });
    const sandbox = sandboxAt(root, { workingDir: "src" });
    const { root: top, cwd } = sandbox;
    const where = async (input: string, from = cwd, orFrom = top) =>
      (await sandbox.resolve(input, { from, orFrom })).relative;
    expect(await where("a.txt")).toBe("src/a.txt");
    expect(await where("a.txt", top, cwd)).toBe("a.txt");
    expect(await where("only-root")).toBe("only-root");
    expect(await where("only-src", top, cwd)).toBe("src/only-src");
    expect(await failure(() => where("only"))).toMatchObject({ nearest: "src", suggestions: ["src/only-src"] });
    expect(await failure(() => where("../../x"))).toMatchObject({ reason: "outside" });
    expect(await failure(() => where("../nothing"))).toMatchObject({ reason: "missing" });
  });

  it("also looks in the other base directory if a path leads out of the first", async () => {
    const { root } = fixture({ src: { lib: {} }, "a.txt": "" });
    const sandbox = sandboxAt(root, { workingDir: "src" });
    expect((await sandbox.resolve("lib/../../a.txt", { orFrom: sandbox.cwd })).relative).toBe("a.txt");
    expect(await failure(() => sandbox.resolve("lib/../../a.txt"))).toMatchObject({ reason: "outside" });
  });

  it("starts at a path of its own only", async () => {
    const { sandbox } = project();
    expect((await sandbox.resolve("b.txt", { from: await sandbox.resolve("dir-in") })).relative).toBe("dir/b.txt");
    const { sandbox: other } = project();
    await expect(sandbox.resolve("a.txt", { from: other.root })).rejects.toThrow(TypeError);
    await expect(sandbox.resolve("nothing", { orFrom: other.root })).rejects.toThrow(TypeError);
  });

  it("opens a path in the spelling of an answer, unless an entry has exactly that name", async () => {
    const { root } = fixture({
      "a\nb": "1",
      "(auth)": { "Use me": "2" },
      "c\\td": "literal",
      "(c\\td": "literal",
      "c\td": "tab",
      link: link("/etc"),
    });
    const sandbox = createSandbox({ projectRoot: root });
    const at = async (input: string) => (await sandbox.resolve(input)).relative;
    expect(await at("a\\nb")).toBe("a\nb");
    expect(await at("'(auth)'/")).toBe("(auth)");
    expect(await at("'(auth)/Use me'")).toBe("(auth)/Use me");
    expect(await at("'(auth)/''Use me'")).toBe("(auth)/Use me");
    expect(await at("(auth)/'Use me'")).toBe("(auth)/Use me");
    expect(await at("c\\td")).toBe("c\\td");
    expect(await at("'(c\\td'")).toBe("(c\\td");
    for (const outside of ["'../x'", "\\u002e\\u002e/x", "'link/passwd'", "'/etc/passwd'"]) {
      expect(await failure(() => sandbox.resolve(outside))).toMatchObject({ reason: "missing" });
    }
  });

  describe.each([
    ["through /proc", true],
    ["by device and inode", false],
  ])("resolving and opening at once, %s", (_, usesProc) => {
    const openDescriptors = () => readdirSync("/proc/self/fd").length;

    /** The result: the path that it names, and what is there or why it could not be opened. */
    async function endOf(work: (call: Pick<ToolCall, "note" | "tell">) => Promise<unknown>): Promise<unknown[]> {
      let resolved: object | undefined;
      const note = (context: object) => {
        resolved = context;
      };
      try {
        return [await work({ note, tell: () => undefined }), resolved];
      } catch (error) {
        if (!(error instanceof SandboxError)) throw error;
        return [error.reason, error.message, error.suggestions, resolved];
      }
    }

    function contentOf(file: SandboxFile): string {
      const bytes = Buffer.alloc(10);
      const text = bytes.toString("utf8", 0, file.read(bytes, 0));
      file.close();
      return `${file.path.relative}: ${text}`;
    }

    // Rule: Resolving and opening in one step gives the same answer as in two.
    it.each([
      "a.txt",
      "src/deep/b.txt",
      "./src//deep/../deep/b.txt",
      "src",
      ".",
      "",
      "to-file",
      "to-directory",
      "to-directory/b.txt",
      "to-outside",
      "to-outside/secret.txt",
      "../outside/secret.txt",
      "loop",
      "nothing.txt",
      "src/nothing/b.txt",
      "a.txt/b",
      "pipe",
      "locked.txt",
      "hidden/secret.key",
      "b.txt",
      "gone (deleted)",
      "a\0b",
    ])("gives the same answer as two steps: '%s'", async (input) => {
      const { path } = fixture({
        outside: { "secret.txt": "SECRET" },
        project: {
          "a.txt": "A",
          "gone (deleted)": "D",
          "locked.txt": "L",
          src: { deep: { "b.txt": "B" } },
          hidden: { "secret.key": "SECRET" },
          pipe: fifo(),
          "to-file": link("src/deep/b.txt"),
          "to-directory": link("src/deep"),
          "to-outside": link("../outside"),
          loop: link("loop"),
        },
      });
      const sandbox = createSandboxWithin(createBoundary({ projectRoot: path("project"), deny: ["*.key"], usesProc }));
      const orFrom = await sandbox.resolve("src/deep");
      const before = openDescriptors();
      const file = await endOf(async (call) => contentOf(await sandbox.resolveFile(input, { orFrom, call })));
      const listing = await endOf(async (call) => {
        const directory = await sandbox.resolveDirectory(input, { orFrom, call });
        const entries = directory.next(() => false);
        directory.close();
        return [directory.path.relative, directory.isAtEnd(), entries];
      });
      expect(openDescriptors()).toBe(before);
      expect(file).toEqual(
        await endOf(async (call) => {
          const found = await sandbox.resolve(input, { orFrom, call });
          return contentOf(sandbox.open(found));
        }),
      );
      expect(listing).toEqual(
        await endOf(async (call) => {
          const found = await sandbox.resolve(input, { orFrom, call });
          const entries: DirectoryEntry[] = [];
          for await (const batch of sandbox.readDirectory(found)) entries.push(...batch);
          return [found.relative, true, entries];
        }),
      );
    });
  });

  it("lists without a signal too", async () => {
    const { root } = fixture({ "a.txt": "" });
    const sandbox = sandboxAt(root);
    for await (const entries of sandbox.readDirectory(sandbox.root)) {
      expect(entries).toEqual([{ name: "a.txt", kind: "file" }]);
    }
    expect.assertions(1);
  });

  describe("with deny rules", () => {
    function guarded() {
      const tree = fixture({
        ".env": "secret",
        app: { ".env": "secret", "a.txt": "a", "key.pem": "secret" },
        private: { "notes.txt": "secret", deep: { "x.txt": "secret" } },
        "to-env": link(".env"),
        "to-private": link("private/deep"),
        "env-copy.txt": "fine",
        secret: link("app"),
      });
      return { ...tree, sandbox: sandboxAt(tree.root, { deny: ["**/.env", "**/*.pem", "private", "secret"] }) };
    }

    // Rule: `deny`: ACCESS_DENIED, through links too.
    it.each([
      ".env",
      "app/.env",
      "app/key.pem",
      "private",
      "private/notes.txt",
      "private/deep/x.txt",
      "private/../app/a.txt",
      "to-env",
      "to-private",
      "to-private/x.txt",
      "secret",
      "secret/a.txt",
    ])("denies %s", async (path) => {
      const { sandbox } = guarded();
      const error = await failure(() => sandbox.resolve(path));
      expect(error).toMatchObject({ reason: "denied", code: "ACCESS_DENIED" });
      expect(error.message).toBe(`Access denied. A rule of the host blocks '${path}'.`);
    });

    // Rule: `deny`: the same answer whether or not it exists.
    it.each(["app/nothing/.env", "private/nothing", "nothing.pem", "nothing/x.pem/y"])(
      "denies %s, which does not exist, in the same words",
      async (path) => {
        const { sandbox } = guarded();
        expect(await failure(() => sandbox.resolve(path))).toMatchObject({ reason: "denied", code: "ACCESS_DENIED" });
      },
    );

    it("hides them from listings and searches, and never suggests them", async () => {
      const { sandbox } = guarded();
      expect(await names(sandbox, ".")).toEqual(["app", "env-copy.txt", "to-env", "to-private"]);
      expect(await names(sandbox, "app")).toEqual(["a.txt"]);
      expect(await walked(sandbox, "**")).toEqual(["env-copy.txt", "to-env", "to-private", "app/a.txt"]);
      expect(await walked(sandbox, "{app/.env,private/notes.txt,private/deep/x.txt}")).toEqual([]);
      expect(sandbox.createLinkProbe(sandbox.root)("to-private")).toBe(false);
      expect((await failure(() => sandbox.resolve("env"))).suggestions).toEqual(["to-env", "env-copy.txt"]);
    });

    it("denies a file that took the place of another one after it was resolved", async () => {
      const { sandbox, path } = guarded();
      const file = await sandbox.resolve("app/a.txt");
      rmSync(path("app"), { recursive: true });
      symlinkSync("private", path("app"));
      writeFileSync(path("private/a.txt"), "secret");
      // By path alone it is only known that something on the way has changed.
      const reason = usesProc ? "denied" : "outside";
      expect(await failure(() => sandbox.open(file))).toMatchObject({ reason, code: "ACCESS_DENIED" });
    });
  });

  it("distinguishes links to directories inside from all others", () => {
    const { path } = fixture({
      root: {
        dir: { up: link("..") },
        "a.txt": "",
        "to-dir": link("dir"),
        "to-file": link("a.txt"),
        "to-root": link("."),
        chain: link("to-dir"),
        out: link("../outside"),
        loop: link("loop"),
        gone: link("nothing"),
      },
      outside: {},
    });
    const sandbox = sandboxAt(path("root"));
    const leads = sandbox.createLinkProbe(sandbox.root);
    expect(["to-dir", "to-root", "chain"].map((name) => leads(name))).toEqual([true, true, true]);
    expect(["to-file", "out", "loop", "gone", "missing"].map((name) => leads(name))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  // Rule: What was swapped for a link after resolving: ACCESS_DENIED.
  it("refuses what was swapped for a link after it was resolved", async () => {
    const { sandbox, path } = project();
    const file = await sandbox.resolve("a.txt");
    const directory = await sandbox.resolve("dir");
    const below = await sandbox.resolve("dir/b.txt");
    rmSync(path("root/a.txt"));
    symlinkSync("../outside/secret.txt", path("root/a.txt"));
    rmSync(path("root/dir"), { recursive: true });
    symlinkSync("../outside", path("root/dir"));
    writeFileSync(path("outside/b.txt"), "secret");
    const listing = () => sandbox.readDirectory(directory, { signal })[Symbol.asyncIterator]().next();
    for (const call of [
      () => sandbox.open(file),
      () => sandbox.open(below),
      () => sandbox.kind(file),
      () => sandbox.kind(directory),
      listing,
    ]) {
      expect(await failure(call)).toMatchObject({ reason: "outside", code: "ACCESS_DENIED" });
    }
  });
});

describe("a sandbox at work", () => {
  // Rule: When the project root itself was removed, every path is NOT_FOUND, and the hint says why.
  it.each([[undefined], [false]])("says that its root is gone (with /proc: %s)", async (usesProc) => {
    const { path } = fixture({ root: { "a.txt": "a" } });
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: path("root"), usesProc }));
    rmSync(path("root"), { recursive: true });
    const hint: unknown = expect.stringContaining("The project root itself does not exist any more");
    for (const input of [".", "a.txt", "src/..", path("root")]) {
      expect(await failure(() => sandbox.resolve(input)), input).toMatchObject({ reason: "missing", hint });
      expect(await failure(() => sandbox.resolveDirectory(input)), input).toMatchObject({ reason: "missing", hint });
    }
    symlinkSync("/etc", path("root"));
    expect(await failure(() => sandbox.resolve("."))).toMatchObject({ reason: "outside" });
  });

  it.each([[undefined], [false]])("says so if a directory above it is a file (with /proc: %s)", async (usesProc) => {
    const { path } = fixture({ above: { root: { "a.txt": "a" } } });
    const sandbox = createSandboxWithin(createBoundary({ projectRoot: path("above/root"), usesProc }));
    rmSync(path("above"), { recursive: true });
    writeFileSync(path("above"), "");
    expect(await failure(() => sandbox.resolve("."))).toMatchObject({
      reason: "missing",
      hint: "The project root itself does not exist any more; tell the user.",
    });
  });

  it.runIf(process.platform === "linux")("leaves no descriptor open", async () => {
    const { root } = fixture({ src: { "a.txt": "a", ".env": "" }, out: link("/etc/passwd"), pipe: fifo() });
    const count = () => readdirSync("/proc/self/fd").length;
    const sandbox = createSandbox({ projectRoot: root, deny: ["**/.env"] });
    const workOnce = async () => {
      text(sandbox, await sandbox.resolve("src/a.txt"));
      await names(sandbox, "src");
      for (const path of ["src", "pipe", "out", "src/.env", "src/b.txt"]) {
        await failure(async () => sandbox.open(await sandbox.resolve(path)));
      }
      for await (const entries of sandbox.readDirectory(sandbox.root, { signal })) if (entries.length > 0) break;
      await walked(sandbox, "**");
      await walked(sandbox, "{src/a.txt,out/x,missing/x}");
    };
    await workOnce();
    const before = count();
    for (let round = 0; round < 20; round += 1) await workOnce();
    expect(count()).toBe(before);
  });
});

describe("advice where the working directory is not the root", () => {
  // Rule: A hint or a suggestion leads to what it means, also from a working directory below the root.
  it("spells from there what would name something else", async () => {
    const { root } = fixture({ src: { "root.ts": "" }, pkg: { src: { "pkg.ts": "" } }, other: {} });
    const sandbox = createSandbox({ projectRoot: root, workingDir: "pkg" });
    const failure = async (input: string, from = sandbox.cwd) => {
      const error: unknown = await sandbox.resolve(input, { from }).catch((reason: unknown) => reason);
      if (!(error instanceof SandboxError)) throw new Error(`'${input}' was resolved.`);
      return { nearest: error.nearest, suggestions: error.suggestions };
    };
    expect(await failure("../sroc")).toEqual({ nearest: "..", suggestions: ["../src"] });
    expect(await failure("../othr")).toEqual({ nearest: "..", suggestions: ["other"] });
    expect(await failure("sroc")).toEqual({ nearest: "pkg", suggestions: ["pkg/src"] });
    expect(await failure("/outside")).toMatchObject({ nearest: ".." });
    expect(await failure("sroc", sandbox.root)).toEqual({ nearest: "..", suggestions: ["src"] });
    for (const [input, meant] of [
      ["..", "."],
      ["../src", "src"],
    ] as const) {
      expect((await sandbox.resolve(input, { from: sandbox.cwd })).relative).toBe(meant);
    }
  });
});
