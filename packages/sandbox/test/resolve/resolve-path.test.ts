import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { resolvePath } from "../../src/resolve/follow.ts";
import { mountForTest } from "../mount.ts";

describe.each([
  ["through /proc", true],
  ["by path", false],
])("resolvePath %s", (_, usesProc) => {
  function project(deny?: readonly string[]) {
    const tree = fixture({
      root: { src: { "a.ts": "" }, code: link("src"), "b.txt": "" },
      outside: { src: { "secret.ts": "" }, "secret.txt": "" },
    });
    return { ...tree, boundary: createBoundary({ projectRoot: tree.path("root"), deny, usesProc }) };
  }

  it.each([
    [".", { found: ".", isDirectory: true }],
    ["src/a.ts", { found: "src/a.ts", isDirectory: false, followed: [] }],
    ["code/a.ts", { found: "src/a.ts", followed: [{ path: "code", target: "src" }] }],
    ["src/b.ts", { stopped: "missing", nearest: "src", absent: ["b.ts"] }],
    ["x/y/z", { stopped: "missing", nearest: ".", absent: ["x", "y", "z"] }],
    ["b.txt/x", { stopped: "missing", file: "b.txt" }],
    ["x".repeat(256), { stopped: "invalid_name" }],
  ])("confirms what %s is", (input, end) => {
    const { boundary } = project();
    expect(resolvePath(boundary, ".", input)).toMatchObject(end);
  });

  it("says nothing about what is behind a root that became a link", () => {
    const { boundary, path } = project();
    renameSync(path("root"), path("away"));
    symlinkSync("outside", path("root"));
    for (const input of [".", "secret.txt", "missing.txt", "src", "src/secret.ts", "src/a.ts", "secret.txt/x"]) {
      expect(resolvePath(boundary, ".", input)).toEqual({ stopped: "outside", nearest: "." });
    }
  });

  it("goes on with a root that was removed and made again", () => {
    const { boundary, path } = project();
    rmSync(path("root"), { recursive: true });
    mkdirSync(path("root"));
    writeFileSync(path("root/new.txt"), "");
    expect(resolvePath(boundary, ".", "new.txt")).toMatchObject({ found: "new.txt" });
  });

  it.each(["PROGRA~1", "name.", "name ", "Größe.txt", "İstanbul"])("finds %j itself where there are rules", (name) => {
    const { boundary, path } = project(["secret"]);
    writeFileSync(path("root", name), "");
    expect(resolvePath(boundary, ".", name)).toMatchObject({ found: name });
  });

  it("takes a name as the disk spells it, if the disk folds names", ({ skip }) => {
    const { root } = fixture();
    const script = 'mkdir "$1" && mount -t tmpfs -o casefold tmpfs "$1" && mkdir "$1/d" && chattr +F "$1/d"';
    if (!mountForTest(`${root}/disk`, script)) skip("needs root, and a kernel that can fold names");
    mkdirSync(`${root}/disk/d/Source`);
    writeFileSync(`${root}/disk/d/Source/.env`, "");
    const boundary = createBoundary({ projectRoot: `${root}/disk/d`, deny: [".env"], usesProc });
    expect(resolvePath(boundary, ".", "SOURCE")).toMatchObject({ found: "Source" });
    expect(resolvePath(boundary, ".", "source/.E\u00ADNV")).toMatchObject({ stopped: "denied" });
  });
});
