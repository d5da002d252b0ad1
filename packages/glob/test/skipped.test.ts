import { createSandbox } from "@fstools/sandbox";
import { fixture, link, type Tree } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { nameSkipped } from "../src/skipped.ts";

const never = new AbortController().signal;

async function named(tree: Record<string, Tree>, start: string, paths: readonly string[], signal = never) {
  const sandbox = createSandbox({ projectRoot: fixture(tree).root, deny: ["keys"] });
  const skipped = paths.map((path) => ({ path, reason: "permission" as const }));
  return (await nameSkipped(sandbox, await sandbox.resolve(start), skipped, signal)).map(({ path }) => path);
}

describe("nameSkipped", () => {
  it("names the first three, relative to the project root", async () => {
    const tree = { src: { a: {}, b: { c: {} }, d: {}, e: {} } };
    expect(await named(tree, ".", ["src/a"])).toEqual(["src/a"]);
    expect(await named(tree, "src", ["a", "b/c", "d", "e"])).toEqual(["src/a", "src/b/c", "src/d"]);
  });

  it("names nothing behind a link, nothing denied, and nothing that is gone or no directory", async () => {
    const outside = fixture({ secret: {} });
    const tree = { d: link(outside.root), file: "", keys: {}, inner: link("real"), real: { secret: {} } };
    expect(await named(tree, ".", ["d/secret"])).toEqual([]);
    expect(await named(tree, ".", ["inner/secret", "real/secret"])).toEqual(["real/secret"]);
    expect(await named(tree, ".", ["file", "keys", "none"])).toEqual([]);
    expect(await named(tree, ".", ["none/secret", "file/secret"])).toEqual([]);
  });

  it("names nothing after an abort, and does not fail", async () => {
    expect(await named({ a: {} }, ".", ["a"], AbortSignal.abort())).toEqual([]);
  });
});
