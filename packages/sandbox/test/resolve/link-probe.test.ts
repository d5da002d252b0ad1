import { renameSync, rmSync, symlinkSync } from "node:fs";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { createLinkProbe } from "../../src/resolve/follow.ts";
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
])("createLinkProbe %s", (_, usesProc) => {
  it("tells what leads to a directory inside, through nothing outside", () => {
    const { path } = fixture({
      root: {
        file: "",
        directory: { up: link("../directory"), inner: link("../file") },
        chain: link("directory/up"),
        way: link("../outside"),
        back: link("../outside/link"),
        nowhere: link("none"),
        ".env": {},
        hidden: link(".env"),
      },
      outside: { file: "", link: link("../root/directory") },
    });
    const boundary = createBoundary({ projectRoot: path("root"), deny: [".env"], usesProc });
    const leadsToDirectory = createLinkProbe(boundary);
    expect(leadsToDirectory("directory", "up")).toBe(true);
    expect(leadsToDirectory(".", "chain")).toBe(true);
    expect(leadsToDirectory("directory", "inner")).toBe(false);
    for (const name of ["way", "back", "nowhere", "hidden"])
      expect([name, leadsToDirectory(".", name)]).toEqual([name, false]);
  });

  it("says nothing about what is behind a directory that became a link", () => {
    const { path } = fixture({ root: { dir: { sub: {} }, link: link("dir/sub") }, outside: { sub: {} } });
    const boundary = createBoundary({ projectRoot: path("root"), usesProc });
    expect(createLinkProbe(boundary)(".", "link")).toBe(true);
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    expect(createLinkProbe(boundary)(".", "link")).toBe(false);
  });

  it("asks the disk once about each path", () => {
    const { root, path } = fixture({ link: link("before"), before: {} });
    const boundary = createBoundary({ projectRoot: root, usesProc });
    const leadsToDirectory = createLinkProbe(boundary);
    expect(leadsToDirectory(".", "link")).toBe(true);
    rmSync(path("link"));
    symlinkSync("after", path("link"));
    expect(leadsToDirectory(".", "link")).toBe(true);
    expect(createLinkProbe(boundary)(".", "link")).toBe(false);
  });
});
