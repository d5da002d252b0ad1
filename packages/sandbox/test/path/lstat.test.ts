import { rmSync, symlinkSync } from "node:fs";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createGlances, glance } from "../../src/path/lstat.ts";

describe("glance", () => {
  it("tells what stands at a path, and where a link leads", () => {
    const { path } = fixture({ file: "", directory: {}, link: link("somewhere/else") });
    expect(glance(path("file"))).toEqual({ kind: "file", target: undefined });
    expect(glance(path("directory"))).toEqual({ kind: "directory", target: undefined });
    expect(glance(path("link"))).toEqual({ kind: "link", target: "somewhere/else" });
    expect(glance(path("nothing"))).toBeUndefined();
  });
});

describe("createGlances", () => {
  it("asks the disk once about each path", () => {
    const { path } = fixture({ link: link("before") });
    const look = createGlances();
    expect(look(path("link"))?.target).toBe("before");
    rmSync(path("link"));
    symlinkSync("after", path("link"));
    expect(look(path("link"))?.target).toBe("before");
    expect(createGlances()(path("link"))?.target).toBe("after");
  });
});
