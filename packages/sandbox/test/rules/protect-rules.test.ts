import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { boundaryOf, createSandbox } from "../../src/sandbox.ts";
import { createOutputStore } from "../../src/store/output-store.ts";
import { createBoundary } from "../../src/disk/boundary.ts";

function protectedBy(protect?: readonly string[]) {
  return createBoundary({ projectRoot: fixture({}).root, protect }).protect;
}

describe("createProtectRules", () => {
  it.each([
    [".git", true],
    [".git/config", true],
    ["packages/a/.git/hooks/pre-commit", true],
    [".GIT/config", true],
    [".gi\u200ct/config", true],
    [".git./config", true],
    [".gitignore", false],
    ["git/config", false],
    ["tool-output", true],
    ["tool-output/a/b.json", true],
    ["Tool-Output/a", true],
    ["tool-output-2/a", false],
    ["src/tool-output/a", false],
  ])("by default: %s is protected: %s", (path, isProtected) => {
    expect(protectedBy(undefined).covers(path)).toBe(isProtected);
  });

  it("protects what the host names instead, and always the spill directory", () => {
    const rules = protectedBy(["*.lock", "dist/**"]);
    expect(["a/b.lock", "dist/x", "tool-output/x"].map((path) => rules.covers(path))).toEqual([true, true, true]);
    expect([".git/config", "src/dist/x"].map((path) => rules.covers(path))).toEqual([false, false]);
    expect(protectedBy([]).covers(".git/config")).toBe(false);
  });

  it("says which option is wrong", () => {
    expect(() => protectedBy(["../x"])).toThrow("protect pattern '../x' leads out of the project root.");
  });

  it("protects the directory of a store that has another name", () => {
    const { root } = fixture({});
    const sandbox = createSandbox({ projectRoot: root });
    createOutputStore(sandbox, { directory: "./logs/spilled/" });
    createOutputStore(sandbox, { directory: `${root}/other` });
    const { protect } = boundaryOf(sandbox);
    const paths = ["logs/spilled/a", "logs/a", "other/a", "others/a"];
    expect(paths.map((path) => protect.covers(path))).toEqual([true, false, true, false]);
  });
});
