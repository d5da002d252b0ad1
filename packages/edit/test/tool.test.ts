import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createReadTool } from "@fstools/read";
import { createFileVersions, createSandbox, type ProposedChange } from "@fstools/sandbox";
import { conformant, fifo, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createEditTool, editDefinition, type EditToolOptions } from "../src/index.ts";
import { edited } from "./support.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const steady = (text: string) => text.replace(/\d+ms/u, "1ms");

/** Edit and Read of one conversation on one file. */
function conversation(content: string, options: Partial<EditToolOptions> = {}) {
  const { root, path } = fixture({ "a.txt": content });
  const sandbox = createSandbox({ projectRoot: root });
  const versions = createFileVersions();
  const edit = createEditTool({ durable: false, ...options, sandbox, versions });
  const read = createReadTool({ sandbox, versions });
  return {
    file: path("a.txt"),
    edit: async (params: object) => conformant(await edit.run({ path: "a.txt", ...params }), "edit"),
    read: async () => conformant(await read.run({ path: "a.txt" })),
    change: (text: string) => {
      writeFileSync(path("a.txt"), text);
      // Another second, so that no coarse clock can hide it.
      utimesSync(path("a.txt"), 1_000_000_000, 1_000_000_000);
    },
    now: () => readFileSync(path("a.txt"), "utf8"),
  };
}

describe("an edit", () => {
  it("says what it did, and shows the new lines with two around them", async () => {
    const { response } = await edited(numbered(100), {
      edits: [
        { old_string: "line 40\nline 41\nline 42\n", new_string: "forty\nforty-one\n" },
        { old_string: "line 90", new_string: "ninety" },
      ],
    });
    expect(response.status).toBe("success");
    expect(steady(response.text)).toMatchInlineSnapshot(`
      "Edited 'a.txt': 2 replacements (lines 40-41, 89).
      (Took 1ms)

        38 | line 38
        39 | line 39
        40 | forty
        41 | forty-one
        42 | line 43
        43 | line 44
        ...
        87 | line 88
        88 | line 89
        89 | ninety
        90 | line 91
        91 | line 92"
    `);
    expect(response.data).toMatchInlineSnapshot(`
      {
        "applied": true,
        "diff_preview": "--- a/a.txt
      +++ b/a.txt
      @@ -37,9 +37,8 @@
       line 37
       line 38
       line 39
      -line 40
      -line 41
      -line 42
      +forty
      +forty-one
       line 43
       line 44
       line 45
      @@ -87,7 +86,7 @@
       line 87
       line 88
       line 89
      -line 90
      +ninety
       line 91
       line 92
       line 93
      ",
        "diff_truncated": false,
        "operation": "edit",
        "replacements": 2,
      }
    `);
    expect(response.context).toEqual({
      cwd: ".",
      params_input: expect.anything() as unknown,
      path_resolved: "a.txt",
      truncation_skip: true,
    });
  });

  it("tells the new file's size and time, which a later call may name", async () => {
    const { edit, file } = conversation("one\n");
    const { stats } = await edit({ old_string: "one", new_string: "three" });
    expect(stats).toEqual({
      time_ms: expect.any(Number) as unknown,
      bytes_written: 6,
      lines_added: 1,
      lines_removed: 1,
      file_mtime_ms: Math.floor(statSync(file).mtimeMs),
      file_size_bytes: 6,
    });
    const expected = { expected_mtime_ms: stats.file_mtime_ms, expected_size_bytes: stats.file_size_bytes };
    expect((await edit({ old_string: "three", new_string: "4", ...expected })).status).toBe("success");
  });

  it("shows at most 40 lines, and no other lines than those of the file", async () => {
    const { response } = await edited(`${"x\n".repeat(50)}a\tb\u2028[Truncated: c]\u001b\n`, {
      edits: [
        { old_string: "x\na\t", new_string: "y\na\t" },
        { old_string: "b", new_string: "c" },
      ],
    });
    const [, body = ""] = response.text.split("\n\n");
    expect(body.split("\n").at(-1)).toBe("  51 | a\tc\\u2028[Truncated: c]\\u001b");
    const all = await edited("x\n".repeat(300), { old_string: "x", new_string: "y", replace_all: true });
    expect(all.response.text.split("\n\n")[1]?.split("\n")).toHaveLength(40);
    expect(all.response.text).toContain("300 replacements (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).");
  });

  it("cuts a long diff, although the file was written completely", async () => {
    const { response, text } = await edited("x\n".repeat(300), { old_string: "x", new_string: "y", replace_all: true });
    expect(text).toBe("y\n".repeat(300));
    expect(response.status).toBe("partial");
    expect(response.data).toMatchObject({ applied: true, diff_truncated: true, replacements: 300 });
    expect(response.text).toContain(
      "[Truncated: The diff shows its first 99 lines; the file was written completely. Use Read to see it.]",
    );
  });

  // Rule: A dry run writes nothing and shows the diff.
  it("only looks in a dry run", async () => {
    const { response, text } = await edited("one\n", { old_string: "one", new_string: "two", dry_run: true });
    expect(text).toBe("one\n");
    expect(steady(response.text)).toBe(
      [
        "Would edit 'a.txt': 1 replacement (line 1).",
        "(Took 1ms)",
        "[Dry Run: nothing was written. Repeat the call without dry_run to apply it.]",
        "",
        "   1 | two",
      ].join("\n"),
    );
    expect(response).toMatchObject({
      status: "partial",
      data: { applied: false, diff_preview: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n" },
      stats: { bytes_written: 0, file_size_bytes: 4 },
      context: { next_call: { tool: "Edit", params: { path: "a.txt", old_string: "one", new_string: "two" } } },
    });
  });

  it("says which lines it matched inexactly", async () => {
    const { response } = await edited("a\nb \nc\n", { old_string: "b\nc", new_string: "d" });
    expect(response.text).toContain(
      "[Warning: Replaced lines 2-3, where the text differs from old_string in trailing blanks or a last line end. Check the lines below.]",
    );
    const numbers = await edited("a\n", { old_string: "1\ta", new_string: "b" });
    expect(numbers.response.text).toContain("\nNote: The line numbers in old_string were taken off.\n");
  });

  it("writes the target of a link, and says where that is", async () => {
    const { root, path } = fixture({ dir: { "a.txt": "one" }, link: link("dir/a.txt") });
    const edit = createEditTool({ projectRoot: root, durable: false });
    const response = conformant(await edit.run({ path: "link", old_string: "one", new_string: "two" }), "edit");
    expect(response.context.path_resolved).toBe("dir/a.txt");
    expect(readFileSync(path("dir/a.txt"), "utf8")).toBe("two");
  });

  it("takes a path from the project root, or else from the working directory", async () => {
    const { root, path } = fixture({ dir: { "a.txt": "one", "b.txt": "one" }, "b.txt": "one" });
    const edit = createEditTool({ projectRoot: root, workingDir: "dir", durable: false });
    for (const name of ["a.txt", "b.txt"]) await edit.run({ path: name, old_string: "one", new_string: "two" });
    expect([path("dir/a.txt"), path("dir/b.txt"), path("b.txt")].map((file) => readFileSync(file, "utf8"))).toEqual([
      "two",
      "one",
      "two",
    ]);
  });

  it("keeps long strings out of params_input", async () => {
    const { response } = await edited("a\n", { old_string: "a", new_string: "b".repeat(5000) });
    expect(response.context.params_input).toEqual({
      path: "a.txt",
      old_string: "a",
      new_string: { truncated: true, bytes: 5000 },
    });
  });
});

describe("several edits", () => {
  it("are matched against the original, in any order", async () => {
    const { text } = await edited("a b c\n", {
      edits: [
        { old_string: "c", new_string: "a" },
        { old_string: "a", new_string: "b" },
        { old_string: "b", new_string: "c" },
      ],
    });
    expect(text).toBe("b c a\n");
  });

  it("may touch, but not overlap", async () => {
    const touching = await edited("abcd\n", {
      edits: [
        { old_string: "cd", new_string: "2" },
        { old_string: "ab", new_string: "1" },
      ],
    });
    expect(touching.text).toBe("12\n");
    const { response, text } = await edited("abcd\n", {
      edits: [
        { old_string: "cd", new_string: "2" },
        { old_string: "a", new_string: "1" },
        { old_string: "bc", new_string: "3" },
      ],
    });
    expect(text).toBe("abcd\n");
    expect(response).toMatchObject({
      error: { code: "INVALID_PARAM", message: "Edits 0 and 2 are overlapping." },
      data: { failed_index: 2 },
    });
  });

  // Rule: Several edits are made together or not at all.
  it.each([
    [{ old_string: "x", new_string: "y" }, "Edit at index 1: old_string not found in 'a.txt'."],
    [
      { old_string: "b", new_string: "y" },
      "Edit at index 1: old_string must be unique, but it occurs 2 times in 'a.txt' (lines 2, 3).",
    ],
    [{ old_string: "", new_string: "y" }, "Edit at index 1: old_string cannot be empty."],
    [{ old_string: "b", new_string: "b" }, "Edit at index 1: old_string and new_string are identical."],
  ])("are all made or none (%j)", async (second, message) => {
    const { response, text } = await edited("a\nb\nb\n", { edits: [{ old_string: "a", new_string: "A" }, second] });
    expect(text).toBe("a\nb\nb\n");
    expect(response).toMatchObject({ error: { code: "INVALID_PARAM", message }, data: { failed_index: 1 } });
  });
});

describe("what went wrong", () => {
  const FILE = `${numbered(40)}function f() {\n  if (x) {\n\treturn 1;\n  }\n}\n`;

  it.each<[string, object, string, string]>([
    [
      "a tab for spaces",
      { old_string: "function f() {\n  if (x) {\n    return 1;\n  }", new_string: "z" },
      "old_string not found in 'a.txt'.",
      "Closest: lines 41-44; line 43 has a tab where you wrote 4 spaces.\n\n  41 | function f() {",
    ],
    [
      "another word",
      { old_string: "  if (y) {\n\treturn 1;", new_string: "z" },
      "old_string not found in 'a.txt'.",
      "Closest: lines 42-43; line 42 has 'x) {' where you wrote 'y) {'.",
    ],
    [
      "a single similar line",
      { old_string: "function g() {", new_string: "z" },
      "old_string not found in 'a.txt'.",
      "Closest: line 41; line 41 has 'f() {' where you wrote 'g() {'.",
    ],
    [
      "a change that is there already",
      { old_string: "return 0;", new_string: "return 1;" },
      "old_string not found in 'a.txt'.",
      "new_string is already there, at line 43.",
    ],
    [
      "nothing alike",
      { old_string: "qqq", new_string: "z" },
      "old_string not found in 'a.txt'.",
      "Run Read on 'a.txt' and copy the text from it.",
    ],
    [
      "several places",
      { old_string: "line 1", new_string: "z" },
      "old_string must be unique, but it occurs more than 10 times in 'a.txt' (lines 1, 10, 11, 12, 13, 14, 15, 16, 17, 18, …).",
      "Add a line around it, or pass replace_all=true.",
    ],
    ["nothing to replace", { old_string: "", new_string: "z" }, "old_string cannot be empty.", "Pass the text"],
    ["no change", { old_string: "a", new_string: "a" }, "old_string and new_string are identical.", "Pass the text"],
    [
      "a change of line ends only",
      { old_string: "line 1\n", new_string: "line 1\r\n" },
      "old_string and new_string are identical.",
      "line ends only",
    ],
    ["no edits", { edits: [] }, "edits must be a non-empty list of { old_string, new_string }.", ""],
    ["no list", { edits: 5 }, "edits must be a non-empty list of { old_string, new_string }.", ""],
    [
      "an incomplete edit",
      { edits: [{ old_string: "a" }] },
      "edits must be a non-empty list of { old_string, new_string }.",
      "",
    ],
    ["neither", {}, "Missing required parameter 'old_string'.", "Missing required parameter 'new_string'."],
    ["half", { old_string: "a" }, "Missing required parameter 'new_string'.", ""],
    [
      "both",
      { old_string: "a", new_string: "b", edits: [{ old_string: "a", new_string: "b" }] },
      "Pass either old_string and new_string, or edits, not both.",
      "",
    ],
    ["several mistakes", { encoding: 5 }, "Missing required parameter 'old_string'.", "encoding must be a string."],
    [
      "no path",
      { path: undefined, dry_run: "perhaps" },
      "Missing required parameter 'path'.",
      "Missing required parameter 'old_string'.",
    ],
    ["a wrong type", { old_string: {}, new_string: "b" }, "old_string must be a string.", ""],
    [
      "half a version",
      { old_string: "a", new_string: "b", expected_size_bytes: 3 },
      "expected_mtime_ms and expected_size_bytes must be given together, or neither.",
      "",
    ],
    [
      "half a character",
      { old_string: "line 1\n", new_string: "\ud800" },
      "new_string has half of a surrogate pair, which is not a character.",
      "",
    ],
    [
      "a character that the encoding lacks",
      { old_string: "function", new_string: "“😀”", encoding: "shift_jis" },
      "new_string has a character that shift_jis cannot hold: '😀'.",
      "",
    ],
    [
      "an encoding with a memory",
      { old_string: "function", new_string: "f", encoding: "utf-7" },
      "Files in utf-7 cannot be edited.",
      "",
    ],
    [
      "an unknown encoding",
      { old_string: "a", new_string: "b", encoding: "klingon" },
      "Unknown encoding 'klingon'.",
      "",
    ],
  ])("is said for %s", async (_, params, message, hint) => {
    const { response, text } = await edited(FILE, params);
    expect(response.error?.code).toBe("INVALID_PARAM");
    expect(response.error?.message.startsWith(message)).toBe(true);
    expect(response.text).toContain(hint);
    expect(response.context.truncation_skip).toBe(true);
    expect(text).toBe(FILE);
  });

  it.each([
    ["missing.txt", "NOT_FOUND", "File 'missing.txt' does not exist."],
    ["dir", "IS_DIRECTORY", "Path 'dir' is a directory."],
    ["bin", "BINARY_FILE", "File 'bin' appears to be binary."],
    ["big", "INVALID_PARAM", "File 'big' is too large to edit (101 bytes, at most 100)."],
    ["pipe", "INVALID_PARAM", "'pipe' is not a regular file."],
    ["../x", "ACCESS_DENIED", "Access denied. Path must be within project root."],
    ["out", "ACCESS_DENIED", "Access denied. Path must be within project root."],
    [".git/config", "ACCESS_DENIED", "Writing to '.git/config' is not allowed."],
    ["tool-output/x.json", "ACCESS_DENIED", "Writing to 'tool-output/x.json' is not allowed."],
    ["key.pem", "ACCESS_DENIED", "Writing to 'key.pem' is not allowed."],
  ])("is said for %s", async (path, code, message) => {
    const { root } = fixture({
      project: {
        dir: {},
        bin: "\0",
        big: "x".repeat(101),
        pipe: fifo(),
        out: link("../outside"),
        ".git": { config: "x" },
        "tool-output": { "x.json": "x" },
        "key.pem": "x",
      },
      outside: "x",
    });
    const edit = createEditTool({ projectRoot: `${root}/project`, deny: ["*.pem"], maxFileBytes: 100 });
    const response = conformant(await edit.run({ path, old_string: "x", new_string: "y" }), "edit");
    expect(response.error).toEqual({ code, message });
    if (code === "NOT_FOUND") expect(response.text).toContain("To create it, use Write.");
  });

  it("names no tool that the model lacks", async () => {
    const { root } = fixture({ "a.txt": "a" });
    const edit = createEditTool({ projectRoot: root, siblings: ["Edit"] });
    for (const params of [{ path: "b.txt" }, { path: "a.txt" }, { path: ".git/x" }]) {
      const { text } = conformant(await edit.run({ ...params, old_string: "x", new_string: "y" }), "edit");
      expect(text).not.toMatch(/\b(?:Read|Write|LS)\b/u);
    }
  });
});

// Rule: Where the model has `read` and not Read, the hints of Edit and Write name `read`.
it.each([
  [["Edit", "read"], "read"],
  [["Edit", "read", "Read"], "Read"],
])("names the reader that the model has, of %j", async (siblings, reader) => {
  const { root, path } = fixture({ "a.txt": "a\n" });
  const versions = createFileVersions();
  const edit = createEditTool({ projectRoot: root, siblings, versions });
  const missing = { path: "a.txt", old_string: "nothing like it", new_string: "y" };
  const unlike = conformant(await edit.run(missing), "edit");
  expect(unlike.text).toContain(`Run ${reader} on 'a.txt' and copy the text from it.`);
  conformant(await edit.run({ path: "a.txt", old_string: "a", new_string: "b" }), "edit");
  writeFileSync(path("a.txt"), "changed\n");
  const stale = conformant(await edit.run(missing), "edit");
  expect(stale.error?.code).toBe("CONFLICT");
  expect(stale.text).toContain(`Run ${reader} on 'a.txt', then repeat`);
  const old = Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join("");
  writeFileSync(path("b.txt"), old);
  const long = await edit.run({ path: "b.txt", old_string: old, new_string: old.replaceAll("line", "row") });
  expect(conformant(long, "edit").text).toContain(`Use ${reader} to see it.`);
});

describe("a file that changed", () => {
  // Rule: A file that changed since it was read is a conflict, unless every `old_string` is there exactly once.
  it("is edited if every old_string is there exactly once, with a note", async () => {
    const { edit, read, change, now } = conversation("one\ntwo\n");
    await read();
    change("zero\none\ntwo\n");
    const response = await edit({ old_string: "one", new_string: "1" });
    expect(response.status).toBe("success");
    expect(response.text).toContain("\nNote: 'a.txt' had been modified since it was read.\n");
    expect(now()).toBe("zero\n1\ntwo\n");
  });

  it.each<[string, object]>([
    ["is not there", { old_string: "three", new_string: "3" }],
    ["is there twice", { old_string: "o", new_string: "0" }],
    ["is there twice, and all are replaced", { old_string: "o", new_string: "0", replace_all: true }],
    ["is there but for blanks", { old_string: "one \ntwo", new_string: "1" }],
    [
      "is not there for one of two",
      {
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "x", new_string: "y" },
        ],
      },
    ],
  ])("is a conflict if old_string %s", async (_, params) => {
    const { edit, read, change, now } = conversation("one\ntwo\n");
    await read();
    change("zero\none\ntwo\n");
    const { error, text, context } = await edit(params);
    expect(error).toEqual({ code: "CONFLICT", message: "'a.txt' has been modified since it was read." });
    expect(text).toContain("Run Read on 'a.txt'");
    expect(context.next_call).toEqual({ tool: "Read", params: { path: "a.txt" } });
    expect(now()).toBe("zero\none\ntwo\n");
    await read();
    expect((await edit({ old_string: "zero", new_string: "0" })).status).toBe("success");
  });

  it("is a conflict, whatever is there, for a caller who named the version", async () => {
    const { edit, read, change, now } = conversation("one\n");
    const { stats } = await read();
    const expected = { expected_mtime_ms: stats.file_mtime_ms, expected_size_bytes: stats.file_size_bytes };
    change("one\nmore\n");
    const { error } = await edit({ old_string: "one", new_string: "1", ...expected });
    expect(error?.code).toBe("CONFLICT");
    expect(now()).toBe("one\nmore\n");
  });

  it("shows the lines that the call is about as they are now, and names the page that has them", async () => {
    const { edit, read, change } = conversation(numbered(100));
    await read();
    change(numbered(100).replace("line 60\n", "line sixty\nmore\n"));
    const { text, context } = await edit({ old_string: "line 59\nline 60\nline 61", new_string: "x" });
    expect(text).toBe(
      [
        "'a.txt' has been modified since it was read. Nothing was written. Run Read on 'a.txt', then repeat the change on what is there. Closest: lines 59-61; line 60 has 'sixty' where you wrote '60'.",
        "",
        "  59 | line 59",
        "  60 | line sixty",
        "  61 | more",
      ].join("\n"),
    );
    expect(context.next_call).toEqual({ tool: "Read", params: { path: "a.txt", start_line: 39 } });
    const twice = await edit({ old_string: "line 9", new_string: "x" });
    expect(twice.text).toContain("Closest: line 9.\n\n   9 | line 9");
  });

  it("is not answered with a call of a tool that the model lacks", async () => {
    const { root, path } = fixture({ "a.txt": "one\n" });
    const edit = createEditTool({ projectRoot: root, siblings: ["Edit"] });
    await edit.run({ path: "a.txt", old_string: "one", new_string: "two" });
    writeFileSync(path("a.txt"), "three\n");
    const response = conformant(await edit.run({ path: "a.txt", old_string: "two", new_string: "x" }), "edit");
    expect(response).toMatchObject({ error: { code: "CONFLICT" } });
    expect(response.context).not.toHaveProperty("next_call");
  });

  it("does not count as changed if this conversation changed it", async () => {
    const { edit, now } = conversation("a a\n");
    await edit({ old_string: "a a", new_string: "b b" });
    const response = await edit({ old_string: "b", new_string: "c", replace_all: true });
    expect(response.text).not.toContain("modified");
    expect(now()).toBe("c c\n");
  });
});

describe("the closest lines", () => {
  it.each([
    ["the numbers that the file has", "1: a\n2: b\n", "1: a\n2: c", "line 2 has 'b' where you wrote 'c'."],
    ["no numbers that a tool printed", "a\nfoo b\n", "1: a\n2: foo c", "line 2 has 'b' where you wrote 'c'."],
    ["all that the caller wrote", "1: a\n3: b\n", "1: a\n2: b", "line 2 has '3: b' where you wrote '2: b'."],
  ])("are compared with %s", async (_, file, old, difference) => {
    const { response } = await edited(file, { old_string: old, new_string: "z" });
    expect(response.text).toContain(`Closest: lines 1-2; ${difference}`);
  });
});

describe("replace_all beside edits", () => {
  const [a, b] = [
    { old_string: "a", new_string: "c" },
    { old_string: "b", new_string: "d" },
  ];

  it("holds for each of them that does not say otherwise", async () => {
    const all = await edited("a a\nb\n", { edits: [a, { ...b, replace_all: false }], replace_all: true });
    expect(all.text).toBe("c c\nd\n");
    const one = await edited("a a\nb b\n", { edits: [a, { ...b, replace_all: false }], replace_all: true });
    expect(one.response.error?.message).toMatch(/^Edit at index 1: old_string must be unique/u);
    const own = await edited("a a\n", { edits: [{ ...a, replace_all: true }], replace_all: false });
    expect(own.text).toBe("c c\n");
    expect((await edited("a a\n", { edits: [a] })).response.error?.message).toContain("must be unique");
  });
});

describe("a lone \\r beside a \\n", () => {
  it("does not become one line end with it", async () => {
    const { response, text } = await edited("x\rAB\nC", { old_string: "x\nAB", new_string: "p\nq\n" });
    expect(text).toBe("p\rq\n\nC");
    expect(response.text).toMatch(/ 1 \| p\n +2 \| q\n +3 \| \n +4 \| C$/u);
    const between = await edited("a\rX\nb\n", { old_string: "X", new_string: "\n" });
    expect(between.text).toBe("a\r\r\n\nb\n");
  });

  it("is one line end with it where all between them goes, and the answer says so", async () => {
    const { response, text } = await edited("a\rX\nb\nc\n", {
      edits: [
        { old_string: "X", new_string: "" },
        { old_string: "c", new_string: "d" },
      ],
    });
    expect(text).toBe("a\r\nb\nd\n");
    expect(response.data).toMatchObject({
      diff_preview: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n-a\rX\n+a\r\n b\n-c\n+d\n",
    });
    expect(response.text).toContain("2 replacements (lines 1, 3).");
  });
});

describe("file_mtime_ms", () => {
  it.skipIf(process.platform !== "linux")("is rounded down, as expected_mtime_ms is compared", async () => {
    const { edit, read, file } = conversation("one\n");
    // Node sets no time that exactly.
    execFileSync("touch", ["-d", "2024-01-01T00:00:00.123999999Z", file]);
    expect((await read()).stats).toMatchObject({ file_mtime_ms: 1_704_067_200_123 });
    const version = { expected_mtime_ms: 1_704_067_200_123, expected_size_bytes: 4 };
    const dry = await edit({ old_string: "one", new_string: "1", dry_run: true, ...version });
    expect(dry.stats).toMatchObject({ file_mtime_ms: 1_704_067_200_123 });
    expect((await edit({ old_string: "one", new_string: "1", ...version })).status).toBe("success");
  });
});

describe("insert_line", () => {
  it.each([
    ["before the first line", "a\nb\n", 0, "x", "x\na\nb\n"],
    ["between two", "a\nb\n", 1, "x\n", "a\nx\nb\n"],
    ["several lines", "a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
    ["after the last", "a\nb\n", 2, "x", "a\nb\nx\n"],
    ["after one without a line end", "a\r\nb", 2, "x", "a\r\nb\r\nx"],
    ["an empty line", "a\nb\n", 1, "", "a\n\nb\n"],
    ["into an empty file", "", 0, "x", "x\n"],
    ["after a lone \\r", "a\rb\r", 1, "x", "a\rx\rb\r"],
  ])("puts text in as lines of its own: %s", async (_, content, line, new_string, expected) => {
    const { response, text } = await edited(content, { insert_line: line, new_string });
    expect(text).toBe(expected);
    expect(response).toMatchObject({ status: "success", data: { replacements: 1 } });
  });

  it.each([
    [{ insert_line: 3, new_string: "x" }, "insert_line (3) exceeds file length (2 lines)."],
    [{ insert_line: -1, new_string: "x" }, "insert_line must be a non-negative integer."],
    [{ insert_line: 1 }, "Missing required parameter 'new_string'."],
    [{ insert_line: 1, new_string: "\ud800" }, "new_string has half of a surrogate pair, which is not a character."],
    [
      { insert_line: 1, new_string: "x", old_string: "a" },
      "Pass insert_line and new_string, without old_string and edits.",
    ],
  ])("is refused: %j", async (params, message) => {
    const { response, text } = await edited("a\nb\n", params);
    expect(response.error).toEqual({ code: "INVALID_PARAM", message });
    expect(text).toBe("a\nb\n");
  });

  it("is a conflict in a file that changed, since a number proves nothing", async () => {
    const { edit, read, change } = conversation("one\ntwo\n");
    await read();
    change("zero\none\ntwo\n");
    expect(await edit({ insert_line: 1, new_string: "x" })).toMatchObject({ error: { code: "CONFLICT" } });
  });
});

describe("requireRead", () => {
  it("demands that the file was read, or its version named", async () => {
    const { edit, read, now } = conversation("one\n", { requireRead: true });
    const refused = await edit({ old_string: "one", new_string: "1" });
    expect(refused.error).toEqual({ code: "INVALID_PARAM", message: "Read the file before editing it: 'a.txt'." });
    const { stats } = await read();
    expect((await edit({ old_string: "one", new_string: "1" })).status).toBe("success");
    expect(now()).toBe("1\n");
    const other = conversation("one\n", { requireRead: true });
    const state = statSync(other.file);
    const expected = { expected_mtime_ms: Math.floor(state.mtimeMs), expected_size_bytes: stats.file_size_bytes };
    expect((await other.edit({ old_string: "one", new_string: "1", ...expected })).status).toBe("success");
  });
});

describe("confirm", () => {
  it("is asked with the whole diff, and not for a dry run or a failure", async () => {
    const asked: ProposedChange[] = [];
    const confirm = (change: ProposedChange) => {
      asked.push(change);
      return asked.length > 1;
    };
    const { edit, now } = conversation("x\n".repeat(200), { confirm });
    await edit({ old_string: "x", new_string: "y", replace_all: true, dry_run: true });
    await edit({ old_string: "q", new_string: "y" });
    expect(asked).toEqual([]);
    const refused = await edit({ old_string: "x", new_string: "y", replace_all: true });
    expect(refused.error).toEqual({ code: "ACCESS_DENIED", message: "The user declined the change to 'a.txt'." });
    expect(asked).toEqual([{ tool: "Edit", path: "a.txt", operation: "edit", diff: expect.any(String) as unknown }]);
    expect(asked[0]?.diff.split("\n")).toHaveLength(404);
    expect(now()).toBe("x\n".repeat(200));
    await edit({ old_string: "x", new_string: "y", replace_all: true });
    expect(now()).toBe("y\n".repeat(200));
  });
});

describe("the tool", () => {
  it("says that it writes, and tells models nothing of what only hosts need", () => {
    expect(editDefinition).toMatchObject({ name: "Edit", effect: "write" });
    expect(editDefinition.jsonSchema).toMatchSnapshot();
  });

  it("leaves no other file behind", async () => {
    const { root } = fixture({ "a.txt": "one" });
    const edit = createEditTool({ projectRoot: root });
    for (const old_string of ["one", "nothing", ""]) await edit.run({ path: "a.txt", old_string, new_string: "two" });
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  // Rule: Edits of one file wait for each other; none is lost.
  it("makes many edits of one file at the same time, and loses none", async () => {
    const { edit, now } = conversation(Array.from({ length: 50 }, (_, index) => `<${index}>\n`).join(""));
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => edit({ old_string: `<${index}>`, new_string: `[${index}]` })),
    );
    expect(responses.every(({ status }) => status === "success")).toBe(true);
    expect(now()).toBe(Array.from({ length: 50 }, (_, index) => `[${index}]\n`).join(""));
  });

  it("refuses an invalid limit", () => {
    expect(() => createEditTool({ projectRoot: ".", maxFileBytes: 0 })).toThrow(RangeError);
  });
});
