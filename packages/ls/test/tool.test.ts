import { chmodSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, conformant, fifo, fixture, link, makeLargeDirectory, type Tree } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSandbox } from "@fstools/sandbox";
import { createLsTool, type LsEntry, type LsOptions } from "../src/index.ts";

type Params = Record<string, unknown>;
type Options = Partial<LsOptions>;

async function run(projectRoot: string, params: Params = {}, options: Options = {}, signal?: AbortSignal) {
  const tool = createLsTool({ projectRoot, ...options });
  return conformant(await tool.run(params, signal === undefined ? {} : { signal }), "ls");
}

async function paths(projectRoot: string, params: Params = {}, options: Options = {}): Promise<string[]> {
  const response = await run(projectRoot, params, options);
  if (response.status === "error") throw new Error(response.text);
  return response.data.entries.map(({ path }) => path);
}

describe("LS", () => {
  it("answers with an envelope", async () => {
    const { root } = fixture({ "README.md": "", agents: {}, alias: link("README.md"), src: { a: "" } });
    const response = await run(root, {});
    expect(response).toEqual({
      status: "success",
      data: {
        entries: [
          { path: "agents", type: "dir" },
          { path: "src", type: "dir" },
          { path: "alias", type: "link" },
          { path: "README.md", type: "file" },
        ],
        truncated: false,
      },
      text: "Listed 4 entries in '.'\n(Total: 4 items - 2 dirs, 1 files, 1 links)\n\nagents/\nsrc/\nalias@\nREADME.md",
      stats: { time_ms: response.stats.time_ms, total_entries: 4, dirs: 2, files: 1, links: 1, returned: 4 },
      context: { cwd: ".", params_input: {}, path_resolved: "." },
    });
    expect(Number.isInteger(response.stats.time_ms)).toBe(true);
  });

  // Rule: With a next page: `partial`, `truncated`, "[Truncated: Showing start-end of X. R more items available.]",
  // "Use offset=K to view next page."
  it("is truncated when there is a next page, and names it", async () => {
    const { root } = fixture({ "README.md": "", agents: {}, b: "", c: "" });
    const params = { path: ".", limit: 2 };
    const response = await run(root, params);
    expect(response).toMatchObject({
      status: "partial",
      data: {
        entries: [
          { path: "agents", type: "dir" },
          { path: "b", type: "file" },
        ],
        truncated: true,
      },
      stats: { total_entries: 4, dirs: 1, files: 3, links: 0, returned: 2 },
      context: {
        cwd: ".",
        params_input: params,
        path_resolved: ".",
        next_call: { tool: "LS", params: { path: ".", offset: 2, limit: 2 } },
      },
    });
    expect(response.text).toBe(
      "Listed 2 entries in '.'\n(Total: 4 items - 1 dirs, 3 files, 0 links)\n" +
        "[Truncated: Showing 0-2 of 4. 2 more items available.]\nUse offset=2 to view next page.\n\nagents/\nb",
    );
  });

  // Rule: The last page is a `success`; past the end too, with no entries and "[offset=K is past the end: X items.]"
  it("is a success on the last page, and past it", async () => {
    const { root } = fixture({ a: "", b: "", c: "" });
    expect(await run(root, { offset: 2, limit: 2 })).toMatchObject({
      status: "success",
      data: { entries: [{ path: "c" }], truncated: false },
      text: "Listed 1 entries in '.'\n(Total: 3 items - 0 dirs, 3 files, 0 links)\n\nc",
    });
    expect(await run(root, { offset: 3 })).toMatchObject({
      status: "success",
      data: { entries: [], truncated: false },
      text: "Listed 0 entries in '.'\n(Total: 3 items - 0 dirs, 3 files, 0 links)\n[offset=3 is past the end: 3 items.]",
      stats: { total_entries: 3, returned: 0 },
    });
    expect((await run(root, { offset: Number.MAX_SAFE_INTEGER })).status).toBe("success");
  });

  it("lists an empty directory, and says when all its entries are hidden", async () => {
    const { root } = fixture({ empty: {}, hidden: { ".a": "", node_modules: {} } });
    expect((await run(root, { path: "empty" })).text).toBe(
      "Listed 0 entries in 'empty'\n(Total: 0 items - 0 dirs, 0 files, 0 links)",
    );
    expect((await run(root, { path: "hidden" })).text).toBe(
      "Listed 0 entries in 'hidden'\n(Total: 0 items - 0 dirs, 0 files, 0 links)\n" +
        "(2 hidden or ignored entries. Use include_hidden=true to show them.)",
    );
  });

  it("says how many entries it does not show", async () => {
    const { root } = fixture({ a: "", ".b": "", ".git": {}, node_modules: {} });
    const response = await run(root);
    expect(response).toMatchObject({ status: "success", stats: { total_entries: 1, hidden: 3 } });
    expect(response.text).toBe(
      "Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n" +
        "(Not shown: 3 hidden or ignored entries.)\n\na",
    );
    expect((await run(root, { include_hidden: true })).text).not.toContain("Not shown");
  });

  it("hides what git ignores, if the host wants it, and shows a directory that is named explicitly", async () => {
    const { root } = fixture({
      ".gitignore": "*.log\nout/\n",
      "a.log": "",
      "b.ts": "",
      out: { "c.js": "", "d.log": "" },
      src: { ".gitignore": "!e.log", "e.log": "" },
    });
    const options = { gitignore: true };
    expect(await paths(root, {}, options)).toEqual(["src", "b.ts"]);
    expect((await run(root, {}, options)).text).toContain("\n(Not shown: 3 hidden or ignored entries.)\n");
    expect(await paths(root, { path: "out" }, options)).toEqual(["out/c.js"]);
    expect(await paths(root, { path: "src" }, options)).toEqual(["src/e.log"]);
    expect(await paths(root, { include_hidden: true }, options)).toEqual(["out", "src", ".gitignore", "a.log", "b.ts"]);
    expect(await paths(root)).toEqual(["out", "src", "a.log", "b.ts"]);
  });

  it("gives up when the time is over", async () => {
    const { root } = fixture({ a: "" });
    const response = await run(root, {}, { maxDurationMs: 0 });
    expect(response.error).toEqual({ code: "TIMEOUT", message: "Listing timed out (>0s)." });
    expect(response.text).toBe("Listing timed out (>0s). List a smaller directory.");
  });

  it("shows what it has seen when the time is over in a large directory", async () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("big"), 60_000);
    // More and more time, until it runs out after the first slice and before the last one.
    for (let maxDurationMs = 1; maxDurationMs < 500; maxDurationMs += 1) {
      const response = await run(root, { path: "big" }, { maxDurationMs });
      if (response.status === "error") continue;
      expect(response.status).toBe("partial");
      expect(response.text).toContain(
        `\n[Partial: Listing timed out (>${String(maxDurationMs / 1000)}s). Counts are incomplete. List a smaller directory.]\n`,
      );
      expect(response.text).not.toContain("Use offset=");
      expect(response.context).not.toHaveProperty("next_call");
      expect(response.stats.total_entries).toBeLessThan(60_000);
      return;
    }
    expect.unreachable("It never ran out of time.");
  });

  it("works on an existing sandbox", async () => {
    const { root } = fixture({ a: "", src: { b: "" } });
    const tool = createLsTool({ sandbox: createSandbox({ projectRoot: root, workingDir: "src" }) });
    expect(conformant(await tool.call({ limit: 10 }), "ls").data).toMatchObject({ entries: [{ path: "src/b" }] });
    expect(conformant(await tool.call({ path: ".." }), "ls").data).toMatchObject({ entries: [{}, {}] });
  });

  it("refuses a duration that is not a number", () => {
    const { root } = fixture();
    for (const maxDurationMs of [-1, Number.NaN]) {
      expect(() => createLsTool({ projectRoot: root, maxDurationMs })).toThrow("maxDurationMs must be a whole number");
    }
  });

  it("returns 100 entries by default", async () => {
    const { root } = fixture(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${String(index)}`, ""])));
    expect((await run(root)).stats).toMatchObject({ returned: 100, total_entries: 101 });
  });

  // Rule: All pages together are one sorted listing.
  it("gives the same on all pages together as one sorted listing", async () => {
    const name = fc.constantFrom(..."aAbBzZ09_-é\uff01".split(""), "ab", "Ab", "AB", "a.ts", "lib", "Lib", "zz", "😀");
    const node = fc.constantFrom<Tree>("", {}, link("target-dir"), link("target-file"), link("/"), link("gone"));
    const entries = fc.dictionary(name, node, { maxKeys: 10 });
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 5 }), async (nodes, limit) => {
        const tree = { list: nodes, "target-dir": {}, "target-file": "" };
        const { root, path, cleanup } = fixture(tree);
        for (const [key, value] of Object.entries(nodes)) relink(path("list", key), value, root);
        const listed: LsEntry[] = [];
        const tool = createLsTool({ projectRoot: root });
        for (let offset = 0; ; offset += limit) {
          const response = conformant(await tool.run({ path: "list", offset, limit }), "ls");
          if (response.status === "error") throw new Error(response.text);
          listed.push(...response.data.entries);
          if (!response.data.truncated) break;
        }
        cleanup();
        expect(listed).toEqual(sortedListing(nodes));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Params, string, string]>([
    ["a missing path", { path: "none" }, "NOT_FOUND", "Path 'none' does not exist."],
    ["a path below a file", { path: "file/x" }, "NOT_FOUND", "Path 'file/x' does not exist."],
    ["a path outside", { path: "../.." }, "ACCESS_DENIED", "Access denied. Path must be within the project root."],
    [
      "an absolute one outside",
      { path: "/etc" },
      "ACCESS_DENIED",
      "Access denied. Path must be within the project root.",
    ],
    ["a link to the outside", { path: "out" }, "ACCESS_DENIED", "Access denied. Path must be within the project root."],
    [
      "a file",
      { path: "file" },
      "INVALID_PARAM",
      "'file' is a file, not a directory. Use 'Read' tool to view its content.",
    ],
    [
      "a pipe",
      { path: "pipe" },
      "INVALID_PARAM",
      "'pipe' is a file, not a directory. Use 'Read' tool to view its content.",
    ],
    ["an unknown parameter", { pat: "src" }, "INVALID_PARAM", "Unknown parameter 'pat'. Did you mean 'path'?"],
  ])("explains %s", async (_, params, code, message) => {
    const { root } = fixture({ file: "", out: link("/"), pipe: fifo() });
    const response = await run(root, params);
    expect(response.status).toBe("error");
    expect(response.error).toEqual({ code, message });
    expect(response.text.startsWith(`${message} `)).toBe(true);
    expect(response.data).toEqual({});
  });

  it("suggests what a missing path may have meant", async () => {
    const { root } = fixture({ source: {}, "src-old": {} });
    const { text } = await run(root, { path: "src" });
    expect(text).toContain("'src-old'");
    expect(text).toContain("run LS on '.'");
  });

  it("says that a directory may not be read", async () => {
    const { root, path } = fixture({ closed: {} });
    chmodSync(path("closed"), 0o000);
    const response = await asNobody(() => run(root, { path: "closed" }));
    expect(response.error).toEqual({ code: "ACCESS_DENIED", message: "Permission denied accessing 'closed'." });
    expect(response.context).toMatchObject({ path_resolved: "closed" });
  });

  // Rule: Relative paths start at the working directory, then at the project root.
  it("reads relative paths from the working directory, then from the project root", async () => {
    const { root } = fixture({ app: { src: { a: "" }, only: { b: "" } }, src: { c: "" }, lib: { d: "" } });
    const options = { workingDir: "app" };
    const listed = (params: Params) => paths(root, params, options);
    expect(await listed({})).toEqual(["app/only", "app/src"]);
    expect(await listed({ path: "src" })).toEqual(["app/src/a"]);
    expect(await listed({ path: "lib" })).toEqual(["lib/d"]);
    expect(await listed({ path: "app/only" })).toEqual(["app/only/b"]);
    expect(await listed({ path: "../src" })).toEqual(["src/c"]);
    expect((await run(root, { path: "lib" }, options)).context).toMatchObject({ cwd: "app", path_resolved: "lib" });
  });

  it("takes absolute paths inside, and shows the real path behind a link", async () => {
    const { root, path } = fixture({ real: { a: "" }, alias: link("real") });
    expect(await paths(root, { path: path("real") })).toEqual(["real/a"]);
    const response = await run(root, { path: "alias" });
    expect(response.context).toMatchObject({ path_resolved: "real" });
    expect(response.text).toMatch(/^Listed 1 entries in 'real'\n/u);
  });

  it("does not resolve the entries' own paths", async () => {
    const { root } = fixture({ dir: { out: link("/etc"), inside: link("../other") }, other: {} });
    const response = await run(root, { path: "dir" });
    expect(response.data).toMatchObject({
      entries: [
        { path: "dir/inside", type: "link" },
        { path: "dir/out", type: "link" },
      ],
    });
    expect(response.text).not.toContain("/etc");
  });

  // Rule: Denied entries are invisible.
  it("never shows what the host denies", async () => {
    const { root } = fixture({ ".env": "", "a.pem": "", b: "", keys: { c: "" } });
    const deny = ["**/.env", "**/*.pem", "keys"];
    const response = await run(root, { include_hidden: true }, { deny });
    expect(response).toMatchObject({ data: { entries: [{ path: "b" }] }, stats: { total_entries: 1 } });
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
  ])("lists and safely shows a name with %s", async (_, name) => {
    const { root } = fixture({ dir: {} });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/dir/`), name]), "");
    const response = await run(root, { path: "dir" });
    expect(response.data).toMatchObject({ entries: [{ path: `dir/${name.toString()}`, type: "file" }] });
    expect(response.text.split("\n")).toHaveLength(4);
  });

  it("lists twins that differ only in their normal form or in bytes that are not UTF-8", async () => {
    const { root } = fixture({ é: "", "e\u0301": "" });
    for (const byte of [0xfe, 0xff]) writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([byte])]), "");
    expect(await paths(root)).toEqual(["e\u0301", "é", "\ufffd", "\ufffd"]);
  });

  it("survives entries that come and go during the call", async () => {
    const { root, path } = fixture({ list: {} });
    let changes = 0;
    const timer = setInterval(() => {
      changes += 1;
      const name = path("list", `n${String(changes % 50)}`);
      rmSync(name, { force: true, recursive: true });
      if (changes % 3 === 0) symlinkSync("..", name);
      else writeFileSync(name, "");
    }, 0);
    try {
      while (changes < 60) {
        expect((await run(root, { path: "list", limit: 5 })).status).not.toBe("error");
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    } finally {
      clearInterval(timer);
    }
  });

  it.each([
    [AbortSignal.abort(), "EXECUTION_ERROR"],
    [AbortSignal.abort(new DOMException("late", "TimeoutError")), "TIMEOUT"],
  ])("answers at once to a signal that was aborted", async (signal, code) => {
    const { root } = fixture({ a: "" });
    const response = await run(root, {}, {}, signal);
    expect(response.error).toEqual({ code, message: "Aborted by the caller." });
  });

  it.each([
    ["stars", ["*a".repeat(8000) + "x"]],
    ["many patterns", Array.from({ length: 200 }, (_, index) => `*a*b*${String(index)}`)],
    ["many stars", Array.from({ length: 200 }, () => "*a*b*c*".repeat(11))],
    ["brackets", ["[".repeat(16_000)]],
    ["double stars", ["**/".repeat(5000) + "x"]],
  ])("answers at once to hostile ignore patterns: %s", async (_, ignore) => {
    const { root } = fixture({ ["a".repeat(255)]: "", ["b".repeat(255)]: "" });
    // With a matcher that backtracks, the test would time out.
    expect((await run(root, { ignore })).status).toBe("success");
  });

  it("refuses a project root that is not a directory, and a working directory outside", () => {
    const { path, root } = fixture({ file: "" });
    expect(() => createLsTool({ projectRoot: path("none") })).toThrow();
    expect(() => createLsTool({ projectRoot: path("file") })).toThrow();
    expect(() => createLsTool({ projectRoot: root, workingDir: ".." })).toThrow();
  });
});

const TO_DIRECTORY = "target-dir";

/** Fixtures write a link's target unchanged; here targets are next to the list. */
function relink(path: string, node: Tree, root: string): void {
  const target = targetOf(node);
  if (target === undefined || target === "/") return;
  rmSync(path);
  symlinkSync(`${root}/${target}`, path);
}

function targetOf(node: Tree): string | undefined {
  return typeof node === "object" && "target" in node && typeof node.target === "string" ? node.target : undefined;
}

/** What LS should return on one page that is large enough. */
function sortedListing(nodes: Record<string, Tree>): LsEntry[] {
  const all = Object.entries(nodes).map(([name, node]) => {
    const target = targetOf(node);
    const type = target !== undefined ? "link" : node === "" ? "file" : "dir";
    return { name, type, group: type === "dir" || target === TO_DIRECTORY ? 0 : 1 } as const;
  });
  const compare = (left: string, right: string) => (left < right ? -1 : Number(left > right));
  return all
    .sort(
      (left, right) =>
        left.group - right.group ||
        compare(left.name.toLowerCase(), right.name.toLowerCase()) ||
        compare(left.name, right.name),
    )
    .map(({ name, type }) => ({ path: `list/${name}`, type }));
}
