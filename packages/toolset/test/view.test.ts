import { conformant, fixture } from "@fstools/testing";
import { renderForModel, type ToolResponse } from "@fstools/protocol";
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
    for (const line of head.split("\n").filter((words) => !words.endsWith("ms)")))
      expect(short.split("\n")).toContain(line);
    const words = (text: string) => new Set(text.replaceAll(/ in \d+ms\)|\(Took \d+ms\)/gu, ")").match(/[\w.]+/gu));
    expect([...words(long)].filter((word) => !words(short).has(word))).toEqual([]);
    expect(short.length).toBeLessThanOrEqual(long.length);
    expect(renderForModel(await answer(name, params))).toBe(short);
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
