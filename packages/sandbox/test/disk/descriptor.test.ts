import { closeSync, constants, mkdirSync, openSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { fifo, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { openSeen, openVerified } from "../../src/disk/open.ts";
import { failure } from "../failure.ts";

describe.each([
  ["through /proc", true],
  ["by device and inode", false],
])("descriptors %s", (_, usesProc) => {
  function setUp() {
    const tree = fixture({ root: { "a.txt": "a", dir: { "b.txt": "b" } }, outside: { "b.txt": "secret", sub: {} } });
    return { ...tree, boundary: createBoundary({ projectRoot: tree.path("root"), usesProc }) };
  }

  it("are returned for what lies inside", () => {
    const { boundary } = setUp();
    const file = openVerified(boundary, boundary.paths.create("a.txt"), "file");
    expect(file).toMatchObject({ relative: "a.txt" });
    expect(file.stats.isFile()).toBe(true);
    const directory = openVerified(boundary, boundary.paths.create("dir"), "directory");
    expect(directory.relative).toBe("dir");
    closeSync(file.descriptor);
    closeSync(directory.descriptor);
  });

  it("are refused if the path leads outside, also when a directory on the way was swapped", async () => {
    const { boundary, path } = setUp();
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    const calls = [
      () => openVerified(boundary, boundary.paths.create("dir/b.txt"), "file"),
      () => openVerified(boundary, boundary.paths.create("dir"), "directory"),
      () => openVerified(boundary, boundary.paths.create("../outside/b.txt"), "file"),
      // The answer does not reveal either what is missing there, or of another kind.
      () => openVerified(boundary, boundary.paths.create("dir/none"), "file"),
      () => openVerified(boundary, boundary.paths.create("dir/sub"), "file"),
      () => openVerified(boundary, boundary.paths.create("dir/b.txt"), "directory"),
    ];
    for (const call of calls) expect(await failure(call)).toMatchObject({ reason: "outside", code: "ACCESS_DENIED" });
  });

  it.runIf(usesProc)("may lead elsewhere inside: moving a directory is not an attack", () => {
    const { boundary, path } = setUp();
    renameSync(path("root/dir"), path("root/moved"));
    symlinkSync("moved", path("root/dir"));
    const file = openVerified(boundary, boundary.paths.create("dir/b.txt"), "file");
    expect(file.relative).toBe("moved/b.txt");
    closeSync(file.descriptor);
  });

  it("accept a name that really ends in ' (deleted)'", () => {
    const { boundary, path } = setUp();
    writeFileSync(path("root/x (deleted)"), "");
    const file = openVerified(boundary, boundary.paths.create("x (deleted)"), "file");
    expect(file.relative).toBe("x (deleted)");
    closeSync(file.descriptor);
  });

  // Rule: A deleted file is opened again.
  it("have no path once their file is deleted, so that opening is tried again", () => {
    const { boundary, path } = setUp();
    const descriptor = openSync(path("root/a.txt"), constants.O_RDONLY);
    expect(boundary.verifier.locate(descriptor, path("root/a.txt"))).toBe(path("root/a.txt"));
    rmSync(path("root/a.txt"));
    expect(boundary.verifier.locate(descriptor, path("root/a.txt"))).toBeUndefined();
    writeFileSync(path("root/a.txt"), "saved again");
    expect(boundary.verifier.locate(descriptor, path("root/a.txt"))).toBeUndefined();
    closeSync(descriptor);
  });

  it("are refused when a parent became a file", async () => {
    const { boundary, path } = setUp();
    rmSync(path("root/dir"), { recursive: true });
    writeFileSync(path("root/dir"), "");
    for (const kind of ["file", "directory"] as const) {
      const below = boundary.paths.create("dir/b.txt");
      expect(await failure(() => openVerified(boundary, below, kind))).toMatchObject({ reason: "missing" });
    }
  });
});

describe("openSeen", () => {
  it("follows no link in the last name, not even one inside", () => {
    const { root } = fixture({ "a.txt": "", dir: {}, "to-file": link("a.txt"), "to-dir": link("dir") });
    const boundary = createBoundary({ projectRoot: root });
    expect(openSeen(boundary, boundary.paths.create("to-file"), "file")).toBeUndefined();
    expect(openSeen(boundary, boundary.paths.create("to-dir"), "directory")).toBeUndefined();
  });

  it("does not wait for the other end of a FIFO", () => {
    const { root } = fixture({ pipe: fifo() });
    const boundary = createBoundary({ projectRoot: root });
    expect(openSeen(boundary, boundary.paths.create("pipe"), "file")).toBeUndefined();
  });
});

describe("entryPath", () => {
  it.runIf(process.platform === "linux")("stays with the directory that was opened", () => {
    const { root, path } = fixture({ dir: {} });
    const boundary = createBoundary({ projectRoot: root });
    const directory = boundary.paths.create("dir");
    const { descriptor } = openVerified(boundary, directory, "directory");
    renameSync(path("dir"), path("moved"));
    mkdirSync(path("dir"));
    writeFileSync(boundary.verifier.entryPath(directory, descriptor, "new.txt"), "");
    closeSync(descriptor);
    expect(openVerified(boundary, boundary.paths.create("moved/new.txt"), "file").relative).toBe("moved/new.txt");
  });

  it("is the plain path elsewhere", () => {
    const { root, path } = fixture({ dir: {} });
    const boundary = createBoundary({ projectRoot: root, usesProc: false });
    expect(boundary.verifier.entryPath(boundary.paths.create("dir"), 99, "a")).toBe(path("dir/a"));
  });
});
