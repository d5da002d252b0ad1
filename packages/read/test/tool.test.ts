import { Buffer } from "node:buffer";
import { appendFileSync, chmodSync, readdirSync, renameSync, truncateSync, utimesSync } from "node:fs";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { asNobody, conformant, fifo, fixture, link } from "@fstools/testing";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { createReadTool, readDefinition, type ReadToolOptions } from "../src/index.ts";
import { read } from "./support.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

/** `text` with its only changing part, the time, made steady. */
function steady(text: string): string {
  return text.replace(/\(Took \d+ms\)/u, "(Took Nms)");
}

describe("a whole file", () => {
  it("is shown with numbers, and everything about it in stats and context", async () => {
    const { root, path } = fixture({ src: { "utils.py": "import os\nimport json\n" } });
    utimesSync(path("src", "utils.py"), 1_735_212_345.75, 1_735_212_345.75);
    const response = await read({ projectRoot: root }, { path: "src/utils.py" });
    const { time_ms } = response.stats;
    expect(response).toEqual({
      status: "success",
      data: { content: "   1 | import os\n   2 | import json\n", truncated: false },
      text: `Read 2 lines from 'src/utils.py' (Lines 1-2).\n(Took ${time_ms}ms)`,
      stats: {
        time_ms,
        lines_read: 2,
        chars_read: 36,
        total_lines: 2,
        file_size_bytes: 22,
        file_mtime_ms: 1_735_212_345_750,
        encoding: "utf-8",
      },
      context: {
        cwd: ".",
        params_input: { path: "src/utils.py" },
        path_resolved: "src/utils.py",
        truncation_skip: true,
      },
    });
  });

  it("that is empty has one sentence", async () => {
    const { root } = fixture({ "empty.txt": "" });
    expect(await read({ projectRoot: root }, { path: "empty.txt" })).toMatchObject({
      status: "success",
      data: { content: "", truncated: false },
      text: "Read 0 lines from 'empty.txt' (file is empty).",
      stats: { lines_read: 0, chars_read: 0, total_lines: 0, file_size_bytes: 0, encoding: "utf-8" },
      context: { truncation_skip: true },
    });
  });

  // Rule: Lines end at `\n`, `\r\n` or a lone `\r`; a last line without an end counts; other separators do not end
  // lines.
  it.each([
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\n\n", ["a", ""]],
    ["a\rb\r\nc\n\rd", ["a", "b", "c", "", "d"]],
    ["\n", [""]],
    ["a\u2028b\u0085c\fd\ve", ["a\u2028b\u0085c\fd\ve"]],
  ])("ends its lines at \\n, \\r\\n and \\r: %j", async (text, lines) => {
    const { root } = fixture({ "a.txt": text });
    const response = await read({ projectRoot: root }, { path: "a.txt" });
    expect(response.data).toMatchObject({
      content: lines.map((line, index) => `   ${index + 1} | ${line}\n`).join(""),
    });
    expect(response.stats.total_lines).toBe(lines.length);
  });
});

describe("pages", () => {
  it("say where the next one starts", async () => {
    const { root } = fixture({ "a.txt": numbered(1523) });
    const first = await read({ projectRoot: root }, { path: "a.txt", limit: 500 });
    expect(first).toMatchObject({ status: "partial", data: { truncated: true }, stats: { total_lines: 1523 } });
    expect(steady(first.text)).toMatchInlineSnapshot(`
      "Read 500 lines from 'a.txt' (Lines 1-500).
      (Took Nms)
      [Truncated: Showing first 500 of 1523 lines. Use start_line=501 to continue.]"
    `);
    const second = await read({ projectRoot: root }, { path: "a.txt", start_line: 501 });
    expect(steady(second.text)).toMatchInlineSnapshot(`
      "Read 500 lines from 'a.txt' (Lines 501-1000).
      (Took Nms)
      [Truncated: Showing lines 501-1000 of 1523 lines. Use start_line=1001 to continue.]"
    `);
    const last = await read({ projectRoot: root }, { path: "a.txt", start_line: 1501 });
    expect(last).toMatchObject({ status: "success", data: { truncated: false }, stats: { lines_read: 23 } });
    expect(steady(last.text)).toMatchInlineSnapshot(`
      "Read 23 lines from 'a.txt' (Lines 1501-1523).
      (Took Nms)
      [End of file: 1523 lines.]"
    `);
  });

  it("that end exactly with the file are the last", async () => {
    const { root } = fixture({ "a.txt": numbered(500) });
    const response = await read({ projectRoot: root }, { path: "a.txt", limit: 500 });
    expect(response).toMatchObject({ status: "success", data: { truncated: false } });
    expect(response.text).not.toContain("[");
  });

  // Rule: A page ends at a line when it would pass `maxPageBytes`.
  it("end at a line when they would pass maxPageBytes", async () => {
    const { root } = fixture({ "a.txt": `${"é".repeat(20)}\n`.repeat(10) });
    const response = await read({ projectRoot: root, maxPageBytes: 100 }, { path: "a.txt" });
    expect(response).toMatchObject({ status: "partial", stats: { lines_read: 2 } });
    expect(steady(response.text)).toContain("[Truncated: Showing first 2 of 10 lines. Use start_line=3 to continue.]");
  });

  it("end in a line that is longer than maxLineChars, and continue there", async () => {
    const { root } = fixture({ "a.txt": `short\n${"x".repeat(2000)}😀end\nlast\n` });
    const first = await read({ projectRoot: root }, { path: "a.txt" });
    expect(first).toMatchObject({
      status: "partial",
      data: { truncated: true },
      stats: { lines_read: 2, total_lines: 3 },
    });
    expect(steady(first.text)).toMatchInlineSnapshot(`
      "Read 2 lines from 'a.txt' (Lines 1-2).
      (Took Nms)
      [Truncated: Line 2 continues (2004 characters). Use start_line=2 start_column=2001 to continue.]"
    `);
    const second = await read({ projectRoot: root }, { path: "a.txt", start_line: 2, start_column: 2001 });
    expect(second).toMatchObject({
      status: "success",
      data: { content: "   2 | 😀end\n   3 | last\n", truncated: false },
    });
    expect(steady(second.text)).toMatchInlineSnapshot(`
      "Read 2 lines from 'a.txt' (Lines 2-3).
      (Took Nms)
      [End of file: 3 lines.]"
    `);
  });

  it("name Grep for the cells of a notebook, where the model has it and there is more to read", async () => {
    const { root } = fixture({ "a.ipynb": "{\n}\n", "a.txt": "{\n}\n" });
    const note = `[Note: A notebook is JSON. To find its cells, use Grep with pattern '"cell_type"'.]`;
    const noted = async (params: object, siblings = ["Read", "Grep"]) =>
      (await read({ projectRoot: root, siblings }, params)).text.includes(note);
    expect(await noted({ path: "a.ipynb", limit: 1 })).toBe(true);
    expect(await noted({ path: "a.ipynb" })).toBe(false);
    expect(await noted({ path: "a.ipynb", limit: 1 }, ["Read"])).toBe(false);
    expect(await noted({ path: "a.txt", limit: 1 })).toBe(false);
  });

  it("name the next call as data too: what was given, with what changes", async () => {
    const { root } = fixture({ "a.txt": numbered(30), "long.txt": "x".repeat(2100) });
    const page = await read({ projectRoot: root }, { path: "a.txt", limit: 10, start_line: 11 });
    expect(page.context.next_call).toEqual({
      tool: "Read",
      params: { path: "a.txt", start_line: 21, limit: 10 },
    });
    const cut = await read({ projectRoot: root }, { path: "long.txt" });
    expect(cut.context.next_call).toEqual({
      tool: "Read",
      params: { path: "long.txt", start_line: 1, start_column: 2001 },
    });
    const last = await read({ projectRoot: root }, { path: "a.txt", start_line: 21 });
    expect(last.context).not.toHaveProperty("next_call");
  });

  it("does not carry a column to the line where the next page begins", async () => {
    const { root } = fixture({ "wide.txt": `${"x".repeat(30)}\nend\n` });
    const page = await read({ projectRoot: root }, { path: "wide.txt", start_column: 21, limit: 1 });
    expect(page.context.next_call).toEqual({ tool: "Read", params: { path: "wide.txt", start_line: 2, limit: 1 } });
    expect(page.context.next_call?.params).not.toHaveProperty("start_column");
  });

  it("show more of a line that is asked for", async () => {
    const { root } = fixture({ "a.txt": "x".repeat(100_000), "big.txt": `y\n${"é".repeat(200_000)}\nz\n` });
    expect((await read({ projectRoot: root }, { path: "a.txt" })).text).toContain(
      "[Truncated: Line 1 continues (100000 characters). Use start_line=1 start_column=2001 to continue.]",
    );
    expect((await read({ projectRoot: root }, { path: "a.txt", start_column: 2001 })).text).toContain(
      "[Truncated: Line 1 continues (100000 characters). Use start_line=1 start_column=18385 to continue.]",
    );
    expect((await read({ projectRoot: root }, { path: "big.txt", start_line: 2 })).text).toContain(
      "[Truncated: Line 2 continues (200000 characters). Use start_line=2 start_column=2001 to continue.]",
    );
    const small = { projectRoot: root, maxLineChars: 10 };
    expect((await read(small, { path: "a.txt", start_column: 11 })).text).toContain("start_column=21 ");
  });

  it("make progress even if one line alone is larger than maxPageBytes", async () => {
    const { root } = fixture({ "a.txt": "abcdefghij\nk\n" });
    const response = await read({ projectRoot: root, maxPageBytes: 12 }, { path: "a.txt" });
    expect(response).toMatchObject({ data: { content: "   1 | abcd\n", truncated: true } });
    expect(response.text).toContain(
      "[Truncated: Line 1 continues (10 characters). Use start_line=1 start_column=5 to continue.]",
    );
  });

  it("of a line that continues on line 1 are not called the first", async () => {
    const { root } = fixture({ "a.txt": "abcdefghij\nb\nc\nd\n" });
    const response = await read({ projectRoot: root }, { path: "a.txt", start_column: 6, limit: 2 });
    expect(response.text).toContain("[Truncated: Showing lines 1-2 of 4 lines. Use start_line=3 to continue.]");
  });
});

describe("out of range", () => {
  it.each([
    ["three.txt", { start_line: 4 }, "start_line (4) exceeds file length (3 lines). Valid range: 1 to 3."],
    ["empty.txt", { start_line: 2 }, "start_line exceeds file length (file is empty). Valid start_line is 1."],
    ["three.txt", { start_line: 2, start_column: 2 }, "start_column (2) exceeds line length (1 characters)."],
    ["three.txt", { start_column: 3 }, "start_column (3) exceeds line length (2 characters)."],
    ["three.txt", { start_line: 3, start_column: 9 }, "start_column (9) exceeds line length (0 characters)."],
    ["empty.txt", { start_column: 2 }, "start_column (2) exceeds line length (0 characters)."],
  ])("%s %j", async (path, params, message) => {
    const { root } = fixture({ "three.txt": "é😀\nb\n\n", "empty.txt": "" });
    const response = await read({ projectRoot: root }, { path, ...params });
    expect(response).toMatchObject({
      status: "error",
      data: {},
      error: { code: "INVALID_PARAM", message },
      context: { path_resolved: path },
    });
    expect(response.text).toMatch(new RegExp(`^${message.replaceAll(/[().]/gu, String.raw`\$&`)} \\w`, "u"));
    expect(response.context).not.toHaveProperty("truncation_skip");
  });
});

describe("encodings", () => {
  // Rule: UTF-8 is checked over the whole file; a bad byte anywhere is a fallback read.
  it("shows bad bytes as U+FFFD and warns, also where the bad byte is far from the page", async () => {
    const { root } = fixture({ "a.txt": Buffer.concat([Buffer.from(numbered(700)), Buffer.from([0x61, 0xff, 0x0a])]) });
    const response = await read({ projectRoot: root }, { path: "a.txt", limit: 1 });
    expect(response).toMatchObject({
      status: "partial",
      data: { content: "   1 | line 1\n", truncated: true, fallback_encoding: "replace" },
      stats: { encoding: "utf-8 (replace)", total_lines: 701 },
    });
    expect(steady(response.text)).toMatchInlineSnapshot(`
      "Read 1 lines from 'a.txt' (Lines 1-1).
      (Took Nms)
      [Truncated: Showing first 1 of 701 lines. Use start_line=2 to continue.]
      [Warning: Not valid UTF-8; bad bytes shown as U+FFFD. Pass encoding=… if you know it.]"
    `);
    const last = await read({ projectRoot: root }, { path: "a.txt", start_line: 701 });
    expect(last).toMatchObject({ status: "partial", data: { content: " 701 | a\ufffd\n", truncated: false } });
    expect(steady(last.text)).toMatchInlineSnapshot(`
      "Read 1 lines from 'a.txt' (Lines 701-701).
      (Took Nms)
      [Warning: Not valid UTF-8; bad bytes shown as U+FFFD. Pass encoding=… if you know it.]
      [End of file: 701 lines.]"
    `);
  });

  it("does not show a UTF-8 byte order mark, nor count it", async () => {
    const { root } = fixture({ "a.txt": "\ufeffa\n\ufeffb\n", "mark.txt": "\ufeff" });
    expect(await read({ projectRoot: root }, { path: "a.txt" })).toMatchObject({
      status: "success",
      data: { content: "   1 | a\n   2 | \ufeffb\n" },
      stats: { encoding: "utf-8-sig", file_size_bytes: 10 },
    });
    expect(await read({ projectRoot: root }, { path: "a.txt", start_column: 2 })).toMatchObject({
      error: { message: "start_column (2) exceeds line length (1 characters)." },
    });
    expect(await read({ projectRoot: root }, { path: "mark.txt" })).toMatchObject({
      text: "Read 0 lines from 'mark.txt' (file is empty).",
      stats: { encoding: "utf-8-sig", total_lines: 0 },
    });
  });

  // Rule: `fallbackEncodings`: the first that decodes without U+FFFD is used and named.
  it("uses the first of fallbackEncodings that fits, and names it", async () => {
    const { root } = fixture({ "a.txt": iconv.encode("中文\n第二行\n", "gb18030") });
    const response = await read(
      { projectRoot: root, fallbackEncodings: ["shift_jis", "gb18030", "windows-1252"] },
      { path: "a.txt", limit: 1 },
    );
    expect(response).toMatchObject({
      status: "partial",
      data: { content: "   1 | 中文\n", fallback_encoding: "gb18030" },
      stats: { encoding: "gb18030", total_lines: 2 },
    });
    expect(response.text).toContain(
      "[Warning: Not valid UTF-8; read as gb18030. Pass encoding=… if it is another one.]",
    );
  });

  it("falls back to U+FFFD when none of fallbackEncodings fits", async () => {
    const { root } = fixture({ "a.txt": Buffer.from([0x61, 0xff, 0xff, 0x0a]) });
    const response = await read({ projectRoot: root, fallbackEncodings: ["gb18030", "shift_jis"] }, { path: "a.txt" });
    expect(response).toMatchObject({
      data: { content: "   1 | a\ufffd\ufffd\n", fallback_encoding: "replace" },
      stats: { encoding: "utf-8 (replace)" },
    });
  });

  it.each(["utf-16le", "utf-16be"])("reads %s with its mark as text, without a discount", async (encoding) => {
    const text = "漢字 😀\r\nb\n";
    const { root } = fixture({
      "small.txt": iconv.encode(text, encoding, { addBOM: true }),
      "big.txt": iconv.encode(text.repeat(30_000), encoding, { addBOM: true }),
    });
    const small = await read({ projectRoot: root }, { path: "small.txt" });
    expect(small).toMatchObject({
      status: "success",
      data: { content: "   1 | 漢字 😀\n   2 | b\n", truncated: false },
      stats: { encoding, total_lines: 2 },
    });
    expect(small.data).not.toHaveProperty("fallback_encoding");
    expect(await read({ projectRoot: root }, { path: "big.txt", start_line: 59_999 })).toMatchObject({
      status: "success",
      data: { content: "59999 | 漢字 😀\n60000 | b\n" },
      stats: { encoding, total_lines: 60_000 },
    });
  });

  it("reads UTF-8 as UTF-8, whatever fallbackEncodings say", async () => {
    const { root } = fixture({ "a.txt": "é\n" });
    const response = await read({ projectRoot: root, fallbackEncodings: ["windows-1252"] }, { path: "a.txt" });
    expect(response).toMatchObject({ status: "success", data: { content: "   1 | é\n" } });
  });

  it("takes the caller's encoding without a test for UTF-8 or NUL", async () => {
    const { root } = fixture({ "a.txt": Buffer.from("a\0b\xff\n", "latin1") });
    expect(await read({ projectRoot: root }, { path: "a.txt", encoding: "latin1" })).toMatchObject({
      status: "success",
      data: { content: "   1 | a\0bÿ\n" },
      stats: { encoding: "latin1" },
    });
    expect(await read({ projectRoot: root }, { path: "a.txt", encoding: "utf-8" })).toMatchObject({
      status: "success",
      data: { content: "   1 | a\0b\ufffd\n" },
      stats: { encoding: "utf-8" },
    });
  });
});

describe("refusals", () => {
  // Rule: NUL in the first 8 KB is BINARY_FILE; a byte order mark of UTF-16 or UTF-32 names the encoding.
  it.each([
    ["NUL", Buffer.from("abc\0def"), "If it is text, pass its 'encoding'."],
    ["PNG", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "It is a PNG image."],
    ["PDF without a NUL", Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj\n", "latin1"), "It is a PDF document."],
    ["UTF-32LE", iconv.encode("ab", "utf-32le", { addBOM: true }), "pass encoding=utf-32le to read it as text."],
  ])("binary: %s", async (_name, content, hint) => {
    const { root } = fixture({ "a.bin": content });
    const response = await read({ projectRoot: root }, { path: "a.bin" });
    expect(response).toMatchObject({
      status: "error",
      error: { code: "BINARY_FILE", message: "File 'a.bin' appears to be binary." },
    });
    expect(response.text).toMatch(/^File 'a\.bin' appears to be binary\. /u);
    expect(response.text.endsWith(hint)).toBe(true);
  });

  it("looks for NUL in the first 8 KB only", async () => {
    const { root } = fixture({ late: `${"x\n".repeat(4096)}\0`, early: `${"x\n".repeat(4095)}x\0` });
    expect(await read({ projectRoot: root }, { path: "late", limit: 2000, start_line: 3000 })).toMatchObject({
      status: "success",
    });
    expect(await read({ projectRoot: root }, { path: "early" })).toMatchObject({ error: { code: "BINARY_FILE" } });
  });

  it("missing file, with suggestions", async () => {
    const { root } = fixture({ src: { "config.tsx": "", "config.js": "", "config.json": "" } });
    const response = await read({ projectRoot: root }, { path: "src/config.ts" });
    expect(response).toMatchObject({ error: { code: "NOT_FOUND", message: "File 'src/config.ts' does not exist." } });
    expect(response.text).toContain("'src/config.tsx', 'src/config.js' or 'src/config.json'");
  });

  it("outside the project, also through a link", async () => {
    const { root } = fixture({ project: { out: link("../secret.txt") }, "secret.txt": "secret" });
    for (const path of ["../secret.txt", "out", `${root}/secret.txt`, "/etc/passwd"]) {
      const response = await read({ projectRoot: `${root}/project` }, { path });
      expect(response).toMatchObject({
        data: {},
        error: { code: "ACCESS_DENIED", message: "Access denied. Path must be within project root." },
      });
    }
  });

  it("directory", async () => {
    const { root } = fixture({ src: {} });
    expect(await read({ projectRoot: root }, { path: "src" })).toMatchObject({
      error: { code: "IS_DIRECTORY", message: "Path 'src' is a directory. Use LS to explore it." },
      context: { path_resolved: "src" },
    });
  });

  it("FIFO, without hanging", async () => {
    const { root } = fixture({ pipe: fifo() });
    expect(await read({ projectRoot: root }, { path: "pipe" })).toMatchObject({
      error: { code: "INVALID_PARAM", message: "'pipe' is not a regular file." },
    });
  });

  it("no permission", async () => {
    const { root, path } = fixture({ "a.txt": "a" });
    chmodSync(path("a.txt"), 0);
    const response = await asNobody(() => read({ projectRoot: root }, { path: "a.txt" }));
    expect(response).toMatchObject({
      error: { code: "PERMISSION_DENIED", message: "Permission denied reading 'a.txt'." },
    });
  });

  it("denied by the host, through links too", async () => {
    const { root } = fixture({ ".env": "KEY=1", shown: link(".env") });
    for (const path of [".env", "shown"]) {
      expect(await read({ projectRoot: root, deny: ["**/.env"] }, { path })).toMatchObject({
        error: { code: "ACCESS_DENIED" },
      });
    }
  });

  it("shows no control character of a path", async () => {
    const { root } = fixture({ "a\n[x].txt": "a\n" });
    const found = await read({ projectRoot: root }, { path: "a\n[x].txt" });
    expect(found.text).toContain(String.raw`Read 1 lines from 'a\n[x].txt'`);
    expect(found.context.path_resolved).toBe("a\n[x].txt");
    const missing = await read({ projectRoot: root }, { path: "b\n[x]" });
    expect(missing).toMatchObject({ error: { message: String.raw`File 'b\n[x]' does not exist.` } });
  });
});

describe("paths", () => {
  it("are relative to the project root, or else to the working directory", async () => {
    const { root } = fixture({ app: { "a.txt": "app\n", "b.txt": "b\n" }, "a.txt": "root\n" });
    const options = { projectRoot: root, workingDir: "app" };
    expect(await read(options, { path: "a.txt" })).toMatchObject({
      data: { content: "   1 | root\n" },
      context: { cwd: "app", path_resolved: "a.txt" },
    });
    expect(await read(options, { path: "b.txt" })).toMatchObject({ context: { path_resolved: "app/b.txt" } });
    expect(await read(options, { path: "app/b.txt" })).toMatchObject({ context: { path_resolved: "app/b.txt" } });
  });

  it("may be absolute, or a link inside; path_resolved is the real one", async () => {
    const { root, path } = fixture({ real: { "a.txt": "a\n" }, alias: link("real") });
    for (const input of ["alias/a.txt", path("real", "a.txt")]) {
      const response = await read({ projectRoot: root }, { path: input });
      expect(response.context.path_resolved).toBe("real/a.txt");
      expect(response.text).toContain("Read 1 lines from 'real/a.txt'");
    }
  });
});

describe("a file that changes", () => {
  // Rule: `modified_externally` and its note, without a discount.
  it("between two reads is said to be modified", async () => {
    const { root, path, write } = fixture({ "a.txt": "a\n" });
    const tool = createReadTool({ projectRoot: root });
    const run = async () => conformant(await tool.run({ path: "a.txt" }), "read");
    expect((await run()).data).not.toHaveProperty("modified_externally");
    expect((await run()).data).not.toHaveProperty("modified_externally");
    write({ "a.txt": "a\nb\n" });
    const changed = await run();
    expect(changed).toMatchObject({ status: "success", data: { modified_externally: true } });
    expect(steady(changed.text)).toMatchInlineSnapshot(`
      "Read 2 lines from 'a.txt' (Lines 1-2).
      (Took Nms)
      Note: 'a.txt' was modified externally."
    `);
    expect((await run()).data).not.toHaveProperty("modified_externally");
    write({ "b.txt": "a\nb\n" });
    renameSync(path("b.txt"), path("a.txt"));
    expect((await run()).data).toMatchObject({ modified_externally: true });
    write({ "a.txt": "" });
    expect(await run()).toMatchObject({
      data: { modified_externally: true },
      text: "Read 0 lines from 'a.txt' (file is empty).",
    });
  });

  it("is mentioned before the page in text", async () => {
    const { root, write } = fixture({ "a.txt": "a\n" });
    const tool = createReadTool({ projectRoot: root });
    await tool.run({ path: "a.txt" });
    write({ "a.txt": Buffer.from("a\n\xff\nc\n", "latin1") });
    const { text } = await tool.run({ path: "a.txt", limit: 1 });
    expect(steady(text)).toMatchInlineSnapshot(`
      "Read 1 lines from 'a.txt' (Lines 1-1).
      (Took Nms)
      Note: 'a.txt' was modified externally.
      [Truncated: Showing first 1 of 3 lines. Use start_line=2 to continue.]
      [Warning: Not valid UTF-8; bad bytes shown as U+FFFD. Pass encoding=… if you know it.]"
    `);
  });

  // Rule: The size at open bounds the read of a growing file.
  it("grows during the read: the size at its beginning counts", async () => {
    const { root, path } = fixture({ "a.log": "" });
    truncateSync(path("a.log"), 200_000_000);
    const reading = createReadTool({ projectRoot: root }).run({ path: "a.log", encoding: "utf-8" });
    setImmediate(() => {
      appendFileSync(path("a.log"), "\nmore\n".repeat(1000));
    });
    expect(conformant(await reading, "read")).toMatchObject({
      stats: { total_lines: 1, file_size_bytes: 200_000_000 },
    });
  });

  it("shrinks during the read: a clear error", async () => {
    const { root, path } = fixture({ "a.log": "" });
    truncateSync(path("a.log"), 200_000_000);
    const reading = createReadTool({ projectRoot: root }).run({ path: "a.log", encoding: "utf-8" });
    setImmediate(() => {
      truncateSync(path("a.log"), 10);
    });
    expect(conformant(await reading, "read")).toMatchObject({
      status: "error",
      error: { code: "EXECUTION_ERROR", message: "File 'a.log' changed while it was being read." },
    });
  });
});

describe("files that the kernel makes up", () => {
  it.skipIf(process.platform !== "linux")("may be shorter than they say", async () => {
    const response = await read({ projectRoot: "/sys/kernel/mm/transparent_hugepage" }, { path: "enabled" });
    expect(response).toMatchObject({ status: "success", stats: { total_lines: 1 } });
    expect(response.stats.file_size_bytes).toBeLessThan(4096);
  });
});

describe("giant files", () => {
  it("that are sparse are binary, at once", async () => {
    const { root, path } = fixture({ sparse: "" });
    truncateSync(path("sparse"), 2 * 1024 ** 3);
    const response = await read({ projectRoot: root }, { path: "sparse" });
    expect(response).toMatchObject({ error: { code: "BINARY_FILE" } });
  });

  it("of one line are read inside the line", async () => {
    const { root, path } = fixture({ line: "" });
    truncateSync(path("line"), 500_000_000);
    utimesSync(path("line"), new Date(0), new Date(0));
    const tool = createReadTool({ projectRoot: root });
    const params = { path: "line", encoding: "utf-8", start_column: 400_000_000 };
    expect(conformant(await tool.run(params), "read")).toMatchObject({
      status: "partial",
      data: { content: `   1 | ${"\0".repeat(16384)}\n`, truncated: true },
      stats: { total_lines: 1, file_size_bytes: 500_000_000 },
    });
    expect((await tool.run({ ...params, start_column: 500_000_001 })).text).toContain(
      "start_column (500000001) exceeds line length (500000000 characters).",
    );
  });

  it("that cannot be counted in time are shown as far as they were", async () => {
    const { root, path } = fixture({ log: "a line\n".repeat(100_000) });
    truncateSync(path("log"), 64 * 1024 ** 3);
    utimesSync(path("log"), new Date(0), new Date(0));
    const tool = createReadTool({ projectRoot: root, maxDurationMs: 100 });
    const first = conformant(await tool.run({ path: "log", limit: 2 }), "read");
    expect(first).toMatchObject({
      status: "partial",
      data: { content: "   1 | a line\n   2 | a line\n", truncated: true },
    });
    expect(first.stats).not.toHaveProperty("total_lines");
    expect(first.context).not.toHaveProperty("next_call");
    expect(steady(first.text)).toMatchInlineSnapshot(`
      "Read 2 lines from 'log' (Lines 1-2).
      (Took Nms)
      [Partial: The file is too large to count in 0.1s. Use start_line=3 to continue.]"
    `);
    const later = conformant(await tool.run({ path: "log", start_line: 100_000, limit: 1 }), "read");
    expect(later.text).toContain(
      "[Partial: The file is too large to count in 0.1s. Use start_line=100001 to continue.]",
    );
    const inside = conformant(await tool.run({ path: "log", start_line: 100_001 }), "read");
    expect(inside.text).toContain("Use start_line=100001 start_column=2001 to continue.]");
    const past = conformant(await tool.run({ path: "log", start_line: 100_002 }), "read");
    expect(past).toMatchObject({
      error: { code: "TIMEOUT", message: "Read timed out (>0.1s) before line 100002." },
    });
    expect(past.text).toContain("Use a start_line up to 100001.");
    const column = 10 ** 15;
    const far = conformant(await tool.run({ path: "log", start_line: 100_001, start_column: column }), "read");
    expect(far.text).toMatch(/before column 10{15} of line 100001\. Use a start_column up to \d+\.$/u);
  });

  it("are given up when the caller aborts", async () => {
    const { root, path } = fixture({ line: "" });
    truncateSync(path("line"), 20 * 1024 ** 3);
    const tool = createReadTool({ projectRoot: root });
    const response = await tool.run({ path: "line", encoding: "utf-8" }, { signal: AbortSignal.timeout(20) });
    expect(conformant(response, "read")).toMatchObject({
      status: "error",
      error: { code: "TIMEOUT", message: "Aborted by the caller." },
    });
  });
});

describe("createReadTool", () => {
  it.skipIf(process.platform !== "linux")("leaves no file open, whatever the answer", async () => {
    const { root } = fixture({ "a.txt": "a\n", "b.bin": "\0", src: {} });
    const tool = createReadTool({ projectRoot: root });
    const before = readdirSync("/proc/self/fd").length;
    for (const params of [{ path: "a.txt" }, { path: "b.bin" }, { path: "src" }, { path: "a.txt", start_line: 9 }]) {
      for (let times = 0; times < 10; times++) await tool.run(params);
    }
    expect(readdirSync("/proc/self/fd").length).toBeLessThan(before + 10);
  });

  it.each([
    [{ projectRoot: "/no/such/directory" }],
    [{ projectRoot: ".", workingDir: ".." }],
    [{ projectRoot: ".", maxPageBytes: 0 }],
    [{ projectRoot: ".", fallbackEncodings: ["hex"] }],
  ])("throws at once for %j", (options) => {
    expect(() => createReadTool(options)).toThrow();
  });

  it("works in an existing sandbox, and shares what other tools know about files", async () => {
    const { root, write } = fixture({ "a.txt": "a\n" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const first = createReadTool({ sandbox, versions });
    const second = createReadTool({ sandbox, versions });
    await first.run({ path: "a.txt" });
    write({ "a.txt": "a\nb\n" });
    expect(conformant(await second.run({ path: "a.txt" }), "read").data).toMatchObject({ modified_externally: true });
    expect(conformant(await first.run({ path: "a.txt" }), "read").data).not.toHaveProperty("modified_externally");
    expect(versions.known(await sandbox.resolve("a.txt"))?.how).toBe("read");
  });

  it("says that a file was modified since its last read, though a search has matched it since", async () => {
    const { root, write } = fixture({ "a.txt": "a\n" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const tool = createReadTool({ sandbox, versions });
    await tool.run({ path: "a.txt" });
    write({ "a.txt": "a\nb\n" });
    const file = sandbox.open(await sandbox.resolve("a.txt"));
    versions.record(file.path, file.version, "matched");
    file.close();
    expect(conformant(await tool.run({ path: "a.txt" }), "read").data).toMatchObject({ modified_externally: true });
  });

  it("does not say that a file was modified that a search alone has matched before", async () => {
    const { root, write } = fixture({ "a.txt": "a\n" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const file = sandbox.open(await sandbox.resolve("a.txt"));
    versions.record(file.path, file.version, "matched");
    file.close();
    write({ "a.txt": "a\nb\n" });
    const { data } = conformant(await createReadTool({ sandbox, versions }).run({ path: "a.txt" }), "read");
    expect(data).not.toHaveProperty("modified_externally");
  });

  it("can be described without a project", () => {
    const { name, description, jsonSchema, effect } = createReadTool({ projectRoot: "." });
    expect(readDefinition).toMatchObject({ name, description, jsonSchema, effect });
    expect({ name, effect }).toEqual({ name: "Read", effect: "read" });
  });

  it.each<[ReadToolOptions, string]>([
    [{ projectRoot: ".", maxPageBytes: 0 }, "maxPageBytes must be a whole number of at least 1"],
    [{ projectRoot: ".", maxLineChars: 1.5 }, "maxLineChars must be a whole number of at least 1"],
    [{ projectRoot: ".", maxDurationMs: NaN }, "maxDurationMs must be a whole number of at least 0"],
    [
      { projectRoot: ".", fallbackEncodings: ["gb18030", "base64"] },
      "fallbackEncodings: 'base64' is not a known encoding, such as gb18030 or windows-1252.",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => createReadTool(options)).toThrow(message);
  });

  it.each([["gb18030"], [[5]], [null]])(
    "refuses %j for fallbackEncodings, as a host without types may pass",
    (value) => {
      const limits: object = { fallbackEncodings: value };
      expect(() => createReadTool({ projectRoot: ".", ...limits })).toThrow(
        "fallbackEncodings must be a list of encodings.",
      );
    },
  );

  it("tries UTF-8 first, and not again as a fallback", async () => {
    const { root } = fixture({ "a.txt": Buffer.from([0xa4, 0xa4, 0x0a]) });
    expect(await read({ projectRoot: root, fallbackEncodings: ["utf-8", "big5"] }, { path: "a.txt" })).toMatchObject({
      data: { content: "   1 | 中\n", fallback_encoding: "big5" },
    });
  });

  it("makes a tool named Read", () => {
    expect(createReadTool({ projectRoot: "." }).name).toBe("Read");
  });
});
