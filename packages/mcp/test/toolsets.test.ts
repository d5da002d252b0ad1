import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createToolsets } from "../src/toolsets.ts";

describe("createToolsets", () => {
  it("keeps the tools of a root from call to call", () => {
    const { root } = fixture();
    const toolsetOf = createToolsets({});
    expect(toolsetOf(root)).toBe(toolsetOf(root));
  });

  it("forgets the root that was unused longest", () => {
    const toolsetOf = createToolsets({});
    const [first, ...others] = Array.from({ length: 17 }, () => fixture().root);
    if (first === undefined) throw new Error("no root");
    const before = toolsetOf(first);
    for (const root of others.slice(0, 15)) toolsetOf(root);
    expect(toolsetOf(first)).toBe(before);
    for (const root of others) toolsetOf(root);
    expect(toolsetOf(first)).not.toBe(before);
  });

  it("refuses a root that is not there, each time", () => {
    const toolsetOf = createToolsets({});
    expect(() => toolsetOf("/no/such/directory")).toThrow("/no/such/directory");
    expect(() => toolsetOf("/no/such/directory")).toThrow("/no/such/directory");
  });
});
