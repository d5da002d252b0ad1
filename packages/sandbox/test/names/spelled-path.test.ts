import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox.ts";
import { spelledPath } from "../../src/names/safe-path.ts";

describe("spelledPath", () => {
  it.each([
    ["a.txt", "src/a.txt"],
    ["./b/../a.txt", "src/a.txt"],
    ["../a.txt", "a.txt"],
    ["lib/", "src/lib"],
  ])("joins %s to the given directory without looking at the disk", (input, expected) => {
    const { root, path } = fixture({ src: {} });
    const sandbox = createSandbox({ projectRoot: root, workingDir: path("src") });
    expect(spelledPath(input, sandbox, sandbox.cwd)).toBe(path(expected));
  });

  it("leaves an absolute path where it is", () => {
    const { root } = fixture();
    expect(spelledPath("/elsewhere/a.txt", createSandbox({ projectRoot: root }))).toBe("/elsewhere/a.txt");
  });

  it("knows the roots by their names", async () => {
    const { path } = fixture({ one: { src: {} }, two: {} });
    const sandbox = createSandbox({ roots: [{ path: path("one"), name: "api" }, { path: path("two") }] });
    const src = await sandbox.resolve("api/src");
    expect(spelledPath("api/src/a.txt", sandbox)).toBe(path("one/src/a.txt"));
    expect(spelledPath("../../two/./a.txt", sandbox, src)).toBe(path("two/a.txt"));
    expect(spelledPath("src/a.txt", sandbox)).toBe("src/a.txt");
  });
});
