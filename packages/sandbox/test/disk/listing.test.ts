import { mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { fixture, link, makeLargeDirectory } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/path/boundary.ts";
import { isSmall, openSlices, readAll, visibleIn } from "../../src/disk/listing.ts";
import { mountForTest } from "../mount.ts";

/** A file system whose directories do not tell the types of their entries. */
const UNTYPED = `
  truncate -s 4M "$1.image"
  mke2fs -q -t ext2 -O ^filetype "$1.image"
  mkdir "$1"
  mount -o loop "$1.image" "$1"`;

describe("isSmall", () => {
  it("tells by the directory's own size", () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 8000);
    expect(isSmall(statSync(root))).toBe(true);
    expect(isSmall(statSync(path("large")))).toBe(false);
  });
});

describe("openSlices", () => {
  it("reads a directory to its end, a slice at a time", () => {
    const { path } = fixture();
    makeLargeDirectory(path("large"), 1000);
    const slices = openSlices(path("large"));
    const names: string[] = [];
    let count = 0;
    for (let entries = slices.next(() => true); entries !== undefined; entries = slices.next(() => true)) {
      names.push(...entries.map(({ name }) => name));
      count += 1;
    }
    slices.close();
    expect(new Set(names).size).toBe(1000);
    expect(count).toBeGreaterThan(10);
  });
});

describe("kinds of entries", () => {
  it("are found out where the file system does not tell", ({ skip }) => {
    const { path } = fixture();
    const mounted = path("mounted");
    if (!mountForTest(mounted, UNTYPED)) skip("needs root and loop devices");
    writeFileSync(`${mounted}/a.txt`, "");
    mkdirSync(`${mounted}/dir`);
    symlinkSync("dir", `${mounted}/link`);
    const expected = [
      { name: "a.txt", kind: "file" },
      { name: "dir", kind: "directory" },
      { name: "link", kind: "link" },
      { name: "lost+found", kind: "directory" },
    ];
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(readAll(mounted).sort(byName)).toEqual(expected);
    const slices = openSlices(mounted);
    expect(slices.next(() => false)?.sort(byName)).toEqual(expected);
    slices.close();
  });
});

describe("visibleIn", () => {
  it.each<[readonly string[], string, number]>([
    [[], "src", 1],
    [["src/a"], "src", 0],
    [["/a"], "src", 1],
    [["a"], "src", 0],
    [["a"], ".", 0],
  ])("leaves out what %j deny in %s, by its path from the root", (deny, directory, count) => {
    const { root } = fixture({ a: link("x") });
    const isVisible = visibleIn(createBoundary(root, deny), directory);
    expect(readAll(root, isVisible)).toHaveLength(count);
    const slices = openSlices(root, isVisible);
    expect(slices.next(() => false) ?? []).toHaveLength(count);
    slices.close();
  });

  it("is asked before the clock is, so that rules cannot make a slice last", () => {
    const { path } = fixture();
    makeLargeDirectory(path("large"), 1000);
    const slices = openSlices(path("large"), () => false);
    expect(slices.next(() => true)).toEqual([]);
    expect(slices.next(() => false)).toBeUndefined();
    slices.close();
  });
});
