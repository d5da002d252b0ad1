import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { conformant, fifo, fixture, link } from "@fstools/testing";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { createReadTool } from "@fstools/read";
import { describe, expect, it } from "vitest";
import { createMoveTool, type MoveToolOptions } from "../src/tool.ts";

type Extra = Partial<Omit<MoveToolOptions, "projectRoot" | "sandbox">> & {
  readonly protect?: string[];
  readonly deny?: string[];
};

async function move(root: string, params: object, options: Extra = {}) {
  const response = await createMoveTool({ projectRoot: root, durable: false, ...options }).run(params);
  return conformant(response, "edit");
}

describe("Move", () => {
  it("moves a file, and says where it is now", async () => {
    const { root, path } = fixture({ "a.txt": "a" });
    chmodSync(path("a.txt"), 0o751);
    const response = await move(root, { from: "a.txt", to: "new/dir/b.txt" });
    expect(response.status).toBe("success");
    expect(response.data).toEqual({
      applied: true,
      operation: "move",
      from: "a.txt",
      path: "new/dir/b.txt",
      files: 1,
      bytes: 1,
    });
    expect(response.text.replace(/\d+ms/u, "0ms")).toBe(
      "Moved 'a.txt' to 'new/dir/b.txt' (1 files).\n(Took 0ms)\n(Created directory: new/dir)",
    );
    expect(response.context).toMatchObject({ path_resolved: "new/dir/b.txt", truncation_skip: true });
    expect(readdirSync(root)).toEqual(["new"]);
    expect(statSync(path("new/dir/b.txt")).mode & 0o777).toBe(0o751);
  });

  it("moves a directory with everything in it, whatever it is", async () => {
    const { root, path } = fixture({
      dir: { "a.txt": "a", ".hidden": "h", sub: { pipe: fifo(), out: link("/etc/passwd") } },
    });
    const response = await move(root, { source: "dir/", destination: "x/moved" });
    expect(response.data).toMatchObject({ files: 4, bytes: 2, path: "x/moved" });
    expect(readdirSync(path("x/moved")).sort()).toEqual([".hidden", "a.txt", "sub"]);
    expect(readlinkSync(path("x/moved/sub/out"))).toBe("/etc/passwd");
    expect(lstatSync(path("x/moved/sub/pipe")).isFIFO()).toBe(true);
    expect(readdirSync(root)).toEqual(["x"]);
  });

  // Rule: Move and Delete take a link for itself, whatever it leads to.
  it.each(["target.txt", "/etc/passwd", "missing", "loop", "dir"])("moves a link to %s itself", async (target) => {
    const { root, path } = fixture({ "target.txt": "t", dir: {}, loop: link(target) });
    const response = await move(root, { from: "loop", to: "moved" });
    expect(response.status).toBe("success");
    expect(readlinkSync(path("moved"))).toBe(target);
    expect(readdirSync(root).sort()).toEqual(["dir", "moved", "target.txt"]);
  });

  it("copies with modes, links as links, and keeps the original", async () => {
    const { root, path } = fixture({ dir: { "a.sh": "a", sub: { to: link("../a.sh") }, empty: {} } });
    chmodSync(path("dir/a.sh"), 0o750);
    chmodSync(path("dir/sub"), 0o710);
    linkSync(path("dir/a.sh"), path("dir/second"));
    const response = await move(root, { from: "dir", to: "copy", copy: true });
    expect(response.text).toContain("Copied 'dir' to 'copy' (3 files).");
    expect(response.data).toMatchObject({ operation: "copy", files: 3, bytes: 2 });
    expect(readdirSync(path("copy")).sort()).toEqual(["a.sh", "empty", "second", "sub"]);
    expect(statSync(path("copy/a.sh")).mode & 0o777).toBe(0o750);
    expect(statSync(path("copy/sub")).mode & 0o777).toBe(0o710);
    expect(readlinkSync(path("copy/sub/to"))).toBe("../a.sh");
    expect(readFileSync(path("dir/a.sh"), "utf8")).toBe("a");
    writeFileSync(path("copy/a.sh"), "changed");
    expect(readFileSync(path("dir/a.sh"), "utf8")).toBe("a");
  });

  it("copies no FIFO", async () => {
    const { root } = fixture({ dir: { pipe: fifo() } });
    const response = await move(root, { from: "dir", to: "copy", copy: true });
    expect(response.error).toMatchObject({ code: "INVALID_PARAM" });
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  // Rule: Move never replaces anything.
  it.each(["file.txt", "dir", "link", "outside", "missing"])("overwrites nothing: %s", async (to) => {
    const tree = {
      "a.txt": "a",
      "file.txt": "f",
      dir: {},
      link: link("file.txt"),
      outside: link("/etc"),
      missing: link("no"),
    };
    const { root, path } = fixture(tree);
    for (const copy of [false, true]) {
      const response = await move(root, { from: "a.txt", to, copy });
      expect(response.error).toEqual({ code: "CONFLICT", message: `'${to}' exists already.` });
      expect(response.text.includes("pass to='dir/a.txt'")).toBe(to === "dir");
    }
    expect(readFileSync(path("a.txt"), "utf8")).toBe("a");
    expect(readFileSync(path("file.txt"), "utf8")).toBe("f");
  });

  it("changes only the case of a name", async () => {
    const { root } = fixture({ "readme.md": "r", Dir: { a: "a" } });
    expect((await move(root, { from: "readme.md", to: "README.md" })).status).toBe("success");
    expect((await move(root, { from: "Dir", to: "dir" })).status).toBe("success");
    expect(readdirSync(root).sort()).toEqual(["README.md", "dir"]);
  });

  it.each<[string, object, string, string]>([
    ["what is not there", { from: "no.txt", to: "x" }, "NOT_FOUND", "Path 'no.txt' does not exist."],
    [
      "a directory into itself",
      { from: "dir", to: "dir/sub/x" },
      "INVALID_PARAM",
      "'dir' cannot be moved into itself.",
    ],
    ["the project root", { from: ".", to: "x" }, "ACCESS_DENIED", "Writing to '.' is not allowed."],
    [
      "the root, spelled otherwise",
      { from: "dir/..", to: "x" },
      "ACCESS_DENIED",
      "Writing to 'dir/..' is not allowed.",
    ],
    [
      "out of the root",
      { from: "a.txt", to: "../x" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "from outside",
      { from: "/etc/hostname", to: "x" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "through a link to outside",
      { from: "a.txt", to: "out/x" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "what is protected",
      { from: ".git/config", to: "x" },
      "ACCESS_DENIED",
      "Writing to '.git/config' is not allowed.",
    ],
    [
      "into what is protected",
      { from: "a.txt", to: ".git/hooks/x" },
      "ACCESS_DENIED",
      "Writing to '.git/hooks/x' is not allowed.",
    ],
    ["what is denied", { from: ".env", to: "x" }, "ACCESS_DENIED", "Writing to '.env' is not allowed."],
    ["to what is denied", { from: "a.txt", to: "id_rsa" }, "ACCESS_DENIED", "Writing to 'id_rsa' is not allowed."],
    [
      "a name with NUL",
      { from: "a\0", to: "x" },
      "INVALID_PARAM",
      "'a\\u0000' is not a valid path (it contains a NUL byte).",
    ],
    ["without a name", { to: "x" }, "INVALID_PARAM", "Missing required parameter 'from'."],
    ["below a file", { from: "a.txt/b", to: "x" }, "NOT_FOUND", "Path 'a.txt/b' does not exist."],
    ["to below a file", { from: "dir", to: "a.txt/b" }, "NOT_FOUND", "Path 'a.txt/b' does not exist."],
    [
      "a file to a directory that is not there",
      { from: "a.txt", to: "no/" },
      "NOT_FOUND",
      "Directory 'no/' does not exist.",
    ],
  ])("refuses %s", async (_, params, code, message) => {
    const { root } = fixture({
      "a.txt": "a",
      dir: { b: "b" },
      out: link("/tmp"),
      ".git": { config: "c" },
      ".env": "S=1",
    });
    const before = readdirSync(root);
    const response = await move(root, params);
    expect(response.error).toEqual({ code, message });
    expect(readdirSync(root)).toEqual(before);
  });

  // Rule: A directory that holds an entry which may not be changed is neither moved nor deleted.
  it("refuses a directory that holds what may not be changed, and names it unless it is hidden", async () => {
    const { root } = fixture({ repo: { sub: { ".git": {} } }, keys: { ".env": "S=1" }, ok: { a: "a" } });
    const held = await move(root, { from: "repo", to: "x" });
    expect(held.error).toEqual({ code: "ACCESS_DENIED", message: "Writing to 'repo' is not allowed." });
    expect(held.text).toContain("It holds an entry that may not be changed: 'sub/.git'.");
    const hidden = await move(root, { from: "keys", to: "x" });
    expect(hidden.error?.code).toBe("ACCESS_DENIED");
    expect(hidden.text).toContain("It holds an entry that may not be changed.");
    expect(hidden.text).not.toContain("env");
    // Nor may it become one.
    const becomes = await move(root, { from: "ok", to: "private" }, { deny: ["private/a"] });
    expect(becomes.error?.code).toBe("ACCESS_DENIED");
  });

  it("counts for a dry run, and writes nothing", async () => {
    const { root } = fixture({ dir: { a: "a", b: "bb" } });
    const response = await move(root, { from: "dir", to: "x/y", dry_run: true });
    expect(response).toMatchObject({ status: "partial", data: { applied: false, files: 2, bytes: 3 } });
    expect(response.text).toContain("Would move 'dir' to 'x/y' (2 files).");
    expect(response.text).toContain("[Dry Run: nothing was written. Repeat the call without dry_run to apply it.]");
    expect(response.context.next_call).toEqual({ tool: "Move", params: { from: "dir", to: "x/y" } });
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  it("asks the user with the counts and the first names", async () => {
    const { root, write } = fixture({ dir: {} });
    write({
      dir: Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`f${String(at).padStart(3, "0")}`, "x"])),
    });
    const asked: unknown[] = [];
    const confirm = (change: unknown) => {
      asked.push(change);
      return false;
    };
    const response = await move(root, { from: "dir", to: "new" }, { confirm });
    expect(response.error).toEqual({ code: "ACCESS_DENIED", message: "The user declined the change to 'dir'." });
    expect(readdirSync(root)).toEqual(["dir"]);
    expect(asked).toEqual([expect.objectContaining({ tool: "Move", path: "new", from: "dir", operation: "move" })]);
    const { diff } = asked[0] as { diff: string };
    expect(diff.split("\n").slice(0, 3)).toEqual(["120 files, 1 directories, 120 bytes", "dir/", "dir/f000"]);
    expect(diff.split("\n").at(-2)).toBe("... and 21 more");
  });

  it("moves nothing that changed while the user was asked", async () => {
    const { root, path } = fixture({ dir: { a: "a" } });
    const confirm = () => {
      writeFileSync(path("dir/new"), "new");
      return true;
    };
    const response = await move(root, { from: "dir", to: "x" }, { confirm });
    expect(response.error?.code).toBe("CONFLICT");
    expect(readdirSync(root)).toEqual(["dir"]);
  });

  // Rule: What a tool knew of a file is known under its new name.
  it("takes along what is known of files", async () => {
    const { root } = fixture({ dir: { "a.txt": "a" }, "b.txt": "b", unread: "u" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const read = createReadTool({ sandbox, versions });
    await read.run({ path: "dir/a.txt" });
    await read.run({ path: "b.txt" });
    const tool = createMoveTool({ sandbox, versions });
    await tool.run({ from: "dir", to: "new" });
    await tool.run({ from: "b.txt", to: "new/b.txt" });
    await tool.run({ from: "unread", to: "new/unread" });
    for (const name of ["new/a.txt", "new/b.txt"]) {
      const file = await sandbox.resolveFile(name);
      expect(versions.lastRead(file.path)).toEqual(file.version);
      file.close();
    }
    expect(versions.known(await sandbox.resolve("new/unread"))).toBeUndefined();
  });

  it("tells the host afterwards, and shows what it says", async () => {
    const { root } = fixture({ dir: { a: "a" } });
    const told: unknown[] = [];
    const response = await move(
      root,
      { from: "dir", to: "x" },
      {
        afterChange: (change) => {
          told.push(change.files);
          return { notes: ["imports updated"] };
        },
      },
    );
    expect(told).toEqual([[{ path: "x", operation: "move", from: "dir", lines_added: 0, lines_removed: 0 }]]);
    expect(response.text).toContain("Note: imports updated");
  });

  it("takes a relative path from the working directory, if nothing is there from the root", async () => {
    const { root, path } = fixture({ app: { "a.txt": "a" } });
    mkdirSync(path("app/sub"));
    const response = await move(root, { from: "a.txt", to: "app/b.txt" }, { workingDir: "app" } as Extra);
    expect(response.data).toMatchObject({ from: "app/a.txt", path: "app/b.txt" });
  });
});
