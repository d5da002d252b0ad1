import { conformant, fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox } from "@fstools/sandbox";
import { createToolset } from "@fstools/toolset";
import { createMeasure } from "../src/measure.ts";
import { estimateTokens } from "../src/tokens.ts";

const LINES = 400;
const story = Array.from({ length: LINES }, (_, index) => `line ${index + 1} tells of apples\n`).join("");
const project = () => {
  const { root } = fixture({ "story.txt": story, "other.txt": "pears\n", src: { "a.ts": "", "b.ts": "" } });
  const sandbox = createSandbox({ projectRoot: root });
  const { tools } = createToolset({ sandbox, tools: ["LS", "Grep", "Read", "Edit"] });
  return { tools: new Map(tools.map((tool) => [tool.name, tool])), createMeasure: () => createMeasure(sandbox) };
};

async function costs(tool: string, params: object) {
  const opened = project();
  const response = await opened.tools.get(tool)?.run(params);
  if (!response) throw new Error(`There is no tool '${tool}'.`);
  return opened.createMeasure()(conformant(response));
}

describe("what an answer costs", () => {
  it("counts a page against the whole file, and against all lines up to its end", async () => {
    const whole = await estimateTokens(story);
    const middle = await costs("Read", { path: "story.txt", start_line: 200, limit: 10 });
    expect(middle.entered).toBeLessThan(whole / 10);
    expect(middle.wholeFiles / whole).toBeCloseTo(1, 0);
    expect(middle.mcpFilesystem / middle.wholeFiles).toBeCloseTo(209 / LINES, 1);
  });

  it("counts a search against the files that have a match", async () => {
    const one = await costs("Grep", { pattern: "line 7 " });
    expect(one.entered).toBeLessThan(100);
    expect(one.wholeFiles).toBe(Math.round(story.length / 4));
    expect(one.mcpFilesystem).toBe(one.wholeFiles);
  });

  it("counts a file once", async () => {
    const opened = project();
    const measure = opened.createMeasure();
    const read = async () => {
      const response = await opened.tools.get("Read")?.run({ path: "story.txt", limit: 5 });
      return response && measure(response);
    };
    expect((await read())?.wholeFiles).toBeGreaterThan(1000);
    expect(await read()).toMatchObject({ wholeFiles: 0, mcpFilesystem: 0 });
  });

  it("counts an edit against the whole file", async () => {
    const edit = await costs("Edit", { path: "story.txt", old_string: "line 9 tells", new_string: "line 9 told" });
    expect(edit.wholeFiles).toBeGreaterThan(5 * edit.entered);
  });

  it("counts lists and errors as what they are", async () => {
    const listed = await costs("LS", { path: "src" });
    expect(listed.wholeFiles).toBe(listed.entered);
    expect(listed.mcpFilesystem).toBe(await estimateTokens("[FILE] a.ts\n[FILE] b.ts"));
    const failed = await costs("Read", { path: "none.txt" });
    expect(failed).toEqual({ entered: failed.entered, wholeFiles: failed.entered, mcpFilesystem: failed.entered });
  });
});

describe("estimateTokens", () => {
  it.each([
    ["", 0],
    ["hello world", 2],
    ["<|endoftext|>", 7],
  ])("counts %j", async (text, tokens) => {
    expect(await estimateTokens(text)).toBe(tokens);
  });

  it("does not choke on one long word, or on very much text", async () => {
    expect(await estimateTokens("a".repeat(1_000_000))).toBeGreaterThan(10_000);
    expect(await estimateTokens("hello world ".repeat(100_000))).toBeGreaterThan(150_000);
  });
});
