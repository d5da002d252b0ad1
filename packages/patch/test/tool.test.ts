import { chmodSync, linkSync, utimesSync, writeFileSync } from "node:fs";
import { renderForModel } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createFileVersions, createSandbox, type ProposedChange } from "@fstools/sandbox";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { filesIn } from "./files-in.ts";
import { apply, patched } from "./support.ts";

const marked = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const update = (path: string, ...lines: readonly string[]) => marked(`*** Update File: ${path}`, ...lines);
const unified = (path: string, ...lines: readonly string[]) =>
  [`--- a/${path}`, `+++ b/${path}`, ...lines, ""].join("\n");
const steady = (text: string) => text.replaceAll(/\d+ms/gu, "0ms");

describe("Patch", () => {
  it("creates, changes, deletes and moves in one call, and says what became of each", async () => {
    const { response, files } = await patched(
      { src: { "a.ts": "one\ntwo\nthree\n", "old.ts": "x\n", "from.ts": "keep\nthis\n" } },
      marked(
        "*** Add File: new/dir/new.ts",
        "+first",
        "+",
        "+third",
        "*** Update File: src/a.ts",
        "@@",
        " one",
        "-two",
        "+2",
        "*** Delete File: src/old.ts",
        "*** Update File: src/from.ts",
        "*** Move to: src/to.ts",
        "@@",
        " keep",
        "-this",
        "+that",
      ),
    );
    expect(files).toEqual({
      "new/dir/new.ts": "first\n\nthird\n",
      "src/a.ts": "one\n2\nthree\n",
      "src/to.ts": "keep\nthat\n",
    });
    expect(response.status).toBe("success");
    expect(renderForModel(response)).toBe(response.text.replace(/\(Took.*\n/u, ""));
    expect(steady(response.text)).toMatchInlineSnapshot(`
      "Patched 4 files.
      (Took 0ms)
      (Created directory: new/dir)

      A new/dir/new.ts
      M src/a.ts (line 2)
      D src/old.ts
      R src/from.ts -> src/to.ts (line 2)"
    `);
    expect(response.data).toMatchObject({
      applied: true,
      operation: "patch",
      files: [
        { path: "new/dir/new.ts", operation: "create", lines_added: 3, lines_removed: 0 },
        { path: "src/a.ts", operation: "update", lines_added: 1, lines_removed: 1 },
        { path: "src/old.ts", operation: "delete", lines_added: 0, lines_removed: 1 },
        { path: "src/to.ts", operation: "move", from: "src/from.ts", lines_added: 1, lines_removed: 1 },
      ],
      diff_truncated: false,
    });
    expect(response.stats).toMatchObject({ lines_added: 5, lines_removed: 3, bytes_written: 35 });
  });

  it("answers a dry run with the same words, and writes nothing", async () => {
    const { response, files } = await patched({ "a.txt": "a\n" }, { diff: update("a.txt", "-a", "+b"), dry_run: true });
    expect(files).toEqual({ "a.txt": "a\n" });
    expect(response).toMatchObject({ status: "partial", data: { applied: false, operation: "patch" } });
    expect(steady(response.text)).toMatchInlineSnapshot(`
      "Would patch 1 files.
      (Took 0ms)
      [Dry Run: nothing was written. Repeat the call without dry_run to apply it.]
      Note: 'diff' was taken as 'patch'.

      M a.txt (line 1)"
    `);
    expect(response.context.next_call).toMatchObject({ tool: "Patch", params: { patch: update("a.txt", "-a", "+b") } });
  });

  it.each(["input", "patch_text", "patchText", "diff"])("takes %s for the patch", async (name) => {
    const { files } = await patched({ "a.txt": "a\n" }, { [name]: update("a.txt", "-a", "+b") });
    expect(files).toEqual({ "a.txt": "b\n" });
  });

  it.each([
    ["apply_patch <<'EOF'", "EOF"],
    ['<<-"PATCH"', "PATCH"],
    ["cat <<'EOF' | apply_patch", "EOF"],
  ])("takes what is in the heredoc of %s", async (head, word) => {
    const { files } = await patched({ "a.txt": "a\n" }, `${head}\n${update("a.txt", "-a", "+b")}${word}\n`);
    expect(files).toEqual({ "a.txt": "b\n" });
  });

  it("shows a preview that git applies, and cuts a long one", async () => {
    const long = Array.from({ length: 120 }, (_, index) => `+line ${index}`);
    const { response } = await patched(
      { "a.txt": "a\n" },
      marked("*** Add File: b.txt", ...long, "*** Delete File: a.txt"),
    );
    expect(response).toMatchObject({ status: "partial", data: { applied: true, diff_truncated: true } });
    expect(response.text).toContain("the files were written completely. Use Read to see them.]");
  });
});

describe("the place of a hunk", () => {
  // Rule: A hunk of Patch that fits in several places is refused; the first is never taken by chance.
  it.each([
    ["two places", "x\na\nx\na\n", ["-a", "+b"], "Hunk 1 of 'f' fits in 2 places (lines 2, 4)."],
    [
      "many",
      "a\n".repeat(30),
      [" a", "+b"],
      "Hunk 1 of 'f' fits in more than 10 places (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).",
    ],
    ["two by indentation", "  a\n  b\n  a\n  b\n", [" a", "-b"], "Hunk 1 of 'f' fits in 2 places (lines 1, 3)."],
  ])("is refused if there are %s", async (_, content, lines, message) => {
    const { response, files } = await patched({ f: content }, update("f", ...lines));
    expect(response.error).toEqual({ code: "INVALID_PARAM", message });
    expect(response.text).toContain("Nothing was changed. Add unchanged lines around it");
    expect(files).toEqual({ f: content });
  });

  it.each<[string, string, string[], string]>([
    ["below the hunk before it", "a\nb\na\nb\n", ["@@", " a", " b", " a", "-b", "+1"], "a\nb\na\n1\n"],
    ["below the hunk before it, too", "b\na\nb\n", ["@@", "-a", "+1", "@@", "-b", "+2"], "b\n1\n2\n"],
    ["below its anchor", "a\nf:\na\n", ["@@ f:", "-a", "+1"], "a\nf:\n1\n"],
    ["below its anchors", "f:\na\ng:\na\nf:\na\n", ["@@ g:", "@@ f:", "-a", "+1"], "f:\na\ng:\na\nf:\n1\n"],
    ["below an anchor that is indented", "a\n  f:\na\n", ["@@ f:", "-a", "+1"], "a\n  f:\n1\n"],
    ["the only one, though the anchor fits twice", "f\nf\na\n", ["@@ f", "-a", "+1"], "f\nf\n1\n"],
    ["at the end of the file", "a\nb\na\n", ["-a", "+1", "*** End of File"], "a\nb\n1\n"],
    ["with an empty context line that has no sign", "a\n\nb\na\nb\n", [" a", "", "-b", "+1"], "a\n\n1\na\nb\n"],
    ["without an empty line that is only between hunks", "a\nb\nc\n", ["-a", "+1", "", "@@", "-c", "+3"], "1\nb\n3\n"],
    ["at the end for new lines alone", "a\n", ["+b", "+c"], "a\nb\nc\n"],
    ["below the anchor for new lines alone", "a\nb\n", ["@@ a", "+1"], "a\n1\nb\n"],
    ["in an empty file", "", ["+a"], "a\n"],
    ["after numbers that are not believed", "x\ny\nz\n", ["@@ -9,1 +9,1 @@ f()", "-y", "+2"], "x\n2\nz\n"],
    ["twice at the end", "a\n", ["@@", "+b", "@@", "+c"], "a\nb\nc\n"],
    ["after a last line that goes", "a\nb", ["@@", "-b", "@@", "+c"], "a\nc"],
  ])("is %s", async (_, content, lines, result) => {
    const { response, files } = await patched({ f: content }, update("f", ...lines));
    expect(response.text).toContain("Patched 1 files.");
    expect(files).toEqual({ f: result });
  });

  it.each<[string, string, string[], string]>([
    [
      "above the hunk before it",
      "b\na\n",
      ["@@", "-a", "+1", "@@", "-b", "+2"],
      "Hunk 2 of 'f' was not found there. Nothing was changed. It fits at line 1",
    ],
    ["above its anchor", "a\nf\n", ["@@ f", "-a", "+1"], "It fits at line 1"],
    [
      "nowhere near its anchor",
      "a\nffoo bar\n",
      ["@@ foo bar", "-a", "+1"],
      "Hunk 1 of 'f' has an anchor that was not found: 'foo bar'.",
    ],
    [
      "below an anchor in two places",
      "a\nb\na\n",
      ["@@ a", "+1"],
      "Hunk 1 of 'f' has an anchor in 2 places (lines 1, 3): 'a'.",
    ],
    ["not at the end", "a\nb\n", ["-a", "+1", "*** End of File"], "Hunk 1 of 'f' was not found."],
    ["done already", "1\nb\nc\n", ["-a", "+1", " b"], "Its new lines are already there, at line 1."],
    [
      "near",
      "  if (a) {\n    b();\n  }\n",
      ["   if (a) {", "-    c();", "+    d();"],
      "Closest: lines 1-2; line 2 has 'b();' where you wrote 'c();'.",
    ],
    ["longer than the file", "a\n", [" a", " b", " c", " d", "-e"], "Hunk 1 of 'f' was not found."],
    ["no change", "a\n", [" a"], "The patch changes nothing in 'f'."],
    ["the same line twice", "a\n", ["-a", "+a"], "The patch changes nothing in 'f'."],
  ])("is refused if it is %s", async (_, content, lines, sentence) => {
    const { response, files } = await patched({ f: content }, update("f", ...lines));
    expect(response.error?.code).toBe("INVALID_PARAM");
    expect(response.text).toContain(sentence);
    expect(files).toEqual({ f: content });
  });

  it.each<[string, string, string[], string, string]>([
    [
      "trailing_space",
      "a  \nb\n",
      ["-a", "+1"],
      "1\nb\n",
      "line 1 of 'f', where the text differs from the patch in trailing blanks or a last line end",
    ],
    ["trailing_space", "a\nb\n", ["-b", "+2", ""], "a\n2\n", "line 2"],
    ["indentation", "  a\n    b\n", [" a", "-  b", "+  c", "+    d"], "  a\n    c\n      d\n", "lines 1-2 of 'f'"],
    ["punctuation", "say “a”\nb \n", [' say "a"', "+c"], "say “a”\nc\nb \n", "line 1"],
    ["escapes", 'a("x")\nb\n', ['-a(\\"x\\")', '+a(\\"y\\")'], 'a("y")\nb\n', "line 1"],
  ])("may differ in %s", async (kind, content, lines, result, where) => {
    const { response, files } = await patched({ f: content }, update("f", ...lines));
    expect(files).toEqual({ f: Buffer.from(result).toString("latin1") });
    expect(response).toMatchObject({ status: "partial", data: { fallback: kind } });
    expect(response.text).toContain(where);
    expect(response.text).toContain("Check the lines below.]");
    expect(response.text).toMatch(/\n\nf\n {3}1 \| /u);
  });
});

describe("a unified diff", () => {
  it.each<[string, string, string[], string]>([
    ["wrong numbers", "a\nb\nc\n", ["@@ -70,9 +1,2 @@", " a", "-b", "+2", " c"], "a\n2\nc\n"],
    ["no numbers", "a\nb\n", ["@@ @@", "-b", "+2"], "a\n2\n"],
    ["no @@ at first", "a\nb\n", [" a", "-b", "+2"], "a\n2\n"],
    ["lines that look like headers", "-- a\nb\n", ["@@ -1,2 +1,2 @@", "--- a", "+++ b", " b"], "++ b\nb\n"],
    ["text after the second @@", "f\na\nb\n", ["@@ -2,1 +2,1 @@ g", "-a", "+1"], "f\n1\nb\n"],
    [
      "a last line without an end",
      "a\nb",
      ["@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+2"],
      "a\n2\n",
    ],
    ["an end taken off", "a\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"], "a\nb"],
    ["empty lines without a sign", "a\n\nb\n", ["@@ -1,3 +1,3 @@", " a", "", "-b", "+2"], "a\n\n2\n"],
    ["an empty file", "", ["@@ -0,0 +1 @@", "+a"], "a\n"],
  ])("may have %s", async (_, content, lines, result) => {
    const { response, files } = await patched({ f: content }, unified("f", ...lines));
    expect(response.text).toContain("Patched 1 files.");
    expect(files).toEqual({ f: result });
  });

  it.each<[string, string, string[], string]>([
    ["only new lines", "a\n", ["@@ -1,0 +2 @@", "+b"], "Hunk 1 of 'f' has only new lines."],
    [
      "several places and no header of git",
      "a\nb\na\n",
      ["@@ -3 +3 @@", "-a", "+1"],
      "Hunk 1 of 'f' fits in 2 places (lines 1, 3).",
    ],
    [
      "an end that the file has",
      "a\nb\n",
      ["@@ -2 +2 @@", "-b", "\\ No newline at end of file", "+2"],
      "Hunk 1 of 'f' was not found.",
    ],
  ])("is refused with %s", async (_, content, lines, sentence) => {
    const { response } = await patched({ f: content }, unified("f", ...lines));
    expect(response.error).toEqual({ code: "INVALID_PARAM", message: sentence });
    // Text after the second "@@" is no anchor here.
    expect(response.text).not.toContain("or '@@'");
  });

  // Rule: Below git's own header, of several exact places the one at the line that the hunk names is taken, as long as the hunks above were where they say.
  it("takes git's line if it fits there, too", async () => {
    const diff = (line: number, ...lines: readonly string[]) => {
      return `diff --git a/f b/f\n${unified("f", `@@ -${line},2 +${line},2 @@`, ...lines)}`;
    };
    const content = "a\nx\nb\na\nx\n";
    expect((await patched({ f: content }, diff(4, "-a", "+1", " x"))).files).toEqual({ f: "a\nx\nb\n1\nx\n" });
    expect((await patched({ f: content }, diff(1, "-a", "+1", " x"))).files).toEqual({ f: "1\nx\nb\na\nx\n" });
    expect((await patched({ f: content }, diff(2, "-a", "+1", " x"))).response.text).toContain("fits in 2 places");
    // Without a line after it, git means the end of the file.
    expect((await patched({ f: content }, diff(1, " a", "-x", "+1"))).response.text).toContain("fits in 2 places");
    const moved = unified("f", "@@ -1,2 +1,2 @@", " y", "-z", "+Z", "@@ -4,2 +4,2 @@", "-a", "+1", " x");
    const { response } = await patched({ f: "new\ny\nz\na\nx\na\nx\n" }, `diff --git a/f b/f\n${moved}`);
    expect(response.text).toContain("Hunk 2 of 'f' fits in 2 places (lines 4, 6).");
  });

  it.each<[string, string[], string]>([
    ["a link", ["new file mode 120000", "--- /dev/null", "+++ b/g", "@@ -0,0 +1 @@", "+target"], "'g' is a link."],
    [
      "a submodule",
      ["index 1234567..89abcde 160000", "--- a/g", "+++ b/g", "@@ -1 +1 @@", "-x", "+y"],
      "'g' is a submodule.",
    ],
    ["a binary file", ["index 1234567..89abcde 100644", "Binary files a/g and b/g differ"], "'g' is binary."],
    ["a copy", ["similarity index 100%", "copy from f", "copy to g"], "'g' is a copy."],
  ])("is refused if it is of %s", async (_, lines, message) => {
    const { response } = await patched({ f: "x\n" }, ["diff --git a/g b/g", ...lines, ""].join("\n"));
    expect(response.error).toMatchObject({ message: expect.stringContaining(message.slice(4)) as string });
  });

  it("reads git's headers: new, deleted, renamed, modes, quoted names", async () => {
    const { response, files } = await patched(
      { "old name": "a\n", é: "x\n", "run.sh": "r\n", gone: "g\n", empty: "" },
      [
        "diff --git a/old name b/new name",
        "similarity index 100%",
        "rename from old name",
        "rename to new name",
        'diff --git "a/\\303\\251" "b/\\303\\251"',
        '--- "a/\\303\\251"',
        '+++ "b/\\303\\251"',
        "@@ -1 +1 @@",
        "-x",
        "+y",
        "diff --git a/run.sh b/run.sh",
        "old mode 100644",
        "new mode 100755",
        "diff --git a/script b/script",
        "new file mode 100755",
        "index 0000000..1234567",
        "--- /dev/null",
        "+++ b/script",
        "@@ -0,0 +1 @@",
        "+#!/bin/sh",
        "\\ No newline at end of file",
        "diff --git a/gone b/gone",
        "deleted file mode 100644",
        "--- a/gone",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-g",
        "diff --git a/empty b/empty",
        "deleted file mode 100644",
        "",
      ].join("\n"),
    );
    expect(response.status).toBe("success");
    expect(files).toEqual({ "new name": "a\n", é: "y\n", "run.sh": "x r\n", script: "x #!/bin/sh" });
  });

  it("reads names that end with a blank, and names a copy", async () => {
    const diff = "diff --git a/a  b/b \nsimilarity index 100%\nrename from a \nrename to b \n";
    expect((await patched({ "a ": "x\n" }, diff)).files).toEqual({ "b ": "x\n" });
    const mode = "diff --git a/a  b/a \r\nold mode 100644\r\nnew mode 100755\r\n";
    expect((await patched({ "a ": "x\n" }, mode)).files).toEqual({ "a ": "x x\n" });
    const copy = "diff --git a/a b/b\nsimilarity index 100%\ncopy from a\ncopy to b\n";
    expect((await patched({ a: "x\n" }, copy)).response.error?.message).toBe("'b' is a copy.");
  });

  it("removes a file only if it removes all of its lines", async () => {
    const diff = "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
    expect((await patched({ f: "a\n" }, diff)).files).toEqual({});
    expect((await patched({ f: "a\nb\n" }, diff)).response.error).toEqual({
      code: "INVALID_PARAM",
      message: "'f' has lines that the patch does not remove.",
    });
  });

  it("takes a/ and b/ off together, and a tab for the end of a name", async () => {
    const { files } = await patched(
      { a: { f: "x\n" }, "b c": "x\n" },
      "--- a/f\n+++ a/f\n-x\n+y\n--- a/b c\t2020\n+++ b/b c\t2021\n-x\n+z\n",
    );
    expect(files).toEqual({ "a/f": "y\n", "b c": "z\n" });
  });
});

describe("line ends and encodings", () => {
  it.each<[string, string, string, string]>([
    ["the file's, where the patch has none", "a\r\nb\r\n", update("f", "-b", "+1", "+2"), "a\r\n1\r\n2\r\n"],
    [
      "those of the lines around them",
      "a\r\nb\nc\r\n",
      update("f", " a", "+1", " b", "-c", "+2"),
      "a\r\n1\r\nb\n2\r\n",
    ],
    ["of the line before them", "a\nb\r\nc\r\n", update("f", " a", "+1"), "a\n1\nb\r\nc\r\n"],
    [
      "the file's, where the whole patch has others",
      "a\nb\n",
      update("f", "-b", "+1").replaceAll("\n", "\r\n"),
      "a\n1\n",
    ],
    [
      "their own, where a diff has both",
      "a\r\nb\n",
      unified("f", "@@ -1,2 +1,3 @@", " a\r", "+1\r", "-b", "+2"),
      "a\r\n1\r\n2\n",
    ],
    ["changed, if the diff says so", "a\nb\n", unified("f", "@@ -1,2 +1,2 @@", "-a", "+a\r", " b"), "a\r\nb\n"],
    [
      "of the line before the last one, which has none",
      "a\r\nb\nc",
      update("f", " b", "-c", "+1", "+2"),
      "a\r\nb\n1\n2",
    ],
    ["not there, as before", "a\nb", update("f", " a", "-b", "+1", "+2"), "a\n1\n2"],
    ["not there, as before, with lines added", "a\nb", update("f", " b", "+c"), "a\nb\nc"],
  ])("are %s", async (_, content, patch, result) => {
    const { response, files } = await patched({ f: content }, patch);
    expect(response.text).toContain("Patched 1 files.");
    expect(files).toEqual({ f: result });
  });

  it("changes bytes of the file's encoding, and leaves all others", async () => {
    const utf16 = Buffer.from("\ufeffé\nb\n", "utf16le");
    const { files } = await patched(
      { f: utf16, g: Buffer.from([0xff, 10, 97, 10]), h: "\ufeffa\nb\n" },
      marked(
        "*** Update File: f",
        " é",
        "-b",
        "+漢",
        "*** Update File: g",
        "-a",
        "+b",
        "*** Update File: h",
        "-a",
        "+1",
      ),
    );
    expect(Buffer.from(files.f ?? "", "latin1").toString("utf16le")).toBe("\ufeffé\n漢\n");
    expect(files).toMatchObject({ g: "\xff\nb\n", h: "\xef\xbb\xbf1\nb\n" });
  });

  it("is no place for a binary file, half a character, or a line with bytes that are not text", async () => {
    const binary = await patched({ f: "a\0\n" }, update("f", "-a", "+b"));
    expect(binary.response.error?.code).toBe("BINARY_FILE");
    // Patch takes no encoding.
    expect(binary.response.text).toContain("Leave it out of the patch.");
    expect((await patched({ f: "a\n" }, update("f", "-a", "+\ud800"))).response.error?.message).toContain("surrogate");
    const { response } = await patched({ f: Buffer.from([0xff, 10]) }, update("f", "-\ufffd", "+b"));
    expect(response.error?.message).toBe("Hunk 1 of 'f' was not found.");
  });
});

describe("all or nothing", () => {
  // Rule: Patch names all problems of all its files in one answer, and has changed nothing then.
  it("names all problems, by file and hunk", async () => {
    const tree = { a: "1\n2\n", b: "x\n", there: "t\n", dir: { f: "" } };
    const { response, files } = await patched(
      tree,
      marked(
        "*** Update File: a",
        "@@",
        "-3",
        "+4",
        "@@",
        "-2",
        "+two",
        "*** Update File: missing",
        "-a",
        "*** Add File: there",
        "+new",
        "*** Delete File: dir",
        "*** Update File: b",
        "*** Move to: there2",
        "-x",
        "+y",
      ),
    );
    expect(response.error).toEqual({ code: "INVALID_PARAM", message: "Hunk 1 of 'a' was not found." });
    expect(response.data).toEqual({
      failed_items: [
        { path: "a", hunk: 1, message: "Hunk 1 of 'a' was not found." },
        { path: "missing", message: "File 'missing' does not exist." },
        { path: "there", message: "'there' exists already." },
        { path: "dir", message: "Path 'dir' is a directory." },
      ],
    });
    expect(response.text).toMatchInlineSnapshot(`
      "Hunk 1 of 'a' was not found. Nothing was changed. Run Read on 'a' and copy its lines from the file.

      File 'missing' does not exist. Check the path, or run LS on '.' to see what is there.

      'there' exists already. Change it as it is, or choose another name.

      Path 'dir' is a directory. Run LS on 'dir' to see what is there."
    `);
    expect(files).toEqual({ a: "1\n2\n", b: "x\n", there: "t\n", "dir/f": "" });
  });

  it("shows at most 50 problems", async () => {
    const lines = Array.from({ length: 70 }, (_, index) => [`@@`, `-no ${index}`, `+${index}`]).flat();
    const { response } = await patched({ a: "1\n".repeat(300) }, update("a", ...lines));
    expect(response.text).toMatch(/\n\nAnd 20 more problems\.$/u);
    expect(response.data).toMatchObject({ failed_items: { length: 70 } });
  });

  it("shows at most 10 KB of problems, in any script", async () => {
    const long = (index: number) => `${"漢".repeat(90)}${index}`;
    const lines = Array.from({ length: 40 }, (_, index) => ["@@", ` ${long(index * 10)}`, "-x", "+y"]).flat();
    const content = Array.from({ length: 600 }, (_, index) => `${long(index)}\n`).join("");
    const { response } = await patched({ a: content }, update("a", ...lines));
    expect(response.text).toMatch(/\n\nAnd \d\d more problems\.$/u);
    expect(Buffer.byteLength(response.text)).toBeLessThan(10_240);
  });

  it.each<[string, string, string, string]>([
    ["a file that exists is added", marked("*** Add File: a", "+x"), "CONFLICT", "'a' exists already."],
    ["a move would overwrite", update("a", "*** Move to: b"), "CONFLICT", "'b' exists already."],
    [
      "a path is in two sections",
      marked("*** Delete File: a", "*** Add File: a", "+x"),
      "INVALID_PARAM",
      "'a' is in two sections of the patch.",
    ],
    [
      "it is so under another name",
      marked("*** Delete File: a", "*** Update File: ./a", "-1"),
      "INVALID_PARAM",
      "'a' is in two sections of the patch.",
    ],
    [
      "it is outside",
      marked("*** Add File: ../x", "+x"),
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    ["it is protected", marked("*** Add File: .git/x", "+x"), "ACCESS_DENIED", "Writing to '.git/x' is not allowed."],
    ["a link would be deleted", marked("*** Delete File: link"), "INVALID_PARAM", "'link' is a link."],
    ["a link would be moved", update("link", "*** Move to: c"), "INVALID_PARAM", "'link' is a link."],
  ])("is refused if %s", async (_, patch, code, message) => {
    const { response, files } = await patched({ a: "1\n", b: "2\n", link: link("a") }, patch);
    expect(response.error).toEqual({ code, message });
    expect(files).toMatchObject({ a: "1\n", b: "2\n" });
  });

  it("changes the file that a link leads to, and one that was moved above", async () => {
    const { files, response } = await patched(
      { a: "1\n", link: link("a"), old: "x\ny\n" },
      marked(
        "*** Update File: link",
        "-1",
        "+2",
        "*** Update File: old",
        "*** Move to: new",
        "-x",
        "+X",
        "*** Update File: new",
        "-y",
        "+Y",
      ),
    );
    expect(response.text).toContain("R old -> new");
    expect(files).toEqual({ a: "2\n", link: "(no file)", new: "X\nY\n" });
  });

  it("asks once, with all diffs", async () => {
    const { root } = fixture({ a: "1\n" });
    const asked: ProposedChange[] = [];
    const patch = marked("*** Update File: a", "-1", "+2", "*** Add File: b", "+new");
    const confirm = (change: ProposedChange) => asked.push(change) > 1;
    const refused = await apply(root, patch, { confirm });
    expect(refused.error).toMatchObject({
      code: "ACCESS_DENIED",
      message: "The user declined the change to 'a' and 1 more.",
    });
    expect(filesIn(root)).toEqual({ a: "1\n" });
    expect((await apply(root, patch, { confirm })).status).toBe("success");
    expect(asked[0]).toMatchObject({ tool: "Patch", paths: ["a", "b"], operation: "patch" });
    expect(asked[0]?.diff).toContain("-1\n+2\ndiff --git a/b b/b\n");
  });

  it("asks about a mode that changes, in git's words", async () => {
    const { root } = fixture({ a: "1\n", b: "1\n" });
    const asked: ProposedChange[] = [];
    const confirm = (change: ProposedChange) => asked.push(change) > 0;
    const git = (name: string, ...lines: readonly string[]) =>
      [`diff --git a/${name} b/${name}`, ...lines, ""].join("\n");
    const added = git("c", "new file mode 100755", "--- /dev/null", "+++ b/c", "@@ -0,0 +1 @@", "+x");
    const run = git("a", "old mode 100644", "new mode 100755");
    await apply(root, run + added, { confirm });
    await apply(root, run.replace("644", "755").replace("new mode 100755", "new mode 100644"), { confirm });
    expect(filesIn(root)).toEqual({ a: "1\n", b: "1\n", c: "x x\n" });
    expect(asked[0]?.diff).toBe(`${run}${added.replace("+1 @@", "+1,1 @@")}`);
    expect(asked[1]?.diff).toBe("diff --git a/a b/a\nold mode 100755\nnew mode 100644\n");
  });

  it("moves a file of any size and content as it is", async () => {
    const { files } = await patched({ a: "\0".repeat(20) }, update("a", "*** Move to: b"), { maxFileBytes: 8 });
    expect(files).toEqual({ b: "\0".repeat(20) });
  });

  it("keeps the mode of a file that moves, and says what was written in place", async () => {
    const { root, path } = fixture({ a: "1\n", b: "1\n" });
    chmodSync(path("a"), 0o750);
    linkSync(path("b"), path("c"));
    const response = await apply(
      root,
      marked("*** Update File: a", "*** Move to: d", "-1", "+2", "*** Update File: b", "-1", "+2"),
    );
    expect(response.text).toContain("('b' was written in place, since it has other hard links.)");
    expect(filesIn(root)).toEqual({ b: "2\n", c: "2\n", d: "x 2\n" });
  });
});

describe("versions", () => {
  async function stale(patch: string) {
    const { root, path } = fixture({ a: "1\n2\n3\n" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    await createReadTool({ sandbox, versions }).run({ path: "a" });
    writeFileSync(path("a"), "0\n1\n2\n3\n2\n");
    utimesSync(path("a"), 1, 1);
    const response = await apply(root, patch, { sandbox, versions } as object);
    return { response, content: filesIn(root).a };
  }

  it("need not be known where a hunk fits exactly and once", async () => {
    const { response, content } = await stale(update("a", " 1", "-2", "+two"));
    expect(content).toBe("0\n1\ntwo\n3\n2\n");
    expect(response.text).toContain("Note: 'a' had been modified since it was read.");
  });

  it.each([
    ["a hunk fits nowhere", update("a", " 1", "-3", "+three")],
    ["it fits twice", `diff --git a/a b/a\n${unified("a", "@@ -5 +5 @@", "-2", "+two")}`],
    ["it fits but for a difference", update("a", "-1 ", "+one")],
    ["lines are added at the end", update("a", "+4")],
    ["the file would be deleted", marked("*** Delete File: a")],
  ])("conflict if %s", async (_, patch) => {
    const { response, content } = await stale(patch);
    expect(response.error).toEqual({ code: "CONFLICT", message: "'a' has been modified since it was read." });
    expect(response.context.next_call).toEqual({ tool: "Read", params: { path: "a" } });
    expect(content).toBe("0\n1\n2\n3\n2\n");
  });
});

it("has bounds", async () => {
  const { response } = await patched({ a: "1\n" }, update("a", "-1", "+12345678"), { maxFileBytes: 8 });
  expect(response.error?.message).toBe("The patch would make 'a' larger than 8 bytes.");
  const large = await patched({ a: "123456789\n" }, update("a", "-1", "+2"), { maxFileBytes: 8 });
  expect(large.response.error?.message).toBe("File 'a' is too large to edit (10 bytes, at most 8).");
  const added = await patched({}, marked("*** Add File: a", "+123456789"), { maxFileBytes: 8 });
  expect(added.response.error?.message).toBe("The patch would make 'a' larger than 8 bytes.");
  const files = Array.from({ length: 201 }, (_, index) => [`*** Add File: ${index}`, "+x"]).flat();
  expect((await patched({}, marked(...files))).response.error?.message).toBe("The patch has more than 200 files.");
  const hunks = Array.from({ length: 10_001 }, () => ["@@", "-x"]).flat();
  expect((await patched({ a: "1\n" }, update("a", ...hunks))).response.error?.message).toBe(
    "The patch has more than 10000 hunks.",
  );
  await expect(patched({}, "x", { maxFileBytes: -1 })).rejects.toThrow(RangeError);
});
