import { afterEach, describe, expect, it, vi } from "vitest";
import { createOutputNamer, OUTPUT_NAME } from "../../src/store/output-name.ts";

afterEach(() => {
  vi.useRealTimers();
});

function setClock(time: string): void {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(time) });
}

describe("createOutputNamer", () => {
  it("names the time, in UTC, and the tool", () => {
    setClock("2025-01-31T23:59:09.999Z");
    expect(createOutputNamer()("LS")).toBe("tool_20250131_235909_LS.json");
  });

  it("counts within a second, for each tool", () => {
    setClock("2025-01-31T23:59:09Z");
    const next = createOutputNamer();
    expect([next("LS"), next("Read"), next("LS"), next("LS")]).toEqual([
      "tool_20250131_235909_LS.json",
      "tool_20250131_235909_Read.json",
      "tool_20250131_235909_LS_2.json",
      "tool_20250131_235909_LS_3.json",
    ]);
    setClock("2025-01-31T23:59:10Z");
    expect(next("LS")).toBe("tool_20250131_235910_LS.json");
  });

  it.each([
    ["../../etc/passwd", "etcpasswd"],
    ["my tool!", "mytool"],
    ["a_b-C9", "a_b-C9"],
    ["日本", "unnamed"],
    ["", "unnamed"],
    ["x".repeat(300), "x".repeat(64)],
  ])("reduces the tool's name %j to %s", (tool, shown) => {
    setClock("2025-01-31T23:59:09Z");
    const name = createOutputNamer()(tool);
    expect(name).toBe(`tool_20250131_235909_${shown}.json`);
    expect(name).toMatch(OUTPUT_NAME);
  });
});

describe("OUTPUT_NAME", () => {
  it.each([
    "notes.json",
    "tool_1_2_LS.json",
    "tool_20250131_235909_LS.json.bak",
    "x_tool_20250131_235909_LS.json",
    "tool_20250131_235909_.json",
  ])("does not match %s", (name) => {
    expect(name).not.toMatch(OUTPUT_NAME);
  });
});
