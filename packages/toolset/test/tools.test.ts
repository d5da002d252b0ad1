import { TOOL_NAMES, toolDefinitions, type ToolName } from "../src/tools.ts";
import { createToolset } from "../src/toolset.ts";
import { describe, expect, it } from "vitest";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { fixture } from "@fstools/testing";

describe("toolDefinitions", () => {
  it("describes each tool as the tool itself does, without a project", () => {
    const { tools } = createToolset({ projectRoot: fixture().root, tools: TOOL_NAMES });
    const described = toolDefinitions([...TOOL_NAMES, "LS"]);
    expect(described.map(({ name }) => name)).toEqual(TOOL_NAMES);
    for (const [index, tool] of tools.entries()) {
      const { description, jsonSchema, effect } = tool;
      expect(described[index]).toMatchObject({ description, jsonSchema, effect });
    }
  });

  it.each(TOOL_NAMES)("of %s alone names no other tool", (name) => {
    const [definition] = toolDefinitions([name]);
    const shown = JSON.stringify([definition?.description, definition?.jsonSchema]).replace("Glob: '", "");
    const words = shown.match(/\b[A-Z][A-Za-z]+\b/gu) ?? [];
    expect(words.filter((word) => word !== name && TOOL_NAMES.some((other) => other === word))).toEqual([]);
  });

  // Rule: The definitions cost at most 650 tokens for LS, Glob and Read, 900 with Grep, 1,350 for the six up to Write, 150 for Patch, 95 for Move, 75 for Delete.
  it.each<[number, ToolName[]]>([
    [650, ["LS", "Glob", "Read"]],
    [900, ["LS", "Glob", "Grep", "Read"]],
    [1350, ["LS", "Glob", "Grep", "Read", "Edit", "Write"]],
    [150, ["Patch"]],
    [95, ["Move"]],
    [75, ["Delete"]],
  ])("costs a model at most %i tokens for %j", (goal, names) => {
    const shown = toolDefinitions(names).map(({ name, description, jsonSchema }) => ({
      name,
      description,
      parameters: jsonSchema,
    }));
    const tokens = encode(JSON.stringify(shown)).length;
    console.log(`${names.join(", ")}: ${tokens} tokens`);
    expect(tokens).toBeLessThanOrEqual(goal);
  });
});
