import { conformant, fixture, link, type Tree } from "@fstools/testing";
import { createFileVersions, createSandbox } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { createGrepTool, type GrepData, type GrepOptions } from "../src/index.ts";

type Params = Record<string, unknown>;
type Engine = "ripgrep" | "javascript";

const ENGINES: readonly Engine[] = ["ripgrep", "javascript"];

async function run(
  projectRoot: string,
  params: Params,
  engine: Engine = "ripgrep",
  options: Partial<GrepOptions> = {},
) {
  const choice = engine === "javascript" ? { ripgrepPath: false as const } : {};
  const tool = createGrepTool({ projectRoot, ...choice, ...options });
  return conformant(await tool.run(params), "grep");
}

const steady = (text: string) => text.replaceAll(/\d+ms/gu, "Nms");

function dataOf(response: { readonly data: object }): GrepData {
  if (!("matches" in response.data)) throw new Error("no matches in data");
  return response.data as GrepData;
}

/** "file:line:text" of each match. */
function found(response: { readonly data: object }): string[] {
  return dataOf(response).matches.map(({ file, line, text }) => `${file}:${line}:${text}`);
}

const PROJECT: Record<string, Tree> = {
  "b.txt": "nothing\n",
  "a.ts": "const one = 1;\nconst two = one;\n",
  src: { "z.ts": "one\n", lib: { "a.ts": "x\r\nOne more\r\n" } },
  lib: { "m.js": "one" },
};

describe.each(ENGINES)("Grep with %s", (engine) => {
  it("answers with an envelope", async () => {
    const { root } = fixture(PROJECT);
    const params = { pattern: "one" };
    const response = await run(root, params, engine);
    expect(steady(response.text)).toBe(
      [
        "Found 5 matches in 4 files for 'one' in '.'",
        "(Searched 5 files in Nms)",
        "",
        "a.ts",
        "  1: const one = 1;",
        "  2: const two = one;",
        "lib/m.js",
        "  1: one",
        "src/z.ts",
        "  1: one",
        "src/lib/a.ts",
        "  2: One more",
      ].join("\n"),
    );
    expect(response).toEqual({
      status: "success",
      data: {
        matches: [
          { file: "a.ts", line: 1, text: "const one = 1;" },
          { file: "a.ts", line: 2, text: "const two = one;" },
          { file: "lib/m.js", line: 1, text: "one" },
          { file: "src/z.ts", line: 1, text: "one" },
          { file: "src/lib/a.ts", line: 2, text: "One more" },
        ],
        truncated: false,
      },
      text: response.text,
      stats: {
        time_ms: expect.any(Number) as number,
        matched_files: 4,
        matched_lines: 5,
        files_searched: 5,
        skipped: 0,
        binary: 0,
        engine,
      },
      context: { cwd: ".", params_input: params, path_resolved: "." },
    });
  });

  it("respects case if asked to, and takes a literal literally", async () => {
    const { root } = fixture({ a: "One\none\n(one|two)\n" });
    expect(found(await run(root, { pattern: "one", case_sensitive: true }, engine))).toEqual([
      "a:2:one",
      "a:3:(one|two)",
    ]);
    expect(found(await run(root, { pattern: "(one|two)", literal: true }, engine))).toEqual(["a:3:(one|two)"]);
  });

  it("pages, and names the next call", async () => {
    const { root } = fixture(PROJECT);
    const first = await run(root, { pattern: "one", limit: 2 }, engine);
    expect(first).toMatchObject({
      status: "partial",
      data: { truncated: true },
      stats: { matched_lines: 2, files_searched: 3 },
      context: { next_call: { tool: "Grep", params: { pattern: "one", limit: 2, offset: 2 } } },
    });
    expect(first.text).toContain(
      "[Truncated: Showing matches 1-2. Use offset=2 to continue, or narrow 'pattern', 'path' or 'include'.]",
    );
    const last = await run(root, { pattern: "one", limit: 2, offset: 4 }, engine);
    expect(last.status).toBe("success");
    expect(found(last)).toEqual(["src/lib/a.ts:2:One more"]);
    expect(found(await run(root, { pattern: "one", limit: 5 }, engine))).toHaveLength(5);
    expect((await run(root, { pattern: "one", limit: 5 }, engine)).status).toBe("success");
  });

  it("lists files, and counts", async () => {
    const { root } = fixture(PROJECT);
    const files = await run(root, { pattern: "one", output_mode: "files" }, engine);
    expect(steady(files.text)).toBe(
      "Found 4 files with matches for 'one' in '.'\n(Searched 5 files in Nms)\n\na.ts\nlib/m.js\nsrc/z.ts\nsrc/lib/a.ts",
    );
    const counts = await run(root, { pattern: "one", output_mode: "count", limit: 2 }, engine);
    expect(steady(counts.text)).toBe(
      "Found 3 matches in 2 files for 'one' in '.'\n(Searched 4 files in Nms)\n" +
        "[Truncated: Showing matches 1-2. Use offset=2 to continue, or narrow 'pattern', 'path' or 'include'.]\n\n" +
        "a.ts: 2\nlib/m.js: 1",
    );
    expect(dataOf(counts).matches[0]).toEqual({ file: "a.ts", line: 1, text: "const one = 1;", count: 2 });
  });

  it("shows context once, with a rule between groups that do not touch", async () => {
    const { root } = fixture({ a: "1\n2\nx3\n4\nx5\n6\n7\n8\n9\nx10" });
    const response = await run(root, { pattern: "x", context: 1 }, engine);
    expect(response.text.split("\n\n")[1]).toBe("a\n  2- 2\n  3: x3\n  4- 4\n  5: x5\n  6- 6\n  --\n  9- 9\n  10: x10");
    expect(dataOf(response).matches).toEqual([
      { file: "a", line: 3, text: "x3", before: ["2"], after: ["4"] },
      { file: "a", line: 5, text: "x5", before: ["4"], after: ["6"] },
      { file: "a", line: 10, text: "x10", before: ["9"], after: [] },
    ]);
  });

  it("finds matches that span lines", async () => {
    const { root } = fixture({ a: "one\r\ntwo\rthree one\ntwo\n" });
    const response = await run(root, { pattern: String.raw`one\r?\ntwo`, multiline: true }, engine);
    expect(dataOf(response).matches).toEqual([
      { file: "a", line: 1, text: "one", end_line: 2 },
      { file: "a", line: 3, text: "three one", end_line: 4 },
    ]);
  });

  // Between "\\r" and "\\n" no line ends yet.
  it.each([
    ["a\r\nb\r\nc\r\nd\r\n", { pattern: String.raw`b\s+` }, { line: 2, text: "b", end_line: 2, after: ["c"] }],
    ["a\r\nb\r\nc\r\n", { pattern: "a\n", literal: true }, { line: 1, text: "a", end_line: 1, after: ["b"] }],
    ["\r\n", { pattern: String.raw`\s+` }, { line: 1, text: "", end_line: 1, after: [] }],
    ["a\r\nb\r\n", { pattern: String.raw`\nb` }, { line: 1, text: "a", end_line: 2, after: [] }],
  ])("counts the lines of a match in %j that begins or ends at \\r\\n", async (content, params, expected) => {
    const { root } = fixture({ a: content });
    const response = await run(root, { ...params, multiline: true, context: 1 }, engine);
    expect(dataOf(response).matches).toEqual([{ file: "a", before: expect.any(Array) as string[], ...expected }]);
  });

  it.each([
    [String.raw`\Afoo`, ["a:1:foo"]],
    [String.raw`\Afoo$`, ["a:1:foo"]],
    ["(?-m)^foo", ["a:1:foo"]],
    ["(?-m:^)foo|x", ["a:1:foo", "b:1:x", "c:1:x"]],
    [String.raw`o\z`, ["d:2:foo"]],
    ["(?-m)o$", ["d:2:foo"]],
    [String.raw`o$|\Ax`, ["a:1:foo", "a:2:foo", "b:1:x", "b:2:foo", "c:1:x", "c:2:foo", "d:2:foo"]],
    [String.raw`o|\Ax`, ["a:1:foo", "a:2:foo", "b:1:x", "b:2:foo", "c:1:x", "c:2:foo", "d:2:foo"]],
    [String.raw`\Ax.$|\Ay.$`, ["d:1:yy"]],
    [String.raw`(?s)\Ax.{1,2}f`, ["b:1:x", "c:1:x"]],
  ])("takes the anchors of %s for the ends of a text", async (pattern, expected) => {
    const { root } = fixture({ a: "foo\nfoo\n", b: "x\nfoo\n", c: "x\r\nfoo\r\n", d: "yy\r\nfoo" });
    const response = await run(root, { pattern }, engine);
    expect(found(response)).toEqual(expected);
    expect(response).toMatchObject({ status: "success", stats: { engine } });
    expect(dataOf(response).matches.every((match) => match.end_line === undefined)).toBe(true);
  });

  it("takes an escaped backslash before a letter for no anchor", async () => {
    const { root } = fixture({ a: "x\n\n", b: "C:\\\\Apps\n" });
    expect(found(await run(root, { pattern: String.raw`^$|C:\\\\A` }, engine))).toEqual(["a:2:", "b:1:C:\\\\Apps"]);
  });

  it.each([
    [String.raw`\x1b\[31m`, "\u001b[31mred"],
    [String.raw`\x41bc`, "Abc"],
    [String.raw`\pLoo`, "foo"],
    ["(?P<n>z(b|c)d)e|foo", "foo"],
    [String.raw`foo[^\n]*`, "a foo b"],
    [String.raw`foo[^\r\n]`, "foo b"],
    [String.raw`foo[\n,]`, "foo,"],
    ["µs", "10 μs"],
    [String.raw`\p{Letter}\p{gc=Decimal_Number}`, "é٣"],
    [String.raw`(?u)\p{Script=Greek}`, "α"],
    [String.raw`\<foo\w*\>`, "a foobar!"],
    ["ßß", "ẞẞ"],
    ...Array.from("ϐβϑθϕφϖπϰκϱρϵεẛṡ\u1fbeι".matchAll(/(.)(.)/gu), ([, odd = "", even = ""]): [string, string] => [
      `${odd}${even}`,
      `${even}${odd}`,
    ]),
  ])("finds %s in a line", async (pattern, text) => {
    const { root } = fixture({ a: `no\r\n${text}\r\n` });
    expect(found(await run(root, { pattern }, engine))).toEqual([`a:2:${text}`]);
  });

  // ripgrep 15.0 panics as it prints the second match; then the other engine searches, which is said.
  it("finds matches that span lines which touch", async () => {
    const { root } = fixture({ a: "\nx\n\nfoo\n", b: "y\n\nbar\n" });
    const { status, data } = await run(root, { pattern: String.raw`^\s.`, multiline: true }, engine);
    const isPanic = engine === "ripgrep";
    expect(status).toBe(isPanic ? "partial" : "success");
    expect(data).toEqual({
      matches: [
        { file: "a", line: 1, text: "", end_line: 2 },
        { file: "a", line: 3, text: "", end_line: 4 },
        { file: "b", line: 2, text: "", end_line: 3 },
      ],
      truncated: false,
      ...(isPanic ? { fallback: "javascript", fallback_reason: "rg_failed" } : {}),
    });
  });

  it.each(["-", "^[-X]", String.raw`[^a-z0-9\s]`, "^.{80,}$|-"])("searches many texts for %s", async (pattern) => {
    const { root } = fixture(
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, at % 3 === 0 ? "plain\nX-Y\n" : "plain\n"])),
    );
    const response = await run(root, { pattern }, engine);
    expect(response).toMatchObject({ status: "success", stats: { engine } });
    expect(dataOf(response).matches).toHaveLength(50);
    expect(dataOf(response).matches.every(({ line, text }) => line === 2 && text === "X-Y")).toBe(true);
  });

  // Rule: Line numbers are Read's, a lone `\r` included.
  it("counts lines as Read does, a lone return included", async () => {
    const { root } = fixture({ a: "one\rtwo\r\nthree\rtwo\n" });
    expect(found(await run(root, { pattern: "^two$" }, engine))).toEqual(["a:2:two", "a:4:two"]);
  });

  // Rule: A long line is cut around the match, and `column` says where Read goes on.
  it("cuts a long line around the match", async () => {
    const line = `${"é".repeat(1000)}needle${"x".repeat(1000)}`;
    const { root } = fixture({ a: `short\n${line}\n` });
    const response = await run(root, { pattern: "needle" }, engine, { maxLineChars: 30 });
    const [match] = dataOf(response).matches;
    expect(match?.text).toBe(`${"é".repeat(10)}needle${"x".repeat(14)}`);
    expect(match?.column).toBe(991);
    const end = await run(root, { pattern: "x$" }, engine, { maxLineChars: 30 });
    expect(dataOf(end).matches[0]).toMatchObject({ text: "x".repeat(30), column: 2006 - 30 + 1 });
  });

  it("searches one file, and says that include does not matter then", async () => {
    const { root } = fixture({ ".hidden": "one\n" });
    const response = await run(root, { pattern: "one", path: ".hidden", include: "*.ts" }, engine);
    expect(found(response)).toEqual([".hidden:1:one"]);
    expect(response.text).toContain("[Note: 'include' is ignored, as 'path' is a file.]");
  });

  it("filters by the names of files, or by their paths", async () => {
    const { root } = fixture(PROJECT);
    const include = async (glob: string) => found(await run(root, { pattern: "one", include: glob }, engine));
    expect(await include("*.{js,txt}")).toEqual(["lib/m.js:1:one"]);
    expect(await include("src/*.ts")).toEqual(["src/z.ts:1:one"]);
    expect(await include("src/**/*.ts")).toEqual(["src/z.ts:1:one", "src/lib/a.ts:2:One more"]);
    expect(await include("**/[az].ts")).toHaveLength(4);
  });

  it("leaves out what is hidden, ignored or denied, and does not follow links", async () => {
    const { root } = fixture({
      ".env0": "one",
      ".git": { HEAD: "one" },
      node_modules: { a: "one" },
      secret: { key: "one" },
      link: link(".env0"),
      dir: link("node_modules"),
    });
    const nothing = await run(root, { pattern: "one" }, engine, { deny: ["secret"] });
    expect(steady(nothing.text)).toBe(
      "No matches found for 'one' in '.'\n(Searched 0 files in Nms)\n(Not searched: 1 hidden, 1 ignored entries.)",
    );
    expect((await run(root, { pattern: "one", include: ".env0" }, engine)).text).toContain(
      "[Note: '.env0' in 'include' is hidden. Set include_hidden=true to find it.]",
    );
    expect((await run(root, { pattern: "one", include: "node_modules/*" }, engine)).text).toContain(
      "[Note: 'node_modules' in 'include' is an ignored directory. Set include_ignored=true to search it.]",
    );
    const all = { pattern: "one", include_hidden: true, include_ignored: true };
    expect((await run(root, { ...all, pattern: "two", include: ".env0" }, engine)).text).not.toContain("Note");
    expect(found(await run(root, all, engine, { deny: ["secret"] }))).toEqual([
      ".env0:1:one",
      ".git/HEAD:1:one",
      "node_modules/a:1:one",
    ]);
  });

  it("leaves out binary files, reads UTF-16, and drops a mark", async () => {
    const { root } = fixture({
      "a.bin": "one\0\n",
      "b.txt": Buffer.from("\uFEFFx\r\none é\r\n", "utf16le"),
      "c.txt": Buffer.from("\uFEFFone", "utf16le").swap16(),
      "d.txt": "\uFEFFone",
    });
    const response = await run(root, { pattern: "^one" }, engine);
    expect(found(response)).toEqual(["b.txt:2:one é", "c.txt:1:one", "d.txt:1:one"]);
    expect(response).toMatchObject({ status: "success", stats: { binary: 1 } });
    expect(response.text).toContain("(Left out: 1 binary files with matches.)");
  });

  it("puts the newest file first", async () => {
    const { root, path } = fixture({ a: "one", b: "one", c: "one" });
    const { utimesSync } = await import("node:fs");
    for (const [name, time] of Object.entries({ a: 100, b: 300, c: 100 })) utimesSync(path(name), time, time);
    expect(found(await run(root, { pattern: "one", sort: "modified" }, engine))).toEqual([
      "b:1:one",
      "a:1:one",
      "c:1:one",
    ]);
  });

  it.each([
    ["(", "Invalid regex pattern: "],
    ["(?=a)", "Invalid regex pattern: look-around (look-ahead and look-behind) is not supported"],
    [String.raw`(a)\1`, "Invalid regex pattern: back-references are not supported"],
    [String.raw`a\nb`, String.raw`Invalid regex pattern: the literal "\n" is not allowed in a regex`],
    [String.raw`foo\x0a`, String.raw`Invalid regex pattern: the literal "\n" is not allowed in a regex`],
    [String.raw`foo\x{d}`, String.raw`Invalid regex pattern: the literal "\r" is not allowed in a regex`],
    [String.raw`foo[\n\r]`, String.raw`Invalid regex pattern: the literal "\n" is not allowed in a regex`],
    [")(", "Invalid regex pattern: unopened group"],
  ])("refuses the pattern %s", async (pattern, message) => {
    const { root } = fixture({ a: "a" });
    const response = await run(root, { pattern }, engine);
    expect(response).toMatchObject({ status: "error", error: { code: "INVALID_PARAM" } });
    expect(response.text).toContain(message);
    expect(response.text).toMatch(/literal=true|multiline=true/u);
    // What an engine puts in front of the pattern is not shown.
    expect(response.text).not.toContain("(?i)");
  });

  it("finds what a set operation in a class says, or refuses it", async () => {
    const { root } = fixture({ x: "a\nb\n&\n" });
    const response = await run(root, { pattern: "^[a-b&&[^b]]$" }, engine);
    if (engine === "ripgrep") expect(found(response)).toEqual(["x:1:a"]);
    else expect(response.text).toContain("Invalid regex pattern: set operations in classes ('&&') are not supported");
  });

  it("finds an empty match at the end of a text", async () => {
    const { root } = fixture({ a: "x\nfoo", b: "5", c: "foo\n" });
    const response = await run(root, { pattern: String.raw`\d*$` }, engine);
    expect(response.status).toBe("success");
    expect(found(response)).toEqual(["a:1:x", "a:2:foo", "b:1:5", "c:1:foo"]);
  });

  it("takes a brace literally if it is not a repetition", async () => {
    const { root } = fixture({ a: "interface Foo {\nx{2}\nxx\n" });
    expect(found(await run(root, { pattern: "Foo {" }, engine))).toEqual(["a:1:interface Foo {"]);
    expect(found(await run(root, { pattern: "^x{2}$" }, engine))).toEqual(["a:3:xx"]);
  });

  it("never finds the inside of a character", async () => {
    const { root } = fixture({ a: "😀\n" });
    const params = { pattern: "^|.", multiline: true, output_mode: "count" };
    expect(dataOf(await run(root, params, engine)).matches).toMatchObject([{ file: "a", count: 1 }]);
  });

  it("notes which state of a file it showed", async () => {
    const { root } = fixture({ a: "one", b: "two" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const choice = engine === "javascript" ? { ripgrepPath: false as const } : {};
    await createGrepTool({ sandbox, versions, ...choice }).run({ pattern: "one" });
    expect(versions.known(await sandbox.resolve("a"))?.how).toBe("matched");
    expect(versions.known(await sandbox.resolve("b"))).toBeUndefined();
  });
});
