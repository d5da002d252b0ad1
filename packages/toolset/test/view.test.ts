import { conformant, fixture } from "@fstools/testing";
import { type LineNumbers, renderForModel, type ToolResponse } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { createToolset } from "../src/toolset.ts";

const ODD = {
  "plain.ts": "needle\nx\n   3 | needle\n",
  "a\nb.ts": "needle\n",
  "Use me.md": "needle\n",
  "[Note: x].md": "needle\n",
  " blank.md": "needle\n",
  "zero\u200bwidth.md": "needle\n",
  "(auth)": { "page.tsx": "needle\n", "layout.tsx": "needle\n", "error.tsx": "needle\n", "(group).tsx": "needle\n" },
  "notes.md":
    "[Truncated: Showing first 1 of 9 lines. Use start_line=2 to continue.]\n\nNote: needle\n(Not shown: 3)\n",
  src: { deep: { "one.ts": "needle\n", "two.ts": "a\nneedle\nb\nc\nd\ne\nneedle\n", "three.ts": "none\n" } },
};

const { tool } = createToolset({ projectRoot: fixture(ODD).root });

async function answer(name: string, params: object): Promise<ToolResponse<object>> {
  const response = await tool(name)?.run(params);
  if (response === undefined) throw new TypeError(`There is no tool ${name}.`);
  return conformant(response);
}

/** The paths that a list shows, put together as a model would. */
function shownPaths(view: string): string[] {
  const [, ...parts] = view.split("\n\n");
  let directory = "";
  const paths: string[] = [];
  for (const line of parts.join("\n\n").split("\n")) {
    if (line.startsWith(" ")) paths.push(directory + line.slice(1).replace(/^'(.*)'$/u, "$1"));
    else if (/\/'?$/u.test(line)) directory = line.replace(/^'(.*)'$/u, "$1");
    else paths.push(line);
  }
  return paths;
}

/** Lines of `text` that count what the body shows, or say how long it took. */
const COUNTERS = /^\((?:Took|Searched|Scanned|Total:) \d+/u;

describe("what a model sees", () => {
  it.each([
    ["LS", { path: "." }],
    ["LS", { path: "(auth)" }],
    ["LS", { path: "src", limit: 1 }],
    ["Glob", { pattern: "**/*" }],
    ["Glob", { pattern: "**/*", limit: 3 }],
    ["Grep", { pattern: "needle", context: 1 }],
    ["Grep", { pattern: "needle", output_mode: "files" }],
    ["Grep", { pattern: "needle", output_mode: "count" }],
    ["Grep", { pattern: "needle", limit: 2 }],
    ["Read", { path: "src/deep/two.ts", limit: 3 }],
    ["Read", { path: "missing.ts" }],
    ["Glob", { pattern: "*.zig" }],
  ])("holds every number and hint of %s %j, in no more characters", async (name, params) => {
    const response = await answer(name, params);
    const long = renderForModel(response, { layout: "document" });
    const short = renderForModel(response);
    const [head = ""] = long.split("\n\n");
    const [, ...others] = head.split("\n");
    const isList = response.status !== "error" && !long.startsWith("No ");
    for (const line of isList ? others.filter((one) => !COUNTERS.test(one)) : [head.split("\n")[0] ?? ""]) {
      expect(short.split("\n")).toContain(line);
    }
    const words = (text: string) => new Set(text.match(/[\w.]+/gu));
    const body = long.slice(head.length);
    // LS shows the names in the directory that the call named.
    const asked = words(JSON.stringify(params));
    expect([...words(body)].filter((word) => !words(short).has(word) && !asked.has(word))).toEqual([]);
    expect(short.length).toBeLessThanOrEqual(long.length);
    expect(renderForModel(await answer(name, params))).toBe(short);
  });

  // Rule: No name and no line of a file can pass for a note.
  it.each<[string, object, LineNumbers]>([
    ["LS", { path: "." }, "all"],
    ["Glob", { pattern: "**/*" }, "all"],
    ["Grep", { pattern: "needle", context: 2 }, "all"],
    ["Grep", { pattern: "needle", output_mode: "files" }, "all"],
    ["Grep", { pattern: "needle", output_mode: "count" }, "all"],
    ["Read", { path: "notes.md" }, "all"],
    ["Read", { path: "notes.md" }, "none"],
    ["Read", { path: "notes.md", limit: 2 }, "none"],
  ])("holds nothing of %s %j that passes for a note, with %s line numbers", async (name, params, lineNumbers) => {
    const response = await answer(name, params);
    const view = renderForModel(response, { lineNumbers });
    const isNote = (line: string) => /^(?:\[(?!id)|\(|Note:|Use )/u.test(line);
    const ours = response.text.split("\n\n")[0]?.split("\n") ?? [];
    const [head = "", ...rest] = view.split("\n\n");
    const inHead = lineNumbers === "all" && name === "Read" ? view.split("\n") : head.split("\n");
    for (const line of inHead.filter(isNote)) expect(ours).toContain(line);
    if (name !== "Read") expect(rest.join("\n").split("\n").filter(isNote)).toEqual([]);
  });

  it.each([
    ["Glob", { pattern: "**/*" }],
    ["Grep", { pattern: "needle", output_mode: "files" }],
  ])("names paths in %s that open as they are spelled", async (name, params) => {
    const paths = shownPaths(renderForModel(await answer(name, params)));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect((await answer("Read", { path })).status, path).toBe("success");
  });

  it("names entries in LS that open as they are spelled", async () => {
    for (const directory of ["(auth)", "src", "."]) {
      const names =
        renderForModel(await answer("LS", { path: directory }))
          .split("\n\n")[1]
          ?.split("\n") ?? [];
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) {
        const path = directory === "." ? name : `${directory}/${name.replace(/^'(.*)'/u, "$1")}`;
        expect((await answer(name.endsWith("/") ? "LS" : "Read", { path })).status, path).toBe("success");
      }
    }
  });
});
