import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createFileVersions, createSandbox, type ProposedChange } from "@fstools/sandbox";
import { conformant, fifo, fixture, link } from "@fstools/testing";
import { createReadTool } from "@fstools/read";
import { describe, expect, it } from "vitest";
import { createWriteTool, writeDefinition, type WriteToolOptions } from "../src/index.ts";

const steady = (text: string) => text.replace(/\d+ms/u, "1ms");

/** Write and Read of one conversation. */
function conversation(tree: Parameters<typeof fixture>[0], options: Partial<WriteToolOptions> = {}) {
  const { root, path } = fixture(tree);
  const sandbox = createSandbox({ projectRoot: root });
  const versions = createFileVersions();
  const write = createWriteTool({ durable: false, ...options, sandbox, versions });
  const read = createReadTool({ sandbox, versions });
  return {
    path,
    sandbox,
    versions,
    write: async (file: string, content: string, more: object = {}) =>
      conformant(await write.run({ path: file, content, ...more }), "edit"),
    read: async (file: string) => conformant(await read.run({ path: file })),
    change: (file: string, text: string) => {
      writeFileSync(path(file), text);
      // Another second, so that no coarse clock can hide it.
      utimesSync(path(file), 1_000_000_000, 1_000_000_000);
    },
    now: (file: string) => readFileSync(path(file), "utf8"),
  };
}

describe("a new file", () => {
  it("is created with its directories", async () => {
    const { write, path, now } = conversation({ src: {} });
    const response = await write("src/a/b/c.ts", "one\ntwo\n");
    expect(steady(response.text)).toBe(
      "Created 'src/a/b/c.ts' (2 lines, 8 bytes).\n(Took 1ms)\n(Created directory: src/a/b)",
    );
    const file = path("src/a/b/c.ts");
    expect(response).toMatchObject({
      status: "success",
      data: {
        applied: true,
        operation: "create",
        diff_preview: "--- /dev/null\n+++ b/src/a/b/c.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n",
        diff_truncated: false,
      },
      stats: {
        bytes_written: 8,
        original_size: 0,
        new_size: 8,
        lines_added: 2,
        lines_removed: 0,
        file_mtime_ms: Math.floor(statSync(file).mtimeMs),
        file_size_bytes: 8,
      },
      context: { path_resolved: "src/a/b/c.ts", truncation_skip: true },
    });
    expect(now("src/a/b/c.ts")).toBe("one\ntwo\n");
  });

  it("may be empty, and may be replaced by the conversation that wrote it", async () => {
    const { write, now } = conversation({});
    expect((await write("a.txt", "")).text).toContain("Created 'a.txt' (0 lines, 0 bytes).");
    expect((await write("a.txt", "x")).text).toContain("Updated 'a.txt' (1 lines, 1 bytes).");
    expect(now("a.txt")).toBe("x");
  });

  it("gets what the umask leaves", async () => {
    const { write, path } = conversation({});
    const before = process.umask(0o026);
    await write("a.txt", "x").finally(() => process.umask(before));
    expect(statSync(path("a.txt")).mode & 0o777).toBe(0o640);
  });

  it("is taken from the project root, not from the working directory", async () => {
    const { root } = fixture({ dir: { "a.txt": "old" } });
    const write = createWriteTool({ projectRoot: root, workingDir: "dir", durable: false });
    const response = conformant(await write.run({ path: "a.txt", content: "new" }), "edit");
    expect(response).toMatchObject({ context: { cwd: "dir", path_resolved: "a.txt" }, data: { operation: "create" } });
    expect(readdirSync(root)).toEqual(["a.txt", "dir"]);
  });

  it("is only shown in a dry run", async () => {
    const { write, path } = conversation({});
    const response = await write("new/a.txt", "x\n", { dry_run: true });
    expect(steady(response.text)).toBe(
      [
        "Would create 'new/a.txt' (1 lines, 2 bytes).",
        "(Took 1ms)",
        "[Dry Run: nothing was written. Repeat the call without dry_run to apply it.]",
        "(Would create directory: new)",
      ].join("\n"),
    );
    expect(response).toMatchObject({
      status: "partial",
      data: { applied: false },
      stats: { bytes_written: 0 },
      context: { next_call: { tool: "Write", params: { path: "new/a.txt", content: "x\n" } } },
    });
    expect(readdirSync(path("."))).toEqual([]);
  });
});

it("names the reader that the model has: `read` where there is no Read", async () => {
  const { root } = fixture({ "a.txt": "old\n" });
  const write = createWriteTool({ projectRoot: root, siblings: ["Write", "read"] });
  const { text, context } = conformant(await write.run({ path: "a.txt", content: "new\n" }), "edit");
  expect(text).toContain("Run read on 'a.txt', then repeat the change");
  expect(context.next_call).toEqual({ tool: "read", params: { filePath: "a.txt" } });
});

describe("an existing file", () => {
  // Rule: An existing file is replaced only if its current version is known.
  it("is replaced if it was read, and is as it was then", async () => {
    const { write, read, change, now } = conversation({ "a.txt": "old\n" });
    const unread = await write("a.txt", "new\n");
    expect(unread.error).toEqual({ code: "CONFLICT", message: "'a.txt' exists and was not read." });
    expect(unread.context.next_call).toEqual({ tool: "Read", params: { path: "a.txt" } });
    expect(unread.text).toContain("Run Read on 'a.txt'");
    await read("a.txt");
    change("a.txt", "theirs\n");
    const stale = await write("a.txt", "new\n");
    expect(stale.error).toEqual({ code: "CONFLICT", message: "'a.txt' has been modified since it was read." });
    expect(now("a.txt")).toBe("theirs\n");
    await read("a.txt");
    const { status, data, stats, text } = await write("a.txt", "new\n");
    expect(status).toBe("success");
    expect(data).toEqual({
      applied: true,
      operation: "update",
      diff_preview: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-theirs\n+new\n",
      diff_truncated: false,
    });
    expect(stats).toMatchObject({ original_size: 7, new_size: 4, bytes_written: 4, lines_added: 1, lines_removed: 1 });
    expect(text).toContain("Updated 'a.txt' (1 lines, 4 bytes).");
    expect(now("a.txt")).toBe("new\n");
  });

  it("is not known from a search", async () => {
    const { write, sandbox, versions, read } = conversation({ "a.txt": "old" });
    const resolved = await sandbox.resolve("a.txt");
    const file = sandbox.open(resolved);
    file.close();
    versions.record(resolved, file.version, "matched");
    expect((await write("a.txt", "new")).error?.message).toBe("'a.txt' exists and was not read.");
    await read("a.txt");
    versions.record(resolved, file.version, "matched");
    expect((await write("a.txt", "new")).status).toBe("success");
  });

  it("is replaced if the caller names its version", async () => {
    const { write, path, now } = conversation({ "a.txt": "old" });
    const { mtimeMs, size } = statSync(path("a.txt"));
    const named = { expected_mtime_ms: Math.floor(mtimeMs), expected_size_bytes: size };
    const wrong = await write("a.txt", "new", { ...named, expected_size_bytes: size + 1 });
    expect(wrong.error?.message).toBe("'a.txt' has been modified since it was read.");
    // Of another length, since the clock of a file system may not have moved in between.
    expect((await write("a.txt", "new one", named)).status).toBe("success");
    expect((await write("a.txt", "newer", named)).error?.code).toBe("CONFLICT");
    expect((await write("b.txt", "new", named)).error?.code).toBe("CONFLICT");
    expect(now("a.txt")).toBe("new one");
  });

  it("is replaced without questions where the host says so, unless a version was named", async () => {
    const { write, now } = conversation({ "a.txt": "old" }, { requireRead: false });
    const named = { expected_mtime_ms: 1, expected_size_bytes: 1 };
    expect((await write("a.txt", "new", named)).error?.code).toBe("CONFLICT");
    expect((await write("a.txt", "new")).status).toBe("success");
    expect(now("a.txt")).toBe("new");
  });

  it("is left alone, without questions, if it has the content already", async () => {
    const asked: ProposedChange[] = [];
    const confirm = (change: ProposedChange) => asked.push(change) > 0;
    const { write, path } = conversation({ "a.txt": "same\n" }, { confirm });
    const before = statSync(path("a.txt"), { bigint: true });
    for (const more of [{}, { dry_run: true }, { expected_mtime_ms: 1, expected_size_bytes: 1 }]) {
      const response = await write("a.txt", "same\n", more);
      expect(steady(response.text)).toBe("Updated 'a.txt' (1 lines, 5 bytes).\n(Took 1ms)\n(No change.)");
      expect(response).toMatchObject({
        status: "success",
        data: { applied: true, diff_preview: "" },
        stats: { bytes_written: 0, file_size_bytes: 5 },
      });
    }
    const { ino, mtimeNs, ctimeNs } = statSync(path("a.txt"), { bigint: true });
    expect([ino, mtimeNs, ctimeNs]).toEqual([before.ino, before.mtimeNs, before.ctimeNs]);
    expect(asked).toEqual([]);
  });

  // Rule: A byte order mark and UTF-16 stay.
  it.each([
    ["UTF-8", "\ufeffold", "utf8"],
    ["UTF-16", "\ufeffold", "utf16le"],
  ] as const)("keeps a byte order mark of %s", async (_, old, encoding) => {
    const { write, read, path } = conversation({ "a.txt": Buffer.from(old, encoding) });
    await read("a.txt");
    await write("a.txt", "é😀\n");
    expect(readFileSync(path("a.txt")).equals(Buffer.from("\ufeffé😀\n", encoding))).toBe(true);
    expect((await write("a.txt", "\ufeffé😀\n")).text).toContain("(No change.)");
  });

  it("keeps the other byte order of UTF-16 too, and shows a readable diff", async () => {
    const old = Buffer.from("\ufeffold\n", "utf16le").swap16();
    const { write, read, path } = conversation({ "a.txt": old });
    await read("a.txt");
    const { data } = await write("a.txt", "new\n");
    expect(readFileSync(path("a.txt")).equals(Buffer.from("\ufeffnew\n", "utf16le").swap16())).toBe(true);
    expect(data).toMatchObject({ diff_preview: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-\ufeffold\n+\ufeffnew\n" });
  });

  it("shows no byte order mark as new that was there already", async () => {
    const { write, read, now } = conversation({ "a.txt": "\ufeffold\n" });
    await read("a.txt");
    const { data } = await write("a.txt", "\ufeffnew\n");
    expect(now("a.txt")).toBe("\ufeffnew\n");
    expect(data).toMatchObject({ diff_preview: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-\ufeffold\n+\ufeffnew\n" });
  });

  it("becomes plain UTF-8 if it was in UTF-32", async () => {
    const old = Buffer.from([0xff, 0xfe, 0, 0, 0x68, 0, 0, 0]);
    const { write, path } = conversation({ "a.txt": old }, { requireRead: false });
    await write("a.txt", "hi\n");
    expect(readFileSync(path("a.txt")).equals(Buffer.from("hi\n"))).toBe(true);
  });

  it("may be binary where it may be replaced unread", async () => {
    const { write, now } = conversation({ "a.bin": "\0\u0001" }, { requireRead: false });
    const { data } = await write("a.bin", "text\n");
    expect(data).toMatchObject({
      applied: true,
      operation: "update",
      diff_preview: expect.not.stringContaining("\0") as unknown,
    });
    expect(now("a.bin")).toBe("text\n");
  });

  // Rule: A file that another process creates meanwhile is not overwritten.
  it("is not overwritten if another process creates it meanwhile", async () => {
    const { write, path, now } = conversation(
      {},
      {
        confirm: () => {
          writeFileSync(path("a.txt"), "theirs");
          return true;
        },
      },
    );
    expect((await write("a.txt", "mine")).error).toEqual({
      code: "CONFLICT",
      message: "'a.txt' exists and was not read.",
    });
    expect(now("a.txt")).toBe("theirs");
  });
});

describe("what went wrong", () => {
  it.each<[string, object, string, string]>([
    ["no path", { content: "x" }, "INVALID_PARAM", "Missing required parameter 'path'."],
    ["no content", { path: "a" }, "INVALID_PARAM", "Missing required parameter 'content'."],
    ["no text", { path: "a", content: {} }, "INVALID_PARAM", "content must be a string."],
    [
      "half a character",
      { path: "a", content: "\udc00" },
      "INVALID_PARAM",
      "content has half of a surrogate pair, which is not a character.",
    ],
    ["a directory", { path: "dir", content: "" }, "IS_DIRECTORY", "Path 'dir' is a directory."],
    ["a name for a directory", { path: "new/", content: "" }, "IS_DIRECTORY", "Path 'new/' is a directory."],
    ["a pipe", { path: "pipe", content: "" }, "INVALID_PARAM", "'pipe' is not a regular file."],
    [
      "a path outside",
      { path: "../x", content: "" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "a link to outside",
      { path: "out/x", content: "" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    ["a file as a directory", { path: "file/x", content: "" }, "NOT_FOUND", "File 'file/x' cannot be created there."],
    ["a home directory", { path: "~/x", content: "" }, "NOT_FOUND", "File '~/x' cannot be created there."],
    [".git", { path: ".git/hooks/x", content: "" }, "ACCESS_DENIED", "Writing to '.git/hooks/x' is not allowed."],
    ["a nested .git", { path: "dir/.git/x", content: "" }, "ACCESS_DENIED", "Writing to 'dir/.git/x' is not allowed."],
    [
      "spilled output",
      { path: "tool-output/x", content: "" },
      "ACCESS_DENIED",
      "Writing to 'tool-output/x' is not allowed.",
    ],
    ["a denied name", { path: "dir/x.pem", content: "" }, "ACCESS_DENIED", "Writing to 'dir/x.pem' is not allowed."],
  ])("is said for %s, and nothing is made", async (_, params, code, message) => {
    const { root } = fixture({
      project: { dir: {}, file: "", pipe: fifo(), out: link("../outside") },
      outside: {},
    });
    const write = createWriteTool({ projectRoot: `${root}/project`, deny: ["*.pem"] });
    const names = readdirSync(`${root}/project`);
    const response = conformant(await write.run(params), "edit");
    expect(response.error).toEqual({ code, message });
    expect(response.context.truncation_skip).toBe(true);
    expect(readdirSync(`${root}/project`)).toEqual(names);
    expect(readdirSync(`${root}/project/dir`)).toEqual([]);
    expect(readdirSync(`${root}/outside`)).toEqual([]);
  });

  it("understands other names of its parameters", async () => {
    const { path, sandbox } = conversation({});
    const tool = createWriteTool({ sandbox, durable: false });
    const response = conformant(await tool.run({ file_path: "a.txt", contents: "x" }), "edit");
    expect(response.text).toContain("Note: 'file_path' was taken as 'path'.");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("x");
  });
});

describe("confirm", () => {
  it("sees the whole file before it is there", async () => {
    const asked: ProposedChange[] = [];
    const { write, path } = conversation(
      {},
      {
        confirm: (change) => {
          asked.push(change);
          return false;
        },
      },
    );
    const { error } = await write("dir/a.txt", "x\n".repeat(500));
    expect(error).toEqual({ code: "ACCESS_DENIED", message: "The user declined the change to 'dir/a.txt'." });
    expect(asked[0]).toMatchObject({ tool: "Write", path: "dir/a.txt", operation: "create" });
    expect(asked[0]?.diff.split("\n")).toHaveLength(504);
    expect(readdirSync(path("."))).toEqual([]);
  });

  const LARGE = 16 * 1024 * 1024;
  it.each([
    ["a large file", Buffer.from("1234\n".repeat(4_000_000)), 4_000_000, "20000000 bytes) is too large to show."],
    ["a large file without a last line end", Buffer.alloc(LARGE + 1, "a\n"), LARGE / 2 + 1, "is too large to show."],
    ["a large file in UTF-16", Buffer.from(`\ufeff${"\u0a0a\n".repeat(LARGE / 4)}`, "utf16le"), LARGE / 4, "too large"],
    ["a binary file", Buffer.from("a\0b\nc\n"), 2, "6 bytes) is binary and not shown."],
    ["a binary file without a line end", Buffer.from("\0"), 1, "1 bytes) is binary and not shown."],
  ])("sees that %s goes", async (name, old, lines, remark) => {
    const asked: ProposedChange[] = [];
    const { write } = conversation(
      { b: old },
      {
        requireRead: false,
        confirm: (change) => {
          asked.push(change);
          return true;
        },
      },
    );
    const { data, stats } = await write("b", "x\n");
    const [diff] = asked.map((change) => change.diff.split("\n"));
    const added = name.includes("UTF-16") ? "+\ufeffx" : "+x";
    expect(diff).toEqual(["--- a/b", "+++ b/b", expect.stringContaining(remark), `@@ -1,${lines} +1,1 @@`, added, ""]);
    expect(data).toMatchObject({ diff_preview: diff?.join("\n") });
    expect(stats).toMatchObject({ lines_added: 1, lines_removed: lines, original_size: old.length });
  });
});

describe("the tool", () => {
  it("says that it writes, and tells models nothing of what only hosts need", () => {
    expect(writeDefinition).toMatchObject({ name: "Write", effect: "write" });
    expect(writeDefinition.jsonSchema).toMatchSnapshot();
  });

  it("lets only one of many conversations create a file", async () => {
    const { root, path } = fixture({});
    const calls = Array.from({ length: 20 }, (_, index) =>
      createWriteTool({ projectRoot: root, durable: false }).run({ path: "dir/a.txt", content: String(index) }),
    );
    const responses = await Promise.all(calls);
    const winners = responses.flatMap(({ status }, index) => (status === "success" ? [String(index)] : []));
    expect(winners).toHaveLength(1);
    expect(readFileSync(path("dir/a.txt"), "utf8")).toBe(winners[0]);
    expect(responses.filter(({ error }) => error?.code === "CONFLICT")).toHaveLength(19);
  });
});
