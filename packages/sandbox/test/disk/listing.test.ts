import { mkdirSync, statfsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { fixture, link, makeLargeDirectory } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { openSlices, visibleIn } from "../../src/disk/directory.ts";
import { openAgreedSlices, type DirectorySlices } from "../../src/disk/verifier.ts";
import { mountForTest } from "../mount.ts";

/** A file system whose directories do not store the types of their entries. */
const UNTYPED = `
  truncate -s 4M "$1.image"
  mke2fs -q -t ext2 -O ^filetype "$1.image"
  mkdir "$1"
  mount -o loop "$1.image" "$1"`;

describe("openSlices", () => {
  it("reads a directory to its end, a slice at a time", () => {
    const { path } = fixture();
    makeLargeDirectory(path("large"), 1000);
    const slices = openSlices(path("large"));
    const names: string[] = [];
    let count = 0;
    while (!slices.isAtEnd()) {
      names.push(...slices.next(() => true).map(({ name }) => name));
      count += 1;
    }
    slices.close();
    expect(new Set(names).size).toBe(1000);
    expect(count).toBeGreaterThan(10);
  });

  it("knows at once that a small directory is read", () => {
    const { root } = fixture({ a: "" });
    const slices = openSlices(root);
    expect(slices.isAtEnd()).toBe(false);
    expect(slices.next(() => false)).toEqual([{ name: "a", kind: "file" }]);
    expect(slices.isAtEnd()).toBe(true);
    slices.close();
  });

  it("pauses in a directory that says it is small, as every one of overlayfs does", ({ skip }) => {
    const { path } = fixture({ low: {}, top: {}, work: {} });
    makeLargeDirectory(path("low/large"), 5000);
    const script = 'cd "$1/.." && mount -t overlay -o lowerdir=low,upperdir=top,workdir=work overlay "$1"';
    mkdirSync(path("merged"));
    if (!mountForTest(path("merged"), script)) skip("needs root, and overlayfs");
    // Both made above and below, so that its size is that of the empty one above.
    mkdirSync(path("merged/large/sub"));
    const stats = statSync(path("merged/large"));
    expect(stats.size).toBeLessThan(65_536);
    const slices = openSlices(path("merged/large"), undefined, stats);
    expect(slices.next(() => true).length).toBeLessThanOrEqual(64);
    expect(slices.isAtEnd()).toBe(false);
    slices.close();
  });

  it("reads a small directory in one call where its size can be trusted, and a large one never", ({ skip }) => {
    const { root, path } = fixture();
    const EXT = 0xef53;
    if (statfsSync(root).type !== EXT) skip("needs ext4");
    for (const [name, count] of [
      ["small", 500],
      ["large", 10_000],
    ] as const) {
      makeLargeDirectory(path(name), count);
      const slices = openSlices(path(name), undefined, statSync(path(name)));
      expect([name, slices.next(() => true).length === count]).toEqual([name, name === "small"]);
      slices.close();
    }
  });
});

describe("kinds of entries", () => {
  it("are looked up where the file system does not store them", ({ skip }) => {
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
    const slices = openSlices(mounted);
    expect(slices.next(() => false).sort(byName)).toEqual(expected);
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
    const isVisible = visibleIn(createBoundary({ projectRoot: root, deny }), directory);
    const slices = openSlices(root, isVisible);
    expect(slices.next(() => false)).toHaveLength(count);
    slices.close();
  });

  it("is applied before the clock is read, so that rules cannot prolong a slice", () => {
    const { path } = fixture();
    makeLargeDirectory(path("large"), 1000);
    const slices = openSlices(path("large"), () => false);
    expect(slices.next(() => true)).toEqual([]);
    expect(slices.next(() => false)).toEqual([]);
    expect(slices.isAtEnd()).toBe(true);
    slices.close();
  });
});

describe("openAgreedSlices", () => {
  /** The result of these readings of a directory, one after another, and of the looks after each. */
  function opened(readings: readonly string[], isCertain: readonly (boolean | undefined)[]) {
    let opens = 0;
    let closes = 0;
    let looks = 0;
    const at = <Item>(items: readonly Item[], index: number) => items[Math.min(index, items.length - 1)];
    const open = (): DirectorySlices => {
      const name = at(readings, opens++) ?? "";
      return { next: () => [{ name, kind: "file" }], isAtEnd: () => true, close: () => void (closes += 1) };
    };
    const look = () => {
      const certain = at(isCertain, looks++);
      return certain === undefined ? undefined : { last: undefined, isCertain: certain };
    };
    try {
      const [first] = openAgreedSlices({ relative: "dir" }, open, look).next(() => true);
      return { name: first?.name, opens, left: opens - closes };
    } catch (error) {
      expect(error).toMatchObject({ reason: "outside" });
      return { name: undefined, opens, left: opens - closes };
    }
  }

  // Rule: Without /proc, a directory is listed four times with the same names if something was renamed on its way within a second.
  it.each([
    { readings: ["a"], isCertain: [true], name: "a", opens: 1 },
    { readings: ["a"], isCertain: [false], name: "a", opens: 4 },
    { readings: ["a"], isCertain: [false, true], name: "a", opens: 2 },
    { readings: ["a", "a", "a", "b"], isCertain: [false], name: "b", opens: 7 },
    { readings: ["a"], isCertain: [false, false, false, undefined], name: undefined, opens: 4 },
    {
      readings: ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"],
      isCertain: [false],
      name: undefined,
      opens: 16,
    },
  ])(
    "$readings with looks that are certain or not, $isCertain: $name after $opens",
    ({ readings, isCertain, name, opens }) => {
      expect(opened(readings, isCertain)).toEqual({ name, opens, left: name === undefined ? 0 : 1 });
    },
  );
});
