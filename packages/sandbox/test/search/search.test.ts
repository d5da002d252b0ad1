import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, fifo, fixture, link, makeLargeDirectory, turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { DirectoryEntry } from "../../src/disk/listing.ts";
import { createSandbox } from "../../src/sandbox.ts";
import type { Search } from "../../src/search/search.ts";
import { restrict } from "../restrict.ts";

async function list(search: Search, directory: string) {
  const entries: DirectoryEntry[] = [];
  const end = await search.list(directory, (more) => {
    entries.push(...more);
    return true;
  });
  return { end, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** A name whose bytes are not UTF-8, as it stands in a path of bytes. */
function unnameable(directory: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from([0xff])]);
}

describe("createSearch", () => {
  it("lists directories below its start", async () => {
    const { root } = fixture({ src: { "a.ts": "", lib: { "b.ts": "", pipe: fifo() }, link: link("lib") } });
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(await sandbox.resolve("src"));
    expect(await list(search, "")).toEqual({
      end: "complete",
      entries: [
        { name: "a.ts", kind: "file" },
        { name: "lib", kind: "directory" },
        { name: "link", kind: "link" },
      ],
    });
    expect((await list(search, "lib")).entries).toEqual([
      { name: "b.ts", kind: "file" },
      { name: "pipe", kind: "file" },
    ]);
  });

  it("hands over a small directory in one go", async () => {
    const { root } = fixture({ "a.ts": "", empty: {} });
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(sandbox.root);
    const calls: number[] = [];
    const listing = search.list("", (entries) => calls.push(entries.length) > 0);
    expect(calls).toEqual([2]);
    expect(await listing).toBe("complete");
    expect(await search.list("empty", (entries) => calls.push(entries.length) > 0)).toBe("complete");
    expect(calls).toEqual([2, 0]);
    expect(await search.list("", () => false)).toBe("stopped");
  });

  it("hands over a large directory in slices, and stops when told", async () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 30_000);
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(sandbox.root);
    const slices: number[] = [];
    let end: unknown;
    const turns = await turnsDuring(async () => {
      end = await search.list("large", (entries) => slices.push(entries.length) > 0);
    });
    expect(end).toBe("complete");
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.reduce((sum, length) => sum + length)).toBe(30_000);
    expect(turns).toBeGreaterThanOrEqual(slices.length - 1);
    let seen = 0;
    expect(await search.list("large", (entries) => (seen += entries.length) < 0)).toBe("stopped");
    expect(seen).toBeLessThan(30_000);
  });

  it("finds what vanished, or became a file or a link, empty", async () => {
    const { root } = fixture({ file: "", link: link("dir"), dir: { "a.ts": "" } });
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(sandbox.root);
    for (const directory of ["missing", "file", "link", "file/below"]) {
      expect(await list(search, directory)).toEqual({ end: "complete", entries: [] });
    }
  });

  it("says why it skipped a directory", async () => {
    const { root, path } = fixture({ locked: {} });
    restrict(path("locked"), 0o000);
    mkdirSync(unnameable(root));
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(sandbox.root);
    expect(await asNobody(() => list(search, "locked"))).toEqual({ end: "permission", entries: [] });
    const { entries } = await list(search, "");
    expect(entries).toContainEqual({ name: "bad-\ufffd", kind: "directory" });
    expect(await list(search, "bad-\ufffd")).toEqual({ end: "unnameable", entries: [] });
    expect((await list(search, `${"x".repeat(250)}/`.repeat(20))).end).toBe("unreadable");
  });

  it("lets through what the receiver throws", async () => {
    const sandbox = createSandbox({ projectRoot: fixture().root });
    const search = sandbox.createSearch(sandbox.root);
    const listing = search.list("", () => {
      throw new RangeError("mine");
    });
    await expect(listing).rejects.toThrow("mine");
  });

  it("only goes down", async () => {
    const { path } = fixture({ root: { src: { "..x": {} } } });
    const sandbox = createSandbox({ projectRoot: path("root") });
    const search = sandbox.createSearch(await sandbox.resolve("src"));
    for (const directory of ["..", "a/../..", "../src"]) {
      await expect(search.list(directory, () => true)).rejects.toThrow(TypeError);
      expect(() => search.confirm(directory, "a")).toThrow(TypeError);
    }
    expect((await list(search, "..x")).end).toBe("complete");
  });

  it("confirms below its start", async () => {
    const { root } = fixture({ src: { lib: { "b.ts": "" } } });
    const sandbox = createSandbox({ projectRoot: root });
    const search = sandbox.createSearch(await sandbox.resolve("src"));
    expect(search.confirm("lib", "b.ts")).toBe("present");
    expect(search.confirm("", "b.ts")).toBe("gone");
    search.close();
  });

  it("reports no name from a directory that was swapped for a link", () => {
    const { path } = fixture({ root: { dir: { inside: "" } }, outside: { secret: "" } });
    const sandbox = createSandbox({ projectRoot: path("root") });
    const search = sandbox.createSearch(sandbox.root);
    rmSync(path("root/dir"), { recursive: true });
    symlinkSync("../outside", path("root/dir"));
    writeFileSync(path("outside/inside"), "");
    expect(search.confirm("dir", "secret")).toBe("gone");
    expect(search.confirm("dir", "inside")).toBe("gone");
    search.close();
  });
});
