import { rmSync, symlinkSync } from "node:fs";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { createLookInside } from "../../src/resolve/leads-to-directory.ts";
import { lstatPath } from "../../src/disk/verifier.ts";

describe("lstatPath", () => {
  it("says what is at a path, and where a link leads", () => {
    const { path } = fixture({ file: "", directory: {}, link: link("somewhere/else") });
    expect(lstatPath(path("file"))).toMatchObject({ kind: "file", target: undefined });
    expect(lstatPath(path("directory"))).toMatchObject({ kind: "directory", target: undefined });
    expect(lstatPath(path("link"))).toMatchObject({ kind: "link", target: "somewhere/else" });
    expect(lstatPath(path("nothing"))).toBeUndefined();
  });
});

describe.each([
  ["through /proc", true],
  ["by path", false],
])("createLookInside %s", (_, usesProc) => {
  it("says what is inside, through no link", () => {
    const { path } = fixture({
      root: { file: "", directory: { inner: link("../file") }, way: link("../outside") },
      outside: { file: "", link: link("../root/directory") },
    });
    const look = createLookInside(createBoundary({ projectRoot: path("root"), usesProc }));
    expect(look(path("root/file"))).toMatchObject({ kind: "file", target: undefined });
    expect(look(path("root/directory"))).toMatchObject({ kind: "directory", target: undefined });
    expect(look(path("root/directory/inner"))).toMatchObject({ kind: "link", target: "../file" });
    expect(look(path("root/way"))).toMatchObject({ kind: "link", target: "../outside" });
    for (const hidden of ["root/way/file", "root/way/link", "outside/file", "root/nothing"]) {
      expect(look(path(hidden)), hidden).toBeUndefined();
    }
  });

  it("asks the disk once about each path", () => {
    const { root, path } = fixture({ link: link("before") });
    const boundary = createBoundary({ projectRoot: root, usesProc });
    const look = createLookInside(boundary);
    expect(look(path("link"))?.target).toBe("before");
    rmSync(path("link"));
    symlinkSync("after", path("link"));
    expect(look(path("link"))?.target).toBe("before");
    expect(createLookInside(boundary)(path("link"))?.target).toBe("after");
  });
});
