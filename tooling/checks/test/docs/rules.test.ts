import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rulesIn, rulesPage } from "../../src/docs/rules.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

describe("docs/rules.md", () => {
  it("is what the tests say; run `pnpm docs:write` if it is not", () => {
    expect(readFileSync(`${root}docs/rules.md`, "utf8")).toBe(rulesPage(root));
  });

  it("takes a rule from the comment above a test, over several lines", () => {
    const source = '  // Rule: one thing\n  // and its end.\n  // Rule: Another.\n  it.each([1])("works", () => {});\n';
    expect(rulesIn("a.test.ts", source).map(({ text }) => text)).toEqual(["one thing and its end.", "Another."]);
  });

  it("knows a table test with types", () => {
    const source = '// Rule: One.\nit.each<[number]>([[1]])("works", () => {});\n';
    expect(rulesIn("a.test.ts", source).map(({ text }) => text)).toEqual(["One."]);
  });

  it("refuses a rule that no test follows", () => {
    expect(() => rulesIn("a.test.ts", "// Rule: nothing holds it\nconst x = 1;\n")).toThrow("no test follows");
  });
});
