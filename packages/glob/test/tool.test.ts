import { chmodSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import {
  asNobody,
  conformant,
  fixture,
  link,
  makeLargeDirectory,
  turnsDuring,
  type Fixture,
  type Tree,
} from "@fstools/testing";
import type { ToolResponse } from "@fstools/protocol";
import { compareWalkOrder, createSandbox } from "@fstools/sandbox";
import fc from "fast-check";
import { glob as tinyglobby } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGlobTool, type GlobData, type GlobOptions } from "../src/index.ts";

type Params = Record<string, unknown>;

async function run(projectRoot: string, params: Params, options: Partial<GlobOptions> = {}, signal?: AbortSignal) {
  const tool = createGlobTool({ projectRoot, ...options });
  return conformant(await tool.run(params, signal === undefined ? {} : { signal }), "glob");
}

const steady = (text: string) => text.replaceAll(/\d+ms/gu, "Nms");

const files = (count: number, extension = "ts") =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${String(index).padStart(6, "0")}.${extension}`, ""]),
  );

/** In tinyglobby `a/**` also finds the file `a`, and `[!a]` has another meaning. */
function forTinyglobby(pattern: string): string {
  return pattern.replace(/\*\*$/u, "**/*").replaceAll("[!", "[^");
}

describe("Glob", () => {
  it.each(["lnk", "./lnk", "other/../lnk"])("knows its root by the absolute path of %s", async (spelled) => {
    const { root, path } = fixture({ real: { "a.ts": "" }, lnk: link("real") });
    const before = process.cwd();
    process.chdir(root);
    try {
      const { data } = await run(spelled, { pattern: path("lnk/*.ts") });
      expect(data.paths).toEqual(["a.ts"]);
    } finally {
      process.chdir(before);
    }
  });

  it("answers with an envelope", async () => {
    const { root } = fixture({ src: { "main.py": "", utils: { "io.py": "" }, "x.txt": "" } });
    const params = { pattern: "**/*.py", path: "src" };
    const response = await run(root, params);
    expect(steady(response.text)).toBe(
      "Found 2 files matching '**/*.py' in 'src'\n(Scanned 5 items in Nms)\n\nsrc/main.py\nsrc/utils/io.py",
    );
    expect(response).toEqual({
      status: "success",
      data: { paths: ["src/main.py", "src/utils/io.py"], truncated: false },
      text: response.text,
      stats: { time_ms: expect.any(Number) as number, matched: 2, visited: 5 },
      context: { cwd: ".", params_input: params, path_resolved: "src", pattern_normalized: "**/*.py" },
    });
  });

  it("says that nothing was found", async () => {
    const { root } = fixture({ a: "" });
    const response = await run(root, { pattern: "*.py" });
    expect(response.status).toBe("success");
    expect(response.data).toEqual({ paths: [], truncated: false });
    expect(steady(response.text)).toBe(
      "No files found matching '*.py' in '.'\n(Scanned 2 items in Nms)\n" +
        "[Note: '*' does not cross directories. Use '**/*.py' to search below.]",
    );
  });

  it("is truncated past the limit, and says how to continue", async () => {
    const { root } = fixture(files(4));
    const response = await run(root, { limit: 3, pattern: "*.ts" });
    expect(response).toMatchObject({
      status: "partial",
      data: { truncated: true },
      stats: { matched: 3 },
      context: { next_call: { tool: "Glob", params: { pattern: "*.ts", limit: 3, offset: 3 } } },
    });
    expect(steady(response.text)).toBe(
      "Found 3 files matching '*.ts' in '.'\n(Scanned 5 items in Nms)\n" +
        "[Truncated: Showing matches 1-3. Use offset=3 to continue, or narrow 'pattern' or 'path'.]\n\n" +
        "f000000.ts\nf000001.ts\nf000002.ts",
    );
  });

  it("is a success with exactly as many matches as the limit", async () => {
    const { root } = fixture(files(4));
    expect(await run(root, { pattern: "*.ts", limit: 4 })).toMatchObject({
      status: "success",
      data: { truncated: false },
    });
  });

  it("gives the same on all pages together as one search", async () => {
    const { root } = fixture({ ...files(7), d: files(5), e: { f: files(4) }, ".h": "" });
    const tool = createGlobTool({ projectRoot: root });
    const whole = await run(root, { pattern: "**/*.ts", limit: 200 });
    for (const limit of [1, 3, 4, 16, 17]) {
      const found: string[] = [];
      let params: Params | undefined = { pattern: "**/*.ts", limit };
      while (params !== undefined) {
        const response: ToolResponse<GlobData> = conformant(await tool.run(params), "glob");
        if (response.status === "error") throw new Error(response.text);
        expect(response.stats.matched).toBe(response.data.paths.length);
        found.push(...response.data.paths);
        params = response.context.next_call?.params;
      }
      expect({ paths: found, truncated: false }).toEqual(whole.data);
    }
  });

  it("says that an offset is past the end", async () => {
    const { root } = fixture(files(4));
    const response = await run(root, { pattern: "*.ts", offset: 4 });
    expect(response).toMatchObject({ status: "success", data: { paths: [], truncated: false }, stats: { matched: 0 } });
    expect(steady(response.text)).toBe(
      "No files found matching '*.ts' in '.'\n(Scanned 5 items in Nms)\n[offset=4 is past the end: 4 matches.]",
    );
  });

  it("says what it did not search", async () => {
    const { root } = fixture({ "a.js": "", ".b.js": "", ".git": { "c.js": "" }, node_modules: { "d.js": "" } });
    expect(steady((await run(root, { pattern: "**/*.js" })).text)).toBe(
      "Found 1 files matching '**/*.js' in '.'\n(Scanned 3 items in Nms)\n" +
        "(Not searched: 1 hidden, 1 ignored entries.)\n\na.js",
    );
    expect((await run(root, { pattern: "*.ts" })).text).not.toContain("Not searched");
  });

  it("leaves out what git ignores, if the host wants it, and says so", async () => {
    const { root } = fixture({ ".gitignore": "*.log\nout/\n", "a.log": "", out: { "b.log": "", "c.ts": "" } });
    const options = { gitignore: true };
    const nothing = await run(root, { pattern: "**/*.log" }, options);
    expect(nothing.data).toEqual({ paths: [], truncated: false });
    expect(steady(nothing.text)).toBe(
      "No files found matching '**/*.log' in '.'\n(Scanned 3 items in Nms)\n(Not searched: 2 ignored entries.)",
    );
    const found = async (params: Params) => (await run(root, params, options)).data;
    expect(await found({ pattern: "**/*.log", include_ignored: true })).toMatchObject({
      paths: ["a.log", "out/b.log"],
    });
    expect(await found({ pattern: "*", path: "out" })).toMatchObject({ paths: ["out/c.ts"] });
  });

  it.each([
    ["out/**", "out"],
    ["out/c.ts", "out"],
    ["a.log", "a.log"],
    ["src/gen/*.ts", "gen"],
  ])("names what git ignores where the pattern %j spells it out", async (pattern, name) => {
    const { root } = fixture({
      ".gitignore": "*.log\nout/\ngen\n",
      "a.log": "",
      out: { "c.ts": "" },
      src: { gen: { "d.ts": "" } },
    });
    const { text } = await run(root, { pattern }, { gitignore: true });
    expect(steady(text).split("\n").slice(2)).toEqual([
      "(Not searched: 1 ignored entries.)",
      `[Note: '${name}' in 'pattern' is ignored by git. Set include_ignored=true to find it.]`,
    ]);
    expect((await run(root, { pattern, include_ignored: true }, { gitignore: true })).data).toHaveProperty(
      "paths.length",
      1,
    );
  });

  it("works on an existing sandbox", async () => {
    const { root } = fixture({ "a.ts": "" });
    const tool = createGlobTool({ sandbox: createSandbox({ projectRoot: root }) });
    expect(conformant(await tool.call({ pattern: `${root}/*.ts` }), "glob").data).toMatchObject({ paths: ["a.ts"] });
  });

  it("returns 50 matches by default, and at most 200", async () => {
    const { root } = fixture(files(201));
    expect((await run(root, { pattern: "*" })).stats).toMatchObject({ matched: 50 });
    const most = await run(root, { pattern: "*", limit: 200 });
    expect(most.stats).toMatchObject({ matched: 200 });
    expect(most.text).toContain("\n[Truncated: Showing matches 1-200. Use offset=200 to continue, or narrow");
  });

  // Rule: The count breaker: partial with results, an error without, `truncated` false.
  it("stops early when it has seen too much: partial with results", async () => {
    const { root } = fixture({ "a.py": "", "b.py": "" });
    const response = await run(root, { pattern: "*.py" }, { maxVisitedEntries: 2 });
    expect(response).toMatchObject({
      status: "partial",
      data: { paths: ["a.py"], truncated: false, aborted_reason: "count_limit" },
      stats: { matched: 1, visited: 2 },
    });
    expect(steady(response.text)).toBe(
      "Found 1 files matching '*.py' in '.'\n(Scanned 2 items in Nms)\n" +
        "[Partial: Search stopped early (scanned too many items). Use a more specific 'path'.]\n\na.py",
    );
  });

  it("stops early when it has seen too much: an error without results", async () => {
    const { root } = fixture({ "a.py": "", "b.py": "" });
    const response = await run(root, { pattern: "*.js" }, { maxVisitedEntries: 2 });
    expect(response).toMatchObject({
      status: "error",
      data: { paths: [], truncated: false, aborted_reason: "count_limit" },
      error: { code: "INTERNAL_ERROR", message: "Search aborted (scanned too many items without results)." },
      stats: { matched: 0, visited: 2 },
      context: { path_resolved: ".", pattern_normalized: "*.js" },
    });
    expect(steady(response.text)).toBe(
      "No files found matching '*.js' in '.'\n(Scanned 2 items in Nms)\n" +
        "[Error: Search aborted (scanned too many items without results). Use a more specific 'path' or 'pattern'.]",
    );
  });

  // Rule: The time breaker: partial with results, an error without, seconds as 2 or 0.5.
  it("stops early when the time is over: an error without results", async () => {
    const { root } = fixture({ "a.py": "" });
    const response = await run(root, { pattern: "*.py" }, { maxDurationMs: 0 });
    expect(response).toMatchObject({
      status: "error",
      data: { paths: [], truncated: false, aborted_reason: "time_limit" },
      error: { code: "TIMEOUT", message: "Search timed out (>0s) without finding results." },
    });
    expect(steady(response.text)).toBe(
      "No files found matching '*.py' in '.'\n(Scanned 0 items in Nms)\n" +
        "[Error: Search timed out (>0s) without finding results. Use a more specific 'path' or 'pattern'.]",
    );
  });

  it("gives the same first matches of a giant directory whether or not the count breaker cuts it", async () => {
    const { root } = fixture(files(1500));
    const whole = await run(root, { pattern: "*7.ts", limit: 10 }, { maxVisitedEntries: Infinity });
    const cut = await run(root, { pattern: "*7.ts", limit: 10 }, { maxVisitedEntries: 1000 });
    const short = await run(root, { pattern: "*7.ts", limit: 10 }, { maxVisitedEntries: 50 });
    // The start, and the files up to the eleventh match.
    expect(whole).toMatchObject({ status: "partial", data: { truncated: true }, stats: { visited: 109 } });
    expect(cut.data).toEqual(whole.data);
    expect(cut.stats.visited).toBe(109);
    expect(short).toMatchObject({
      data: {
        paths: ["f000007.ts", "f000017.ts", "f000027.ts", "f000037.ts", "f000047.ts"],
        aborted_reason: "count_limit",
      },
      stats: { visited: 50 },
    });
  });

  it("is an error when the caller aborts before anything was found", async () => {
    const { root } = fixture({ d: { b: "" } });
    const controller = new AbortController();
    const running = createGlobTool({ projectRoot: root }).run({ pattern: "**/a.ts" }, { signal: controller.signal });
    controller.abort();
    const { error } = conformant(await running, "glob");
    expect(error).toEqual({ code: "EXECUTION_ERROR", message: "Aborted by the caller." });
  });

  it.each([
    [AbortSignal.abort(), "EXECUTION_ERROR"],
    [AbortSignal.abort(new DOMException("late", "TimeoutError")), "TIMEOUT"],
  ])("answers at once to a signal that was aborted before", async (signal, code) => {
    const { root } = fixture({ a: "" });
    const response = await run(root, { pattern: "*" }, {}, signal);
    expect(response.error).toEqual({ code, message: "Aborted by the caller." });
  });

  it.each<[string, Params, string, string]>([
    ["a missing search root", { pattern: "*", path: "none" }, "NOT_FOUND", "Search root 'none' does not exist."],
    [
      "a file as search root",
      { pattern: "*", path: "file" },
      "INVALID_PARAM",
      "Search root 'file' is not a directory.",
    ],
    [
      "a search root outside",
      { pattern: "*", path: ".." },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "an absolute one outside",
      { pattern: "*", path: "/" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    [
      "a link to the outside",
      { pattern: "*", path: "out" },
      "ACCESS_DENIED",
      "Access denied. Path must be within project root.",
    ],
    ["a pattern that goes up", { pattern: "../*" }, "INVALID_PARAM", "pattern must not contain a '..' segment."],
    [
      "an unknown parameter",
      { pattern: "*", pathh: "*" },
      "INVALID_PARAM",
      "Unknown parameter 'pathh'. Did you mean 'path'?",
    ],
  ])("explains %s", async (_, params, code, message) => {
    const { root } = fixture({ file: "", out: link("/") });
    const response = await run(root, params);
    expect(response.status).toBe("error");
    expect(response.error).toEqual({ code, message });
    expect(response.text.startsWith(`${message} `)).toBe(true);
    expect(response.data).toEqual({});
  });

  it("says that the search root may not be read", async () => {
    const { root, path } = fixture({ closed: {} });
    chmodSync(path("closed"), 0o000);
    const response = await asNobody(() => run(root, { pattern: "*", path: "closed" }));
    expect(response.error).toEqual({ code: "PERMISSION_DENIED", message: "Permission denied reading 'closed'." });
    expect(response.context.path_resolved).toBe("closed");
  });

  it("does not call a search complete if it could not confirm what it found", async () => {
    const { root, path } = fixture({ src: { "a.ts": "" } });
    chmodSync(path("src"), 0o311);
    const response = await asNobody(() => run(root, { pattern: "src/a.*" }));
    expect(response).toMatchObject({ status: "partial", data: { paths: [] }, stats: { skipped: 1 } });
    expect(response.text).toContain("'src' (permission denied)");
    const missing = await asNobody(() => run(root, { pattern: "src/b.ts" }));
    expect(missing).toMatchObject({ status: "partial", data: { paths: [] }, stats: { skipped: 1 } });
    const atRoot = await asNobody(() => run(root, { pattern: "*.ts", path: "src" }));
    expect(atRoot.error).toEqual({ code: "PERMISSION_DENIED", message: "Permission denied reading 'src'." });
  });

  // Rule: A skipped directory is named by its path from the project root, and only if a verified listing has it.
  it("is partial when it had to skip a directory", async () => {
    const { root, path } = fixture({ src: { "a.ts": "", closed: { "b.ts": "" } } });
    chmodSync(path("src", "closed"), 0o000);
    const response = await asNobody(() => run(root, { pattern: "**/*.ts", path: "src" }));
    expect(response).toMatchObject({
      status: "partial",
      data: { paths: ["src/a.ts"], truncated: false },
      stats: { matched: 1, skipped: 1 },
    });
    expect(response.text).toContain(
      "\n[Partial: Skipped 1 directory that could not be read: 'src/closed' (permission denied). ",
    );
  });

  it.each<[string, Params, string]>([
    [
      "a hidden segment",
      { pattern: ".github/*.yml" },
      "[Note: '.github' in 'pattern' is hidden. Set include_hidden=true to find it.]",
    ],
    [
      "an ignored directory",
      { pattern: "node_modules/**/*.js" },
      "[Note: 'node_modules' in 'pattern' is an ignored directory. Set include_ignored=true to search it.]",
    ],
    [
      "a directory",
      { pattern: "src" },
      "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]",
    ],
    [
      "the search root itself",
      { pattern: "./" },
      "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]",
    ],
  ])("says why it finds nothing: %s", async (_, params, note) => {
    const { root } = fixture({ ".github": { "ci.yml": "" }, node_modules: { a: { "b.js": "" } }, src: { c: "" } });
    const response = await run(root, params);
    expect(response).toMatchObject({ status: "success", data: { paths: [] } });
    expect(response.text.split("\n")).toContain(note);
  });

  it.each<[Params, string[]]>([
    [{ pattern: ".github/*.yml", include_hidden: true }, [".github/ci.yml"]],
    [{ pattern: "node_modules/**/*.js", include_ignored: true }, ["node_modules/a/b.js"]],
    // The rules apply below the search root, not to it.
    [{ pattern: "*.yml", path: ".github" }, [".github/ci.yml"]],
    [{ pattern: "**/*.js", path: "node_modules" }, ["node_modules/a/b.js"]],
  ])("finds hidden and ignored files when asked: %j", async (params, paths) => {
    const { root } = fixture({ ".github": { "ci.yml": "" }, node_modules: { a: { "b.js": "" } } });
    expect((await run(root, params)).data).toEqual({ paths, truncated: false });
  });

  it.each<[string, string[]]>([
    ["app/(auth)/[id]/page.tsx", ["app/(auth)/[id]/page.tsx"]],
    ["app/[...slug]/*.tsx", ["app/[...slug]/page.tsx"]],
    ["**/[slug]/**", ["app/[slug]/a/b.tsx"]],
    ["[!a]*.ts", ["b.ts", "😀.ts"]],
    ["?.ts", ["a.ts", "b.ts", "😀.ts"]],
    ["{src,test}/**/*.{ts,tsx}", ["src/x.ts", "src/y/z.tsx", "test/x.tsx"]],
    ["src\\y\\*.tsx", ["src/y/z.tsx"]],
    ["  src/*.ts ", ["src/x.ts"]],
    ["./src/*.ts", ["src/x.ts"]],
    ["/src/*.ts", ["src/x.ts"]],
    ["SRC/*.ts", []],
    ["**/*.TSX", []],
  ])("finds what people ask for: %j", async (pattern, paths) => {
    const { root } = fixture({
      app: {
        "(auth)": { "[id]": { "page.tsx": "" } },
        "[...slug]": { "page.tsx": "" },
        "[slug]": { a: { "b.tsx": "" } },
      },
      "a.ts": "",
      "b.ts": "",
      "😀.ts": "",
      src: { "x.ts": "", y: { "z.tsx": "" } },
      test: { "x.tsx": "" },
    });
    expect((await run(root, { pattern })).data).toEqual({ paths, truncated: false });
  });

  // Rule: An absolute pattern below the search root or project root is taken relative to it.
  it("takes absolute patterns and paths below the project root, also through a link to it", async () => {
    const { path } = fixture({ real: { src: { "a.ts": "" }, lib: { "b.ts": "" } }, alias: link("real") });
    const found = async (projectRoot: string, params: Params) => (await run(projectRoot, params)).data;
    const expected = { paths: ["src/a.ts"], truncated: false };
    expect(await found(path("real"), { pattern: `${path("real")}/src/*.ts` })).toEqual(expected);
    expect(await found(path("real"), { pattern: `${path("real")}/src/*.ts`, path: "src" })).toEqual(expected);
    expect(await found(path("real"), { pattern: `${path("real")}/**/*.ts`, path: "src" })).toEqual(expected);
    expect(await found(path("real"), { pattern: "*.ts", path: path("real", "src") })).toEqual(expected);
    expect(await found(path("alias"), { pattern: `${path("alias")}/src/*.ts` })).toEqual(expected);
    expect(await found(`${path("alias")}/`, { pattern: `${path("real")}/src/*.ts` })).toEqual(expected);
    const elsewhere = await run(path("real"), { pattern: `${path("real")}/lib/*.ts`, path: "src" });
    expect(elsewhere.data).toEqual({ paths: [], truncated: false });
    expect(elsewhere.text).toContain("does not lead into 'path'");
  });

  it("searches from the project root, whatever the working directory is", async () => {
    const { root } = fixture({ src: { "a.ts": "" }, "b.ts": "" });
    const response = await run(root, { pattern: "*.ts" }, { workingDir: "src" });
    expect(response).toMatchObject({ data: { paths: ["b.ts"] }, context: { cwd: "src", path_resolved: "." } });
  });

  it("finds a search root through a link inside, and shows its real path", async () => {
    const { root } = fixture({ real: { "a.ts": "" }, alias: link("real") });
    expect(await run(root, { pattern: "*", path: "alias" })).toMatchObject({
      data: { paths: ["real/a.ts"] },
      context: { path_resolved: "real" },
    });
  });

  it("never shows what the host denies", async () => {
    const { root } = fixture({ ".env": "", "a.pem": "", "b.ts": "", keys: { "c.ts": "" } });
    const deny = ["**/.env", "**/*.pem", "keys"];
    const response = await run(root, { pattern: "**", include_hidden: true }, { deny });
    expect(response.data).toEqual({ paths: ["b.ts"], truncated: false });
    expect((await run(root, { pattern: "keys/c.ts" }, { deny })).data).toEqual({ paths: [], truncated: false });
  });

  it.each([
    ["not valid UTF-8", Buffer.from([0x61, 0xff, 0x62])],
    ["a line break", Buffer.from("a\n[Truncated: no.]")],
    ["quotes", Buffer.from(`a'b"c\``)],
    ["emoji", Buffer.from("😀👩‍👩‍👧")],
    ["a combining character", Buffer.from("e\u0301")],
    ["its composed twin", Buffer.from("é")],
    ["255 bytes", Buffer.from("x".repeat(255))],
    ["a bidi control", Buffer.from("a\u202etxt")],
    ["blanks", Buffer.from(" a ")],
  ])("finds and safely shows a name with %s", async (_, name) => {
    const { root } = fixture({ dir: {} });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/dir/`), name]), "");
    const response = await run(root, { pattern: "**" });
    expect(response.data).toEqual({ paths: [`dir/${name.toString()}`], truncated: false });
    expect(response.text.split("\n")).toHaveLength(4);
  });

  it.each([
    ["stars", "*a".repeat(2000) + "x"],
    ["the classic", "*a*a*a*a*a*ax"],
    ["question marks", "?".repeat(4096)],
    ["brackets", "[".repeat(4096)],
    ["classes", `*${"[!a]*".repeat(800)}`],
    ["double stars", "**/".repeat(1365)],
    ["double stars and names", "**/a/".repeat(800) + "x"],
    ["braces", "{a,b}".repeat(800)],
    ["nested braces", "{a,".repeat(990) + "}".repeat(990)],
    ["unclosed braces", "{a,".repeat(990)],
    ["a thousand alternatives", `*{${"a*,".repeat(999)}b}`],
    ["a thousand long alternatives", `*${"{a*,b*,c*,d*,e*,f*,g*,h*,i*,j*}".repeat(3)}${"[!a]*".repeat(8)}z`],
  ])("answers at once to a hostile pattern: %s", async (_, pattern) => {
    const { root } = fixture({
      ["a".repeat(255)]: "",
      ["b".repeat(255)]: "",
      ["c".repeat(120)]: { ["a".repeat(255)]: "" },
    });
    // With a matcher that backtracks, the test would time out.
    const response = await run(root, { pattern });
    expect(response.text.length).toBeLessThan(2000);
  });

  // Rule: The same as tinyglobby and picomatch, where semantics agree.
  it("finds what tinyglobby finds, in walk order", async () => {
    const name = fc.constantFrom("a", "b", "c", "ab", "a.ts", "b.ts", "x.js", "A", ".h", "é", "\uff01");
    const { tree } = fc.letrec<{ tree: Record<string, Tree>; node: Tree }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        { weight: 3, arbitrary: fc.constant("") },
        { weight: 2, arbitrary: tie("tree") },
      ),
      tree: fc.dictionary(name, tie("node"), { maxKeys: 4 }),
    }));
    const segment = fc.constantFrom(
      ...["a", "b", "*", "**", "a*", "*.ts", "?", "[ab]", "[!a]*", "{a,b}", "*.{ts,js}", "??", "*b*", "[^x]*"],
    );
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
    await fc.assert(
      fc.asyncProperty(tree, pattern, async (nodes, text) => {
        const { root, cleanup } = fixture(nodes);
        const found = await run(root, { pattern: text, limit: 200, include_hidden: true, include_ignored: true });
        const expected = await tinyglobby(forTinyglobby(text), { cwd: root, dot: true, expandDirectories: false });
        cleanup();
        expect(found.data).toEqual({ paths: expected.sort(compareWalkOrder), truncated: false });
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["maxVisitedEntries", -1],
    ["maxVisitedEntries", Number.NaN],
    ["maxVisitedEntries", 1.5],
    ["maxDurationMs", -1],
    ["maxDurationMs", Number.NaN],
  ])("refuses the host's %s of %d", (name, value) => {
    const { root } = fixture({});
    expect(() => createGlobTool({ projectRoot: root, [name]: value })).toThrow(`${name} must be a whole number`);
  });

  it("refuses a project root that is not a directory, and a working directory outside", () => {
    const { path, root } = fixture({ file: "" });
    expect(() => createGlobTool({ projectRoot: path("none") })).toThrow();
    expect(() => createGlobTool({ projectRoot: path("file") })).toThrow();
    expect(() => createGlobTool({ projectRoot: root, workingDir: ".." })).toThrow();
  });
});

describe("Glob in one giant directory", () => {
  let giant: Fixture;

  beforeAll(() => {
    giant = fixture({ "a.ts": "" });
    // So many that reading them takes several slices on every machine.
    makeLargeDirectory(giant.path("big"), 50_000);
  });

  afterAll(() => {
    giant.cleanup();
  });

  it("fires the time breaker inside one giant directory", async () => {
    const response = await run(
      giant.root,
      { pattern: "big/*.none" },
      { maxDurationMs: 1, maxVisitedEntries: Infinity },
    );
    expect(response.error?.code).toBe("TIMEOUT");
  });

  it("lets the event loop turn while it works in one giant directory", async () => {
    const tool = createGlobTool({ projectRoot: giant.root, maxVisitedEntries: Infinity, maxDurationMs: 60_000 });
    const turns = await turnsDuring(async () => {
      const response = await tool.run({ pattern: "big/*[5-9]", limit: 200 });
      expect(response.data).toMatchObject({ truncated: true });
    });
    expect(turns).toBeGreaterThan(3);
  });

  // Rule: An abort keeps what was found, without `aborted_reason`; else it is the abort's error.
  it("keeps what it has when the caller aborts", async () => {
    const tool = createGlobTool({ projectRoot: giant.root, maxVisitedEntries: Infinity, maxDurationMs: 60_000 });
    // Later and later, until the abort comes after the first match, while the large directory is read.
    for (let turns = 1; turns < 100; turns += 1) {
      const controller = new AbortController();
      const running = tool.run({ pattern: "**/{a,none}.ts" }, { signal: controller.signal });
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
      controller.abort();
      const response = conformant(await running, "glob");
      if (response.status === "error") continue;
      expect(response.status).toBe("partial");
      expect(response.data).toEqual({ paths: ["a.ts"], truncated: false });
      expect(response.text).toContain(
        "\n[Partial: Aborted by the caller. Results are incomplete. Repeat the call if the rest is still needed.]\n",
      );
      return;
    }
    expect.unreachable("No abort came in time.");
  });

  it("is partial when the time is over and something was found", async () => {
    // More and more time, until it runs out after the first match, while the large directory is read.
    for (let maxDurationMs = 1; maxDurationMs < 200; maxDurationMs += 1) {
      const breakers = { maxDurationMs, maxVisitedEntries: Infinity };
      const response = await run(giant.root, { pattern: "**/{a,none}.ts" }, breakers);
      if (response.status === "error") continue;
      expect(response.status).toBe("partial");
      expect(response.data).toEqual({ paths: ["a.ts"], truncated: false, aborted_reason: "time_limit" });
      expect(steady(response.text).replace(/Scanned \d+/u, "Scanned N")).toBe(
        "Found 1 files matching '**/{a,none}.ts' in '.'\n(Scanned N items in Nms)\n" +
          `[Partial: Search timed out (>${String(maxDurationMs / 1000)}s). Results are incomplete.]\n` +
          "Use a more specific 'path' or 'pattern'.\n\na.ts",
      );
      return;
    }
    expect.unreachable("It never ran out of time.");
  });
});
