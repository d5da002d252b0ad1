import { readFileSync, rmSync } from "node:fs";
import type { Tool } from "@fstools/protocol";
import { conformant, fixture, link, type Fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createToolset, TOOL_NAMES, type ToolName, type ToolsetOptions } from "../src/index.ts";

const PROJECT = {
  web: { "a.ts": "needle\n", src: { "b.ts": "needle\n", "web.ts": "only\n" } },
  api: { "c.ts": "needle\n", ".env": "needle\n", src: { "b.ts": "needle\n" }, web: link("../web/src") },
  docs: { "README.md": "needle\n", big: { "x.md": "x\n", "y.md": "y\n" } },
};

function project(options: Partial<ToolsetOptions> = {}, tree: Fixture = fixture(PROJECT)) {
  const roots = [
    { path: tree.path("web") },
    { path: tree.path("api") },
    { path: tree.path("docs"), access: "read" as const },
  ];
  const toolset = createToolset({ roots, tools: TOOL_NAMES, ...options });
  return {
    tree,
    run: async (name: ToolName, params: object) => {
      const response = await named(toolset.tools, name).run(params);
      return { ...conformant(response), text: response.text.replaceAll(/\d+ms/gu, "Nms") };
    },
  };
}

function named(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`There is no tool '${name}'.`);
  return tool;
}

/** What a tool is not allowed to do. */
function notAllowed(path: string) {
  return { error: { code: "ACCESS_DENIED", message: `Writing to '${path}' is not allowed.` } };
}

describe("a project of several roots", () => {
  // Rule: "." is the list of roots: LS shows them, Glob and Grep search all of them in the order of their names.
  it("lists its roots", async () => {
    const { run } = project();
    const { text, context } = await run("LS", {});
    expect(text).toBe("Listed 3 entries in '.'\n(Total: 3 items - 3 dirs, 0 files, 0 links)\n\napi/\ndocs/\nweb/");
    expect(context).toMatchObject({ cwd: ".", path_resolved: "." });
  });

  it("is searched in one call, in the order of the names, page by page", async () => {
    const { run } = project();
    const paths: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const { data, status } = await run("Glob", { pattern: "**/*.ts", limit: 2, offset });
      paths.push(...(data as { paths: string[] }).paths);
      if (status === "success") break;
    }
    expect(paths).toEqual(["api/c.ts", "api/src/b.ts", "web/a.ts", "web/src/b.ts", "web/src/web.ts"]);
    const { text, context } = await run("Grep", { pattern: "needle", output_mode: "files", limit: 3 });
    expect(text.split("\n\n")[1]).toBe("api/c.ts\napi/src/b.ts\ndocs/README.md");
    expect(context.next_call).toEqual({
      tool: "Grep",
      params: { pattern: "needle", output_mode: "files", limit: 3, offset: 3 },
    });
  });

  it.each([
    ["web/src/*.ts", ["web/src/b.ts", "web/src/web.ts"]],
    ["*/src/b.ts", ["api/src/b.ts", "web/src/b.ts"]],
    ["api/c.ts", ["api/c.ts"]],
    ["*.ts", []],
  ])("takes names in patterns: %s", async (pattern, expected) => {
    const { run, tree } = project();
    const found = async (given: string) => ((await run("Glob", { pattern: given })).data as { paths: string[] }).paths;
    expect(await found(pattern)).toEqual(expected);
    if (pattern.startsWith("web") || pattern.startsWith("api"))
      expect(await found(tree.path(pattern))).toEqual(expected);
  });

  it("says why a pattern without a root's name finds nothing", async () => {
    const { run } = project();
    const { text } = await run("Glob", { pattern: "src/*.ts" });
    expect(text.split("\n").at(-1)).toBe(
      "[Note: A path begins with the name of a root. Use '**/src/*.ts' to search in all.]",
    );
    expect((await run("Glob", { pattern: "web/none/*.ts" })).text).not.toContain("Note:");
    expect((await run("Glob", { pattern: "none/*.ts", path: "web" })).text).not.toContain("Note:");
  });

  it("hides no root because of its name", async () => {
    const tree = fixture({
      ".github": { "a.yml": "needle" },
      build: { "b.yml": "needle", dist: { "c.yml": "needle" } },
    });
    const roots = [{ path: tree.path(".github") }, { path: tree.path("build") }];
    const { run } = project({ roots }, tree);
    expect((await run("LS", {})).text).toContain("\n\n.github/\nbuild/");
    expect((await run("Glob", { pattern: "**/*.yml" })).data).toMatchObject({
      paths: [".github/a.yml", "build/b.yml"],
    });
    expect((await run("Glob", { pattern: "build/b.yml" })).data).toMatchObject({ paths: ["build/b.yml"] });
    for (const ripgrepPath of [undefined, false] as const) {
      const searched = project({ roots, grep: ripgrepPath === undefined ? {} : { ripgrepPath } }, tree);
      const { text } = await searched.run("Grep", { pattern: "needle", output_mode: "files" });
      expect(text).toMatch(/\n\n\.github\/a\.yml\nbuild\/b\.yml$/u);
    }
  });

  it("is searched although one of its roots is gone", async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, "needle"]));
    for (const gone of ["api", "web"]) {
      const tree = fixture({ web: many, api: many });
      const { run } = project({ roots: [{ path: tree.path("web") }, { path: tree.path("api") }] }, tree);
      rmSync(tree.path(gone), { recursive: true });
      const params = { pattern: "needle", output_mode: "files", limit: 200, offset: 100 };
      const { text, stats } = await run("Grep", params);
      expect(text).not.toContain("ripgrep");
      expect(stats).toMatchObject({ engine: "ripgrep", matched_files: 100 });
    }
  });

  it("is searched beyond the first files, where ripgrep is asked which ones match", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, at % 50 === 0 ? "needle" : ""]),
    );
    const tree = fixture({ web: { src: many }, api: many });
    const roots = [{ path: tree.path("web") }, { path: tree.path("api") }];
    for (const include of [undefined, "*.txt", "*/src/*.txt", "web/**"]) {
      const params = { pattern: "needle", output_mode: "files", ...(include === undefined ? {} : { include }) };
      const found = ["f0", "f100", "f150", "f50"].flatMap((name) => `web/src/${name}.txt`);
      const all =
        include === undefined || include === "*.txt"
          ? ["f0", "f100", "f150", "f50"].map((name) => `api/${name}.txt`)
          : [];
      const { text } = await project({ roots }, tree).run("Grep", params);
      expect(text.split("\n\n")[1]).toBe([...all, ...found].join("\n"));
    }
  });

  it("says in a note where a path without a root's name was found", async () => {
    const { run } = project();
    const note = "\nNote: 'src/web.ts' was taken as 'web/src/web.ts'.";
    const read = await run("Read", { path: "src/web.ts" });
    expect(read.text).toBe(`Read 1 lines from 'web/src/web.ts' (Lines 1-1).\n(Took Nms)${note}`);
    expect((await run("read", { filePath: "src/web.ts" })).text).toContain(note);
    expect((await run("Grep", { path: "src/web.ts", pattern: "only" })).text).toContain(note);
    const edit = await run("Edit", { path: "src/web.ts", old_string: "only", new_string: "one" });
    expect([edit.text.includes(note), edit.context.path_resolved]).toEqual([true, "web/src/web.ts"]);
    expect((edit.data as { diff_preview: string }).diff_preview).toContain(
      "--- a/web/src/web.ts\n+++ b/web/src/web.ts\n",
    );
    expect((await run("Write", { path: "src/web.ts", content: "two\n" })).text).toContain(note);
    expect((await run("Delete", { path: "src/web.ts", dry_run: true })).text).toContain(note);
    const moved = await run("Move", { from: "src/web.ts", to: "api/web.ts" });
    expect([moved.text.includes(note), moved.context.path_resolved]).toEqual([true, "api/web.ts"]);
    expect((await run("LS", { path: "big" })).text).toContain("\nNote: 'big' was taken as 'docs/big'.");
  });

  it("does not guess between roots, nor where to create", async () => {
    const { run } = project();
    for (const [name, params] of [
      ["Read", { path: "src/b.ts" }],
      ["Edit", { path: "src/b.ts", old_string: "needle", new_string: "" }],
      ["Delete", { path: "src/b.ts" }],
    ] as const) {
      const { error, context } = await run(name, params);
      expect([error?.code, context.suggestions]).toEqual(["NOT_FOUND", ["web/src/b.ts", "api/src/b.ts"]]);
    }
    const names = "A path begins with the name of a root: 'web', 'api', 'docs'.";
    const written = await run("Write", { path: "src/new.ts", content: "" });
    expect([written.error?.code, written.context.suggestions]).toEqual([
      "NOT_FOUND",
      ["web/src/new.ts", "api/src/new.ts", "web/src/web.ts"],
    ]);
    expect(written.text).toContain(names);
    for (const to of ["new/a.ts", "new.ts"]) {
      const moved = await run("Move", { from: "web/a.ts", to });
      expect([moved.error?.code, moved.text.includes(names)]).toEqual(["NOT_FOUND", true]);
    }
  });

  it("takes a link of one root into another for that one's path", async () => {
    const { run, tree } = project();
    expect((await run("Read", { path: "api/web/web.ts" })).context.path_resolved).toBe("web/src/web.ts");
    await run("Edit", { path: "api/web/web.ts", old_string: "only", new_string: "one" });
    expect(readFileSync(tree.path("web/src/web.ts"), "utf8")).toBe("one\n");
    expect((await run("Glob", { pattern: "**/web.ts", path: "api" })).data).toMatchObject({ paths: [] });
    const roots = [{ path: tree.path("web"), access: "read" as const }, { path: tree.path("api") }];
    const closed = project({ roots }, tree);
    expect(await closed.run("Edit", { path: "api/web/web.ts", old_string: "one", new_string: "" })).toMatchObject(
      notAllowed("api/web/web.ts"),
    );
  });

  // Rule: A root of access "read" is never written: copying out of it is allowed, moving out is not.
  it("writes nothing into a root that is only read", async () => {
    const { run, tree } = project();
    const before = tree.path("docs/README.md");
    for (const [name, params, path] of [
      ["Edit", { path: "docs/README.md", old_string: "needle", new_string: "" }, "docs/README.md"],
      ["Write", { path: "docs/new.md", content: "" }, "docs/new.md"],
      ["Delete", { path: "docs/README.md" }, "docs/README.md"],
      ["Delete", { path: "docs/big", recursive: true }, "docs/big"],
      ["Move", { from: "docs/README.md", to: "web/README.md" }, "docs/README.md"],
      ["Move", { from: "web/a.ts", to: "docs/a.ts" }, "docs/a.ts"],
      ["Move", { from: "web/a.ts", to: "docs/a.ts", copy: true }, "docs/a.ts"],
    ] as const) {
      expect(await run(name, params)).toMatchObject(notAllowed(path));
    }
    const patch = "*** Begin Patch\n*** Delete File: web/a.ts\n*** Delete File: docs/README.md\n*** End Patch";
    expect((await run("Patch", { patch })).error?.code).toBe("ACCESS_DENIED");
    expect(readFileSync(tree.path("web/a.ts"), "utf8")).toBe("needle\n");
    expect(readFileSync(before, "utf8")).toBe("needle\n");
    expect((await run("Move", { from: "docs/big", to: "web/big", copy: true })).text).toContain(
      "Copied 'docs/big' to 'web/big' (2 files).",
    );
    expect(readFileSync(tree.path("web/big/y.md"), "utf8")).toBe("y\n");
  });

  it("keeps a root that only is one, without names", async () => {
    const tree = fixture(PROJECT);
    const { run } = project({ roots: [{ path: tree.path("docs"), name: "pages", access: "read" }] }, tree);
    expect((await run("Read", { path: "README.md" })).context.path_resolved).toBe("README.md");
    expect(await run("Write", { path: "new.md", content: "" })).toMatchObject(notAllowed("new.md"));
  });

  it("neither moves nor deletes a root", async () => {
    const { run } = project();
    expect(await run("Delete", { path: "web", recursive: true })).toMatchObject(notAllowed("web"));
    expect(await run("Move", { from: "api", to: "web/api" })).toMatchObject(notAllowed("api"));
    expect(await run("Delete", { path: ".", recursive: true })).toMatchObject(notAllowed("."));
    expect((await run("Write", { path: "web", content: "" })).error?.code).toBe("IS_DIRECTORY");
  });

  it("prints absolute paths where opencode does", async () => {
    const { run, tree } = project();
    expect((await run("read", { filePath: "web/src" })).data).toMatchObject({
      content: expect.stringContaining(`<path>${tree.path("web/src")}</path>`) as string,
    });
    expect((await run("read", { filePath: "." })).data).toMatchObject({
      content: "<path>.</path>\n<type>directory</type>\n<entries>\napi/\ndocs/\nweb/\n\n(3 entries)\n</entries>",
    });
    expect((await run("read", { filePath: "web/src/wep.ts" })).context.suggestions).toEqual([
      tree.path("web/src/web.ts"),
    ]);
    expect((await run("read", { filePath: "nothing.ts" })).error?.message).toBe("File not found: nothing.ts");
  });
});
