import { symlinkSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";

describe("createBoundary", () => {
  it("knows the root by its real path and as the host spelled it", () => {
    const { path } = fixture({ project: {} });
    symlinkSync(path("project"), path("link"));
    const boundary = createBoundary({ projectRoot: path("link") + "/" });
    expect(boundary.paths.absolute(".")).toBe(path("project"));
    expect(boundary.spellings.map(({ names }) => `/${names.join("/")}`)).toEqual([path("link"), path("project")]);
  });

  it("takes a relative root from the process's directory", () => {
    expect(createBoundary({ projectRoot: "." }).paths.absolute(".")).toBe(process.cwd());
  });

  it.runIf(process.platform === "linux")("sees on Linux that /proc tells where descriptors lead", () => {
    expect(createBoundary({ projectRoot: fixture().root }).verifier.verification).toBe("descriptor");
  });

  it("throws if the root is not an existing directory", () => {
    const { path } = fixture({ "file.txt": "" });
    expect(() => createBoundary({ projectRoot: path("missing") })).toThrow(
      `projectRoot '${path("missing")}' is not an existing directory.`,
    );
    expect(() => createBoundary({ projectRoot: path("file.txt") })).toThrow("is not an existing directory.");
    expect(() => createBoundary({ projectRoot: "a\0b" })).toThrow("is not an existing directory.");
    expect(() => createBoundary({ projectRoot: "" })).toThrow("projectRoot must be the path of an existing directory.");
    expect(() => createBoundary({ projectRoot: undefined })).toThrow(
      "projectRoot must be the path of an existing directory.",
    );
  });
});
