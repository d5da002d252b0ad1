import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createPathFactory } from "../../src/names/safe-path.ts";
import { createSandbox } from "../../src/sandbox.ts";
import { createSearchedTest } from "../../src/search/search-rules.ts";
import { walkFiles } from "../../src/search/walk.ts";

const SCOPE = { includeHidden: true, includeIgnored: true };
const WALK = {
  position: undefined,
  maxDurationMs: 1000,
  signal: new AbortController().signal,
  take: () => true,
};

describe("SafePath", () => {
  it("has the real path and the one relative to the root, and cannot be changed", () => {
    const path = createPathFactory(new Map([[".", "/root"]])).create("a/b");
    expect(path).toEqual({ absolute: "/root/a/b", relative: "a/b" });
    expect(Object.isFrozen(path)).toBe(true);
  });

  it("works below the file system's root", () => {
    expect(createPathFactory(new Map([[".", "/"]])).create("etc")).toEqual({ absolute: "/etc", relative: "etc" });
    expect(createPathFactory(new Map([[".", "/"]])).create(".")).toEqual({ absolute: "/", relative: "." });
  });

  // Rule: Nothing but `resolve` makes a `SafePath`.
  it("is refused if something else made it", async () => {
    const { root } = fixture({ "a.txt": "a" });
    const sandbox = createSandbox({ projectRoot: root });
    const path = await sandbox.resolve("a.txt");
    const copy = { ...path };
    const foreign = await createSandbox({ projectRoot: root }).resolve("a.txt");
    for (const forged of [copy, foreign]) {
      expect(() => sandbox.open(forged)).toThrow(TypeError);
      expect(() => sandbox.kind(forged)).toThrow(TypeError);
      expect(() => createSearchedTest(sandbox, forged, SCOPE)).toThrow(TypeError);
      await expect(walkFiles(sandbox, forged, { ...SCOPE, ...WALK })).rejects.toThrow(TypeError);
      expect(() => sandbox.readDirectory(forged)).toThrow(TypeError);
    }
    expect(sandbox.kind(path)).toBe("file");
  });
});
