import { chmodSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createSandbox } from "../src/sandbox.ts";
import { createFileVersions, isSameVersion, type FileVersion } from "../src/versions.ts";

const V1: FileVersion = { device: 1n, inode: 2n, size: 3n, mtimeNs: 4n, ctimeNs: 5n };
const V2: FileVersion = { ...V1, ctimeNs: 6n };

async function pathsOf(tree: Record<string, string>) {
  const sandbox = createSandbox({ projectRoot: fixture(tree).root });
  return Promise.all(Object.keys(tree).map((name) => sandbox.resolve(name)));
}

describe("createFileVersions", () => {
  it("knows what was recorded last, for each file separately", async () => {
    const [a, b] = await pathsOf({ a: "", b: "" });
    const versions = createFileVersions();
    if (a === undefined || b === undefined) throw new Error("no paths");
    expect(versions.known(a)).toBeUndefined();
    versions.record(a, V1, "read");
    versions.record(a, V2, "written");
    expect(versions.known(a)).toEqual({ version: V2, how: "written" });
    expect(versions.known(b)).toBeUndefined();
  });

  it("recognises a file that another sandbox resolved", async () => {
    const { root } = fixture({ dir: { a: "" } });
    const versions = createFileVersions();
    versions.record(await createSandbox({ projectRoot: root }).resolve("dir/a"), V1, "read");
    const other = createSandbox({ projectRoot: `${root}/dir` });
    expect(versions.known(await other.resolve("a"))).toEqual({ version: V1, how: "read" });
  });

  it("does not mistake a match for a read, nor forget the read", async () => {
    const [a] = await pathsOf({ a: "" });
    if (a === undefined) throw new Error("no path");
    const versions = createFileVersions();
    versions.record(a, V1, "matched");
    expect(versions.lastRead(a)).toBeUndefined();
    versions.record(a, V1, "read");
    versions.record(a, V1, "matched");
    expect(versions.known(a)).toEqual({ version: V1, how: "read" });
    versions.record(a, V2, "matched");
    expect(versions.known(a)).toEqual({ version: V2, how: "matched" });
    expect(versions.lastRead(a)).toEqual(V1);
  });

  it("is bounded: the least recently used file is forgotten", async () => {
    const names = Array.from({ length: 4097 }, (_, index) => `f${index}`);
    const sandbox = createSandbox({ projectRoot: fixture(Object.fromEntries(names.map((name) => [name, ""]))).root });
    const versions = createFileVersions();
    for (const name of names) versions.record(await sandbox.resolve(name), V1, "read");
    expect(versions.known(await sandbox.resolve("f0"))).toBeUndefined();
    expect(versions.known(await sandbox.resolve("f1"))).toEqual({ version: V1, how: "read" });
  });
});

describe("isSameVersion", () => {
  it.each(Object.keys(V1))("sees a difference in %s", (field) => {
    expect(isSameVersion(V1, { ...V1 })).toBe(true);
    expect(isSameVersion(V1, { ...V1, [field]: 99n })).toBe(false);
  });

  it("sees every kind of change to a real file", async () => {
    const { root, path } = fixture({ "a.txt": "one" });
    const sandbox = createSandbox({ projectRoot: root });
    const version = async () => {
      const file = sandbox.open(await sandbox.resolve("a.txt"));
      file.close();
      return file.version;
    };
    let before = await version();
    expect(isSameVersion(before, await version())).toBe(true);
    const changes = [
      () => {
        writeFileSync(path("a.txt"), "longer");
      },
      () => {
        utimesSync(path("a.txt"), 1, 1);
      },
      () => {
        writeFileSync(path("b.txt"), "longer");
        utimesSync(path("b.txt"), 1, 1);
        renameSync(path("b.txt"), path("a.txt"));
      },
      () => {
        chmodSync(path("a.txt"), 0o600);
      },
    ];
    for (const change of changes) {
      // The clock of file times is coarse: two changes within one tick have the same `ctime`.
      await new Promise((resolve) => setTimeout(resolve, 20));
      change();
      const after = await version();
      expect(isSameVersion(before, after)).toBe(false);
      before = after;
    }
  });
});
