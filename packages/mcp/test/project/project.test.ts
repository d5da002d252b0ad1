import { conformant, fixture, link } from "@fstools/testing";
import { renderForModel } from "@fstools/protocol";
import { DEFAULT_TOOL_NAMES, type ToolName } from "@fstools/toolset";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createProject, type ProjectOptions } from "../../src/project/project.ts";

const OPTIONS: ProjectOptions = {
  tools: [...DEFAULT_TOOL_NAMES, "read"],
  deny: [],
  protect: [],
  defaultDeny: true,
  gitignore: false,
};

/** Two roots of the same name, with a file of the same name in each. */
function twoRoots() {
  const { path } = fixture({
    one: { app: { src: { "index.ts": "first\n" }, "only-here.txt": "1\n" } },
    two: { app: { src: { "index.ts": "second\n", "other.ts": "o\n" } } },
  });
  const roots = [path("one", "app"), path("two", "app")];
  const project = createProject(roots, OPTIONS);
  const run = async (name: "LS" | "Glob" | "Grep" | "Read" | "read", input: object) =>
    conformant(await project.tool(name).run(input));
  return { roots, project, run };
}

// Rule: Several roots: printed paths begin with the root's label; an absolute or labelled path chooses its root, any other
// path means the first.
describe("a project of several roots", () => {
  it("prints every path with its root's label, and opens what it printed", async () => {
    const { run } = twoRoots();
    const found = await run("Glob", { path: "app-2", pattern: "**/*.ts" });
    expect(found).toMatchObject({
      status: "success",
      data: { paths: ["app-2/src/index.ts", "app-2/src/other.ts"] },
      context: { cwd: "app-2", path_resolved: "app-2", params_input: { path: "app-2", pattern: "**/*.ts" } },
    });
    expect(found.text).toContain("in 'app-2'");
    expect(found.text).toContain("app-2/src/index.ts\napp-2/src/other.ts");
    const read = await run("Read", { path: "app-2/src/index.ts" });
    expect(read.data).toMatchObject({ content: "   1 | second\n" });
    expect(read.text).toContain("from 'app-2/src/index.ts'");
    const listed = await run("LS", { path: "app-2/src" });
    expect(listed.data).toMatchObject({ entries: [{ path: "app-2/src/index.ts" }, { path: "app-2/src/other.ts" }] });
    expect(listed.text).toContain("app-2/src/index.ts\napp-2/src/other.ts");
  });

  it("takes absolute paths, of either root", async () => {
    const { roots, run } = twoRoots();
    for (const [index, label] of ["app", "app-2"].entries()) {
      const listed = await run("LS", { path: `${roots[index] ?? ""}/src` });
      expect(listed).toMatchObject({ context: { path_resolved: `${label}/src` } });
      expect(listed.text).toContain(`entries in '${label}/src'\n`);
    }
    expect(await run("Read", { path: "/etc/passwd" })).toMatchObject({
      error: { code: "ACCESS_DENIED" },
      text: expect.not.stringContaining("Other roots") as unknown,
    });
  });

  it("takes a path without a label from the first root, and says so", async () => {
    const { run } = twoRoots();
    const listed = await run("LS", {});
    expect(listed).toMatchObject({ context: { path_resolved: "app" } });
    expect(listed.text.split("\n\n")[0]).toContain(
      "Note: a path without a root's name is taken from 'app'. Other roots: 'app-2'.",
    );
    expect((await run("LS", { path: "app" })).text).not.toContain("Note:");
  });

  it.each<["LS" | "Glob" | "Grep" | "Read", object]>([
    ["Read", {}],
    ["Read", { path: 7 }],
    ["LS", { limit: 0 }],
    ["Grep", { pattern: "(" }],
    ["Glob", { pattern: "*", nonsense: 1 }],
  ])("says nothing about paths where none was given and %s %j is wrong", async (name, input) => {
    const { run } = twoRoots();
    const answer = await run(name, input);
    expect(answer).toMatchObject({ error: { code: "INVALID_PARAM" } });
    expect(answer.text).not.toContain("a path without a root's name");
  });

  it("finds the root in a pattern", async () => {
    const { roots, run } = twoRoots();
    expect(await run("Glob", { pattern: "app-2/src/o*" })).toMatchObject({
      data: { paths: ["app-2/src/other.ts"] },
      context: { params_input: { pattern: "app-2/src/o*" } },
    });
    expect(await run("Glob", { glob: "app-2/src/o*" })).toMatchObject({
      data: { paths: ["app-2/src/other.ts"] },
      context: { params_input: { glob: "app-2/src/o*" } },
    });
    expect(await run("Glob", { pattern: `${roots[1] ?? ""}/src/o*` })).toMatchObject({
      data: { paths: ["app-2/src/other.ts"] },
    });
  });

  it("does not take what is searched for in files for a path", async () => {
    const { run } = twoRoots();
    for (const pattern of ["app-2/src", "app-2", "app"]) {
      expect(await run("Grep", { pattern }), pattern).toMatchObject({
        data: { matches: [] },
        context: { path_resolved: "app", params_input: { pattern } },
      });
    }
  });

  it("echoes the caller's path in errors, and suggests paths that open", async () => {
    const { run } = twoRoots();
    const missing = await run("Read", { path: "app-2/src/index.tsx" });
    expect(missing).toMatchObject({
      error: { code: "NOT_FOUND", message: "File 'app-2/src/index.tsx' does not exist." },
      context: { params_input: { path: "app-2/src/index.tsx" } },
    });
    const suggested = missing.context.suggestions?.[0] ?? "app-2/src/index.ts";
    expect(missing.text).toContain(`'${suggested}'`);
    expect(await run("Read", { path: suggested })).toMatchObject({ data: { content: "   1 | second\n" } });
    expect((await run("Read", { path: "app-2/no/such" })).text).not.toContain("'.'");
  });

  it("names the next call with the label", async () => {
    const { run } = twoRoots();
    const page = await run("LS", { path: "app-2/src", limit: 1 });
    const next = page.context.next_call;
    expect(next).toMatchObject({ tool: "LS", params: { path: "app-2/src", offset: 1, limit: 1 } });
    expect(await run("LS", next?.params ?? {})).toMatchObject({ data: { entries: [{ path: "app-2/src/other.ts" }] } });
    const first = await run("LS", { limit: 1 });
    expect(first.context.next_call?.params).toMatchObject({ path: "app", offset: 1 });
  });

  it("names the next call with what was searched for, in the order of the parameters", async () => {
    const { path } = fixture({ a: {}, b: { src: { "x.ts": "src\nsrc\n", "y.ts": "src\n" } } });
    const project = createProject([path("a"), path("b")], OPTIONS);
    const grep = conformant(await project.tool("Grep").run({ pattern: "src", path: "b/src", limit: 1 }));
    expect(JSON.stringify(grep.context.next_call?.params)).toBe(
      '{"pattern":"src","path":"b/src","limit":1,"offset":1}',
    );
    const glob = conformant(await project.tool("Glob").run({ pattern: "b/**/*.ts", limit: 1 }));
    expect(JSON.stringify(glob.context.next_call?.params)).toBe(
      '{"pattern":"**/*.ts","path":"b","limit":1,"offset":1}',
    );
  });

  it("labels paths that hold quotes or are called as a parameter, and no pattern", async () => {
    const { path } = fixture({ a: {}, b: { include: { "x.h": "" }, "it's.txt": "it's\n" } });
    const project = createProject([path("a"), path("b")], OPTIONS);
    const firstLine = async (name: ToolName, input: object) =>
      conformant(await project.tool(name).run(input)).text.split("\n")[0];
    expect(await firstLine("LS", { path: "b/include" })).toBe("Listed 1 entries in 'b/include'");
    expect(await firstLine("Read", { path: "b/include" })).toMatch(/^Path 'b\/include' is a directory\./u);
    expect(await firstLine("Read", { path: "b/include/y.h" })).toContain("or run LS on 'b/include' to see");
    expect(await firstLine("Grep", { path: "b/include", inclde: "x", pattern: "y" })).toBe(
      "Unknown parameter 'inclde'. Did you mean 'include'? Pass 'include' instead of 'inclde'.",
    );
    expect(await firstLine("Read", { path: "b/it's.txt" })).toBe("Read 1 lines from 'b/it's.txt' (Lines 1-1).");
    expect(await firstLine("Grep", { path: "b", pattern: "it's" })).toBe(
      "Found 1 matches in 1 files for 'it's' in 'b'",
    );
    const nothing = conformant(await project.tool("Grep").run({ path: "b/it's.txt", pattern: "it's.txt" }));
    expect(nothing.text).toContain("[Note: 'it's.txt' was read as a regular expression.");
  });

  it("labels paths of any name", async () => {
    const names = ["my-file.ts", "a.b", "c+d", "e^f$", "[g]", "(h)", "{i}", "j|k", "l*?", "o-p.ts", "it's-r"];
    const tree = Object.fromEntries(names.map((name) => [name, "x\n"]));
    const { path } = fixture({ a: {}, b: { ...tree, "d-e": { "f-g.ts": "x\n" } } });
    const project = createProject([path("a"), path("b")], {
      ...OPTIONS,
      tools: ["LS", "Glob", "Grep", "Read", "Edit"],
    });
    for (const name of [...Object.keys(tree), "d-e/f-g.ts"]) {
      const read = conformant(await project.tool("Read").run({ path: `b/${name}` }));
      expect(read.text.split("\n")[0], name).toBe(`Read 1 lines from 'b/${name}' (Lines 1-1).`);
      const found = conformant(await project.tool("Grep").run({ path: `b/${name}`, pattern: "x" }));
      expect(found, name).toMatchObject({ data: { matches: [{ file: `b/${name}` }] } });
      const edit = { path: `b/${name}`, old_string: "x", new_string: "y" };
      expect(conformant(await project.tool("Edit").run(edit)).text, name).toContain(`Edited 'b/${name}'`);
    }
    const missing = conformant(await project.tool("Read").run({ path: "b/d-e/no-such" }));
    expect(missing.text).toContain("File 'b/d-e/no-such' does not exist.");
    expect(missing.text).toContain("run LS on 'b/d-e'");
    expect(conformant(await project.tool("Glob").run({ path: "b/d-e", pattern: "*" }))).toMatchObject({
      data: { paths: ["b/d-e/f-g.ts"] },
    });
  });

  it("labels no name of a parameter, whatever the directories are called", async () => {
    const { path } = fixture({ a: { src: {} }, b: { content: {}, text: {}, search: { "x.ts": "foo\n" } } });
    const project = createProject([path("a"), path("b")], { ...OPTIONS, tools: ["LS", "Grep", "Read", "Write"] });
    const text = async (name: ToolName, input: object) => conformant(await project.tool(name).run(input)).text;
    expect(await text("Write", { path: "b/content/n.md", contents: "x" })).toContain(
      "Note: 'contents' was taken as 'content'.",
    );
    expect(await text("Write", { path: "b/content/o.md" })).toMatch(/^Missing required parameter 'content'\./u);
    expect(await text("Write", { path: "b/text/p.md", text: "x" })).toContain("Note: 'text' was taken as 'content'.");
    expect(await text("Grep", { path: "b/search", query: "foo" })).toContain("Note: 'query' was taken as 'pattern'.");
    expect(await text("Read", { path: "src/no.ts" })).toContain("run LS on 'a/src'");
  });

  it("shows the model files and counts of names that begin as lines of ours do", async () => {
    const { path } = fixture({ a: {}, b: { "(shop)": { "a.ts": "x\nx\n" }, " c": "x\n" } });
    const project = createProject([path("a"), path("b")], OPTIONS);
    const view = async (output_mode: string) => {
      const response = await project.tool("Grep").run({ path: "b", pattern: "x", output_mode });
      return renderForModel(conformant(response)).split("\n\n")[1];
    };
    expect(await view("files")).toBe("b/ c\nb/(shop)/a.ts");
    expect(await view("count")).toBe("b/ c: 1\nb/(shop)/a.ts: 2");
  });

  it("takes a labelled path under another name of the parameter", async () => {
    const { run } = twoRoots();
    expect(await run("Read", { file_path: "app-2/src/index.ts" })).toMatchObject({
      data: { content: "   1 | second\n" },
      context: { params_input: { file_path: "app-2/src/index.ts" } },
    });
    expect((await run("Read", { file_path: "app-2/no/such.ts" })).text).toContain("'app-2/no/such.ts'");
  });

  it("shows the model labelled paths only, and writes where they say", async () => {
    const { roots } = twoRoots();
    const project = createProject(roots, { ...OPTIONS, tools: ["LS", "Glob", "Grep", "Read", "Edit", "Write"] });
    const view = async (name: ToolName, input: object) =>
      renderForModel(conformant(await project.tool(name).run(input)));
    expect(await view("Grep", { pattern: "second", path: "app-2" })).toContain("app-2/src/index.ts");
    expect(await view("Glob", { pattern: "**/*.ts", path: "app-2" })).toContain("app-2/src/");
    const edit = { path: "app-2/src/index.ts", old_string: "second", new_string: "2nd" };
    expect(await view("Edit", edit)).toContain("Edited 'app-2/src/index.ts'");
    expect(await view("Write", { path: "app-2/new/a.txt", content: "a\n" })).toContain("'app-2/new/a.txt'");
    expect(readFileSync(join(roots[1] ?? "", "new/a.txt"), "utf8")).toBe("a\n");
    expect(readFileSync(join(roots[1] ?? "", "src/index.ts"), "utf8")).toBe("2nd\n");
    expect(readFileSync(join(roots[0] ?? "", "src/index.ts"), "utf8")).toBe("first\n");
  });

  it("serves a root inside another by the outer one, so that the rules of both apply", async () => {
    const { path } = fixture({
      app: { vendor: { lib: { "a.txt": "a\n", private: { "b.txt": "b\n" } } }, private: { "c.txt": "c\n" } },
    });
    const deny = ["vendor/lib/a.txt", "private/b.txt"];
    const project = createProject([path("app", "vendor", "lib"), path("app")], { ...OPTIONS, deny });
    const read = async (file: string) => conformant(await project.tool("Read").run({ path: file }));
    for (const file of ["lib/a.txt", "app/vendor/lib/a.txt", "lib/private/b.txt", "app/vendor/lib/private/b.txt"]) {
      expect(await read(file), file).toMatchObject({ error: { code: "ACCESS_DENIED" } });
    }
    expect(await read("app/private/c.txt")).toMatchObject({ status: "success" });
    const listed = conformant(await project.tool("LS").run({ path: "lib" }));
    expect(listed).toMatchObject({ data: { entries: [{ path: "app/vendor/lib/private" }] } });
  });

  it.each(["(auth)", "[id]", "{x}", "a,b", " x", "a!b", "é+@", "x{a,b}"])(
    "keeps the rules of an inner root that is called '%s'",
    async (name) => {
      const tree = { "a.txt": "a\n", private: { "b.txt": "b\n" } };
      const { path } = fixture({ outer: { [name]: tree, other: tree } });
      const roots = [path("outer"), path("outer", name)];
      const project = createProject(roots, { ...OPTIONS, deny: ["private/**"] });
      const read = async (file: string) => conformant(await project.tool("Read").run({ path: file }));
      for (const file of [`outer/${name}/private/b.txt`, `${name}/private/b.txt`]) {
        expect(await read(file), file).toMatchObject({ error: { code: "ACCESS_DENIED" } });
      }
      for (const file of [`outer/${name}/a.txt`, `${name}/a.txt`, "outer/other/private/b.txt"]) {
        expect(await read(file), file).toMatchObject({ status: "success" });
      }
      const found = conformant(await project.tool("Glob").run({ path: "outer", pattern: "**/b.txt" }));
      expect(found).toMatchObject({ data: { paths: ["outer/other/private/b.txt"] } });
    },
  );

  it("keeps an absolute rule for the root that it names", async () => {
    const { roots } = twoRoots();
    const project = createProject(roots, { ...OPTIONS, deny: [`${roots[1] ?? ""}/src/other.ts`] });
    expect(await project.tool("Read").run({ path: "app-2/src/other.ts" })).toMatchObject({ status: "error" });
    expect(await project.tool("Read").run({ path: "app/src/index.ts" })).toMatchObject({ status: "success" });
  });

  it("does not let a link lead from one root into another", async () => {
    const { path } = fixture({ one: { out: link("../two") }, two: { "a.txt": "a\n" } });
    const project = createProject([path("one"), path("two")], OPTIONS);
    expect(await project.tool("Read").run({ path: "one/out/a.txt" })).toMatchObject({
      error: { code: "ACCESS_DENIED" },
    });
  });

  it("has one root under one name only once", async () => {
    const { root } = fixture({ "a.txt": "a\n" });
    const project = createProject([root, root], OPTIONS);
    expect((await project.tool("LS").run({})).text).not.toContain(basename(root));
  });
});
