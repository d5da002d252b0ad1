import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { asNobody, fifo, fixture, link, makeLargeDirectory, turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { DirectoryEntry } from "../../src/disk/listing.ts";
import { createBoundary, type Boundary } from "../../src/path/boundary.ts";
import { readForSearch } from "../../src/search/read-directory.ts";
import { restrict } from "../restrict.ts";

async function read(boundary: Boundary, directory: string, onlyNames?: readonly string[]) {
  const entries: DirectoryEntry[] = [];
  const end = await readForSearch(boundary, directory, onlyNames, (more) => {
    entries.push(...more);
    return true;
  });
  return { end, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** A name whose bytes are not UTF-8, as it stands in a path of bytes. */
function unnameable(directory: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from([0xff])]);
}

const GONE = { end: "gone", entries: [] };

describe.each([
  ["through /proc", true],
  ["by path", false],
])("readForSearch %s", (_, usesProc) => {
  const boundaryAt = (root: string, deny?: string[]) => createBoundary(root, deny, usesProc);

  it("hands over all entries, or those that are asked for, but never denied ones", async () => {
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

  it("finds gone what is missing, a file, a link or behind a link", async () => {
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

  it("tells nothing about what a link in the way leads to, not even why it cannot be read", async () => {
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

  it("takes the listing's word where single entries cannot be asked about", async () => {
    const { root, path } = fixture({ dir: { "a.ts": "" } });
    restrict(path("dir"), 0o444);
    const found = await asNobody(() => read(boundaryAt(root), "dir", ["a.ts", "b.ts"]));
    expect(found).toEqual({ end: "complete", entries: [{ name: "a.ts", kind: "file" }] });
  });
});

describe("readForSearch", () => {
  it("hands over a small directory in one go, and stops when told", () => {
    const { root } = fixture({ "a.ts": "", b: {} });
    const boundary = createBoundary(root);
    const calls: number[] = [];
    expect(readForSearch(boundary, ".", undefined, (entries) => calls.push(entries.length) > 0)).toBe("complete");
    expect(calls).toEqual([2]);
    expect(readForSearch(boundary, ".", undefined, () => false)).toBe("stopped");
  });

  it("hands over a large directory in slices, and stops when told", async () => {
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

  it("does not hand over by path what comes once the path leads elsewhere", async () => {
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
