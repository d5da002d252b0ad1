import { rmSync, symlinkSync } from "node:fs";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createLstatCache, lstatPath } from "../../src/path/follow.ts";

describe("lstatPath", () => {
  it("says what is at a path, and where a link leads", () => {
    const { path } = fixture({ file: "", directory: {}, link: link("somewhere/else") });
    expect(lstatPath(path("file"))).toEqual({ kind: "file", target: undefined });
    expect(lstatPath(path("directory"))).toEqual({ kind: "directory", target: undefined });
    expect(lstatPath(path("link"))).toEqual({ kind: "link", target: "somewhere/else" });
    expect(lstatPath(path("nothing"))).toBeUndefined();
  });
});

describe("createLstatCache", () => {
  it("asks the disk once about each path", () => {
    const { path } = fixture({ link: link("before") });
    const look = createLstatCache();
    expect(look(path("link"))?.target).toBe("before");
    rmSync(path("link"));
    symlinkSync("after", path("link"));
    expect(look(path("link"))?.target).toBe("before");
    expect(createLstatCache()(path("link"))?.target).toBe("after");
  });
});
