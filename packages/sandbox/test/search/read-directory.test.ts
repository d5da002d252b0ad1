import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, fifo, fixture, link, makeLargeDirectory, turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { DirectoryEntry } from "../../src/disk/listing.ts";
import { createBoundary, type Boundary } from "../../src/disk/boundary.ts";
import { isFileAt, readForSearch } from "../../src/search/read-directory.ts";
import { mountForTest } from "../mount.ts";
import { restrict } from "../restrict.ts";

async function read(boundary: Boundary, directory: string, onlyNames?: readonly string[]) {
  const entries: DirectoryEntry[] = [];
  const end = await readForSearch(boundary, directory, onlyNames, (more) => {
    entries.push(...more);
    return true;
  });
  return { end, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** A name whose bytes are not UTF-8, as part of a path in bytes. */
function unnameable(directory: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from([0xff])]);
}

const GONE = { end: "gone", entries: [] };

describe.each([
  ["through /proc", true],
  ["by path", false],
])("readForSearch %s", (_, usesProc) => {
  const boundaryAt = (root: string, deny?: string[]) => createBoundary(root, deny, usesProc);

  it("passes on all entries, or those that are asked for, but never denied ones", async () => {
    const { root } = fixture({
      src: { "a.ts": "", ".env": "", lib: {}, pipe: fifo(), link: link("lib"), out: link("/") },
    });
    const boundary = boundaryAt(root, ["**/.env"]);
    expect(await read(boundary, "src")).toEqual({
      end: "complete",
      entries: [
        { name: "a.ts", kind: "file" },
        { name: "lib", kind: "directory" },
        { name: "link", kind: "link" },
        { name: "out", kind: "link" },
        { name: "pipe", kind: "file" },
      ],
    });
    expect(await read(boundary, "src", ["lib", "none", ".env", "a.ts", "A.TS", "x".repeat(300)])).toEqual({
      end: "complete",
      entries: [
        { name: "a.ts", kind: "file" },
        { name: "lib", kind: "directory" },
      ],
    });
    expect(await read(boundary, "src/lib")).toEqual({ end: "complete", entries: [] });
  });

  it("reports as gone what is missing, a file, a link or behind a link", async () => {
    const { root } = fixture({ file: "", link: link("dir"), dir: { below: { "a.ts": "" } } });
    for (const directory of ["missing", "file", "link", "file/below", "link/below"]) {
      expect(await read(boundaryAt(root), directory)).toEqual(GONE);
      expect(await read(boundaryAt(root), directory, ["a.ts"])).toEqual(GONE);
    }
  });

  it("says why a directory could not be read", async () => {
    const { root, path } = fixture({ locked: {}, blind: { "a.ts": "" } });
    restrict(path("locked"), 0o000);
    restrict(path("blind"), 0o311);
    mkdirSync(unnameable(root));
    const boundary = boundaryAt(root);
    expect(await asNobody(() => read(boundary, "locked"))).toEqual({ end: "permission", entries: [] });
    expect(await asNobody(() => read(boundary, "blind", ["a.ts"]))).toEqual({ end: "permission", entries: [] });
    expect((await read(boundary, ".")).entries).toContainEqual({ name: "bad-\ufffd", kind: "directory" });
    expect(await read(boundary, "bad-\ufffd")).toEqual({ end: "unnameable", entries: [] });
    expect((await read(boundary, `${"x".repeat(250)}/`.repeat(20))).end).toBe("unreadable");
  });

  it("reveals nothing about what a link on the way leads to, not even why it cannot be read", async () => {
    const { path } = fixture({ root: { dir: {} }, outside: { locked: {}, open: { secret: "" } } });
    const boundary = boundaryAt(path("root"));
    renameSync(path("root/dir"), path("root/away"));
    symlinkSync("../outside", path("root/dir"));
    restrict(path("outside/locked"), 0o000);
    for (const directory of ["dir/locked", "dir/open", "dir/none", "dir"]) {
      expect(await asNobody(() => read(boundary, directory))).toEqual(GONE);
      expect(await asNobody(() => read(boundary, directory, ["secret"]))).toEqual(GONE);
    }
  });

  it("relies on the listing where single entries cannot be asked about", async () => {
    const { root, path } = fixture({ dir: { "a.ts": "" } });
    restrict(path("dir"), 0o444);
    const found = await asNobody(() => read(boundaryAt(root), "dir", ["a.ts", "b.ts"]));
    expect(found).toEqual({ end: "complete", entries: [{ name: "a.ts", kind: "file" }] });
  });
});

describe("readForSearch", () => {
  it("passes on a small directory in one go, and stops when told", () => {
    const { root } = fixture({ "a.ts": "", b: {} });
    const boundary = createBoundary(root);
    const calls: number[] = [];
    expect(readForSearch(boundary, ".", undefined, (entries) => calls.push(entries.length) > 0)).toBe("complete");
    expect(calls).toEqual([2]);
    expect(readForSearch(boundary, ".", undefined, () => false)).toBe("stopped");
  });

  it("passes on a large directory in slices, and stops when told", async () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 30_000);
    const boundary = createBoundary(root);
    const slices: number[] = [];
    let end: unknown;
    const turns = await turnsDuring(async () => {
      end = await readForSearch(boundary, "large", undefined, (entries) => slices.push(entries.length) > 0);
    });
    expect(end).toBe("complete");
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.reduce((sum, length) => sum + length)).toBe(30_000);
    expect(turns).toBeGreaterThanOrEqual(slices.length - 1);
    let seen = 0;
    expect(await readForSearch(boundary, "large", undefined, (entries) => (seen += entries.length) < 0)).toBe(
      "stopped",
    );
    expect(seen).toBeLessThan(30_000);
  });

  it("does not pass on what is read by path once the path leads elsewhere", async () => {
    const { path } = fixture({ root: {}, outside: { secret: "" } });
    makeLargeDirectory(path("root/dir"), 30_000);
    let calls = 0;
    const end = await readForSearch(createBoundary(path("root"), undefined, false), "dir", undefined, () => {
      calls += 1;
      if (calls === 1) {
        renameSync(path("root/dir"), path("root/away"));
        symlinkSync("../outside", path("root/dir"));
      }
      return true;
    });
    expect([end, calls]).toEqual(["gone", 1]);
  });

  it("lets through what the receiver throws", () => {
    expect(() =>
      readForSearch(createBoundary(fixture().root), ".", undefined, () => {
        throw new RangeError("mine");
      }),
    ).toThrow("mine");
  });
});

describe("isFileAt", () => {
  it.each([false, true])("knows files by their path, through no link (isLikely: %s)", (isLikely) => {
    const { root } = fixture({ dir: { "a.ts": "", sub: {}, link: link("a.ts") }, out: link("dir") });
    const boundary = createBoundary(root, ["*.pem"]);
    const paths = ["dir/a.ts", "dir/A.ts", "dir/sub", "dir/link", "out/a.ts", "missing", "dir/a.pem"];
    expect(paths.filter((path) => isFileAt(boundary, path, isLikely))).toEqual(boundary.usesProc ? ["dir/a.ts"] : []);
  });

  // A hard link in the other case looks like a disk that folds case.
  it("leaves it to the listing where the other case of a name is the same entry", async () => {
    const { root, path } = fixture({ "12": "", "a.ts": "", "b.ts": "" });
    linkSync(path("a.ts"), path("A.TS"));
    const boundary = createBoundary(root);
    expect(isFileAt(boundary, "12")).toBe(boundary.usesProc);
    expect(isFileAt(boundary, "a.ts")).toBe(false);
    expect(isFileAt(boundary, "b.ts")).toBe(false);
    expect((await read(boundary, ".", ["b.ts", "B.ts", "A.TS"])).entries.map(({ name }) => name)).toEqual([
      "A.TS",
      "b.ts",
    ]);
  });

  it("finds no other spelling on a disk that folds case", async ({ skip }) => {
    const { root, path } = fixture({});
    const script = 'mkdir "$1" && mount -t tmpfs -o casefold tmpfs "$1" && mkdir "$1/d" && chattr +F "$1/d"';
    skip(!mountForTest(path("disk"), script), "no disk that folds case can be mounted here");
    writeFileSync(path("disk/d/README.md"), "");
    const boundary = createBoundary(root);
    expect(isFileAt(boundary, "disk/d/readme.md")).toBe(false);
    expect((await read(boundary, "disk/d", ["readme.md"])).entries).toEqual([]);
    expect((await read(boundary, "disk/d", ["README.md"])).entries).toEqual([{ name: "README.md", kind: "file" }]);
  });
});
