import { fixture } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox.ts";
import { createSearchedTest, type SearchScope } from "../../src/search/search-rules.ts";
import { walkFiles } from "../../src/search/walk.ts";
import { positionOf, walked } from "../walked.ts";

const NOTHING_MORE: SearchScope = { includeHidden: false, includeIgnored: false };

describe("createSearchedTest", () => {
  it.each<[string, Partial<SearchScope>, boolean]>([
    ["a.ts", {}, true],
    ["src/a.ts", {}, true],
    [".env0", {}, false],
    [".env0", { includeHidden: true }, true],
    [".github/a/b.yml", {}, false],
    [".github/a/b.yml", { includeHidden: true }, true],
    ["node_modules/a.js", {}, false],
    ["node_modules/a.js", { includeHidden: true }, false],
    ["node_modules/a.js", { includeIgnored: true }, true],
    ["src/dist/deep/a.js", {}, false],
    ["src/dist", {}, true],
    ["keys/a", { includeHidden: true, includeIgnored: true }, false],
    ["src/b.pem", {}, false],
  ])("%s with %j: %s", (path, scope, expected) => {
    const sandbox = createSandbox({ projectRoot: fixture().root, deny: ["keys", "**/*.pem"] });
    expect(createSearchedTest(sandbox, sandbox.root, { ...NOTHING_MORE, ...scope })(path)).toBe(expected);
  });

  it("does not apply to the start itself, but the host's rules see the full path", async () => {
    const { root } = fixture({ node_modules: { ".x": { "a.js": "", "b.js": "" } } });
    const sandbox = createSandbox({ projectRoot: root, deny: ["node_modules/.x/b.js"] });
    const isSearched = createSearchedTest(sandbox, await sandbox.resolve("node_modules/.x"), NOTHING_MORE);
    expect([isSearched("a.js"), isSearched("b.js")]).toEqual([true, false]);
  });

  it("agrees with the walk about every file of a random tree", async () => {
    const name = fc.constantFrom("a", "b.ts", ".h", "dist", ".git", "node_modules", "key.pem", "secret");
    const { tree } = fc.letrec<{ tree: Record<string, never>; node: "" | Record<string, never> }>((tie) => ({
      node: fc.oneof({ depthSize: "small" }, fc.constant("" as const), tie("tree")),
      tree: fc.dictionary(name, tie("node"), { maxKeys: 4 }) as fc.Arbitrary<Record<string, never>>,
    }));
    await fc.assert(
      fc.asyncProperty(tree, fc.boolean(), fc.boolean(), async (nodes, includeHidden, includeIgnored) => {
        const { root, cleanup } = fixture(nodes);
        const everything = await walked(createSandbox({ projectRoot: root }), "**");
        const sandbox = createSandbox({ projectRoot: root, deny: ["**/*.pem", "**/secret"] });
        const scope = { includeHidden, includeIgnored };
        const found: string[] = [];
        await walkFiles(sandbox, sandbox.root, {
          ...scope,
          position: positionOf("**"),
          maxDurationMs: 60_000,
          signal: new AbortController().signal,
          take: ({ path }) => found.push(path) > 0,
        });
        cleanup();
        expect(everything.filter(createSearchedTest(sandbox, sandbox.root, scope))).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});
