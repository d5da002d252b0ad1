import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { fifo, fixture, link, makeLargeDirectory, turnsDuring, type Fixture } from "@fstools/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBoundary } from "../../src/disk/boundary.ts";
import { peekDirectory, readDirectory } from "../../src/disk/directory.ts";
import type { DirectoryEntry } from "../../src/disk/verifier.ts";
import { failure } from "../failure.ts";

// More than a fast disk can list within one slice.
const LARGE = 60_000;
const signal = new AbortController().signal;

let tree: Fixture;

beforeAll(() => {
  tree = fixture({ root: {}, outside: { secret: "" } });
  makeLargeDirectory(tree.path("root/large"), LARGE);
});

afterAll(() => {
  tree.cleanup();
});

async function collect(batches: AsyncIterable<readonly DirectoryEntry[]>): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for await (const batch of batches) entries.push(...batch);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe.each([
  ["through /proc", true],
  ["by path", false],
])("readDirectory %s", (_, usesProc) => {
  it("lists names with their kinds", async () => {
    const { root } = fixture({ "a.txt": "", dir: {}, link: link("nowhere"), pipe: fifo(), ".hidden": "" });
    const boundary = createBoundary({ projectRoot: root, usesProc });
    expect(await collect(readDirectory(boundary, boundary.paths.create("."), signal))).toEqual([
      { name: ".hidden", kind: "file" },
      { name: "a.txt", kind: "file" },
      { name: "dir", kind: "directory" },
      { name: "link", kind: "link" },
      { name: "pipe", kind: "file" },
    ]);
  });

  it("lists an empty directory", async () => {
    const boundary = createBoundary({ projectRoot: fixture().root, usesProc });
    expect(await collect(readDirectory(boundary, boundary.paths.create("."), signal))).toEqual([]);
  });

  // Rule: A large directory does not block the event loop.
  it("lists a large directory whole, in batches that let the event loop turn", async () => {
    const boundary = createBoundary({ projectRoot: tree.path("root"), deny: ["large/f00007"], usesProc });
    const batches: number[] = [];
    const names = new Set<string>();
    const turns = await turnsDuring(async () => {
      for await (const batch of readDirectory(boundary, boundary.paths.create("large"), signal)) {
        batches.push(batch.length);
        for (const { name } of batch) names.add(name);
      }
    });
    expect(names.size).toBe(LARGE - 1);
    expect(names.has("f00007")).toBe(false);
    expect(batches.length).toBeGreaterThan(1);
    expect(turns).toBeGreaterThanOrEqual(batches.length - 2);
  });

  it("stops when the caller aborts", async () => {
    const boundary = createBoundary({ projectRoot: tree.path("root"), usesProc });
    const controller = new AbortController();
    const reason = new Error("enough");
    let batches = 0;
    const listing = async () => {
      for await (const batch of readDirectory(boundary, boundary.paths.create("large"), controller.signal)) {
        batches += Math.sign(batch.length);
        controller.abort(reason);
      }
    };
    await expect(listing()).rejects.toBe(reason);
    await expect(listing()).rejects.toBe(reason);
    expect(batches).toBe(1);
  });

  it("does not follow a directory that was swapped for a link", async () => {
    const { root, path } = fixture({ root: { dir: { inside: "" } }, outside: { secret: "" } });
    const boundary = createBoundary({ projectRoot: `${root}/root`, usesProc });
    const dir = boundary.paths.create("dir");
    rmSync(path("root/dir"), { recursive: true });
    symlinkSync("../outside", path("root/dir"));
    expect(await failure(() => collect(readDirectory(boundary, dir, signal)))).toMatchObject({ reason: "outside" });
  });
});

describe("readDirectory", () => {
  // Rule: Directories are listed through a verified descriptor.
  it.runIf(process.platform === "linux")("stays with the directory that it opened", async () => {
    const { path } = tree;
    const boundary = createBoundary({ projectRoot: path("root") });
    const names = new Set<string>();
    for await (const batch of readDirectory(boundary, boundary.paths.create("large"), signal)) {
      if (names.size === 0) {
        renameSync(path("root/large"), path("root/moved"));
        symlinkSync("../outside", path("root/large"));
      }
      for (const { name } of batch) names.add(name);
    }
    rmSync(path("root/large"));
    renameSync(path("root/moved"), path("root/large"));
    expect(names.size).toBe(LARGE);
    expect(names.has("secret")).toBe(false);
  });

  it("returns nothing that was listed by path after the path began to lead elsewhere", async () => {
    const { path } = tree;
    const boundary = createBoundary({ projectRoot: path("root"), usesProc: false });
    const batches = readDirectory(boundary, boundary.paths.create("large"), signal);
    await batches.next();
    renameSync(path("root/large"), path("root/moved"));
    mkdirSync(path("root/large"));
    const error = await failure(() => batches.next());
    rmSync(path("root/large"), { recursive: true });
    renameSync(path("root/moved"), path("root/large"));
    expect(error).toMatchObject({ reason: "outside" });
  });
});

describe("peekDirectory", () => {
  it("reads as much as it may", () => {
    const boundary = createBoundary({ projectRoot: tree.path("root"), deny: ["**/f00000"] });
    const large = boundary.paths.create("large");
    expect(peekDirectory(boundary, large, () => false)).toHaveLength(LARGE - 1);
    expect(peekDirectory(boundary, large, () => true).length).toBeLessThanOrEqual(64);
    expect(peekDirectory(boundary, boundary.paths.create("."), () => true)).toEqual([
      { name: "large", kind: "directory" },
    ]);
  });
});
