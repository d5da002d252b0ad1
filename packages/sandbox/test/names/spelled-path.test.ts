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
    const { cwd } = createSandbox({ projectRoot: root, workingDir: path("src") });
    expect(spelledPath(input, cwd)).toBe(path(expected));
  });

  it("leaves an absolute path where it is", () => {
    const { root } = fixture();
    expect(spelledPath("/elsewhere/a.txt", createSandbox({ projectRoot: root }).root)).toBe("/elsewhere/a.txt");
  });
});
