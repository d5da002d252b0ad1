import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { asNobody, fifo, fixture, link, makeLargeDirectory, turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { createBoundary, type Boundary } from "../../src/disk/boundary.ts";
import { isFileAt, readContents } from "../../src/search/contents.ts";
import type { Position } from "../../src/search/position.ts";
import { createSearchRules } from "../../src/search/search-rules.ts";
import { mountForTest } from "../mount.ts";
import { restrict } from "../restrict.ts";

const EVERYTHING = createSearchRules({ includeHidden: true, includeIgnored: true });

function request(onlyNames?: readonly string[], isOver = () => false) {
  const position: Position = { onlyNames, onlyPath: undefined, matches: () => true, enter: () => undefined };
  return { position, rules: EVERYTHING, isOver };
}

/** What a directory holds, with "/" behind directories and "@" behind links. */
async function read(boundary: Boundary, directory: string, onlyNames?: readonly string[]) {
  const { contents, end } = await readContents(boundary, directory, request(onlyNames));
  const { files, links, directories } = contents;
  const shown = [
    ...files.map((name) => (links.has(name) ? `${name}@` : name)),
    ...directories.map((name) => `${name}/`),
  ];
  return { end, entries: shown.sort() };
}

/** A name whose bytes are not UTF-8, as part of a path in bytes. */
function unnameable(directory: string): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/bad-`), Buffer.from([0xff])]);
}

const GONE = { end: "gone", entries: [] };

describe.each([
  ["through /proc", true],
  ["by path", false],
])("readContents %s", (_, usesProc) => {
  const boundaryAt = (root: string, deny?: string[]) => createBoundary({ projectRoot: root, deny, usesProc });

  it("passes on all entries, or those that are asked for, but never denied ones", async () => {
    const { root } = fixture({
      src: { "a.ts": "", ".env": "", lib: {}, pipe: fifo(), link: link("lib"), out: link("/") },
    });
    const boundary = boundaryAt(root, ["**/.env"]);
    expect(await read(boundary, "src")).toEqual({
      end: "complete",
      entries: ["a.ts", "lib/", "link@", "out@", "pipe"],
    });
    expect(await read(boundary, "src", ["lib", "none", ".env", "a.ts", "A.TS", "x".repeat(300)])).toEqual({
      end: "complete",
      entries: ["a.ts", "lib/"],
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
    expect((await read(boundary, ".")).entries).toContain("bad-\ufffd/");
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
});

describe("readContents", () => {
  it("reads a large directory in slices, lets the event loop run between them, and stops when told", async () => {
    const { root, path } = fixture();
    makeLargeDirectory(path("large"), 30_000);
    const boundary = createBoundary({ projectRoot: root });
    let slices = 0;
    let seen = 0;
    const turns = await turnsDuring(async () => {
      const all = await readContents(
        boundary,
        "large",
        request(undefined, () => (slices += 1) < 0),
      );
      expect([all.end, all.contents.files.length]).toEqual(["complete", 30_000]);
    });
    expect(slices).toBeGreaterThan(1);
    expect(turns).toBeGreaterThanOrEqual(slices - 1);
    const some = await readContents(
      boundary,
      "large",
      request(undefined, () => (seen += 1) > 0),
    );
    expect(some.end).toBe("stopped");
    expect(some.contents.files.length).toBeLessThan(30_000);
  });

  it("does not use what is read by path once the path leads elsewhere", async () => {
    const { path } = fixture({ root: {}, outside: { secret: "" } });
    makeLargeDirectory(path("root/dir"), 30_000);
    let calls = 0;
    const swap = () => {
      calls += 1;
      if (calls === 1) {
        renameSync(path("root/dir"), path("root/away"));
        symlinkSync("../outside", path("root/dir"));
      }
      return false;
    };
    const boundary = createBoundary({ projectRoot: path("root"), usesProc: false });
    const { contents, end } = await readContents(boundary, "dir", request(undefined, swap));
    expect([end, calls, contents.files.includes("secret")]).toEqual(["gone", 1, false]);
  });

  it("lets through what the caller's test throws", async () => {
    const fail = () => {
      throw new RangeError("mine");
    };
    const boundary = createBoundary({ projectRoot: fixture().root });
    await expect(readContents(boundary, ".", request(undefined, fail))).rejects.toThrow("mine");
  });
});

describe("isFileAt", () => {
  it("knows files by their path, through no link", () => {
    const { root } = fixture({ dir: { "a.ts": "", sub: {}, link: link("a.ts") }, out: link("dir") });
    const boundary = createBoundary({ projectRoot: root, deny: ["*.pem"] });
    const paths = ["dir/a.ts", "dir/A.ts", "dir/sub", "dir/link", "out/a.ts", "missing", "dir/a.pem"];
    expect(paths.filter((path) => isFileAt(boundary, path))).toEqual(
      boundary.verifier.verification === "descriptor" ? ["dir/a.ts"] : [],
    );
  });

  // A hard link in the other case looks like a disk that folds case.
  it("leaves it to the listing where the other case of a name is the same entry", async () => {
    const { root, path } = fixture({ "12": "", "a.ts": "", "b.ts": "" });
    linkSync(path("a.ts"), path("A.TS"));
    const boundary = createBoundary({ projectRoot: root });
    expect(isFileAt(boundary, "12")).toBe(boundary.verifier.verification === "descriptor");
    expect(isFileAt(boundary, "a.ts")).toBe(false);
    expect(isFileAt(boundary, "b.ts")).toBe(false);
    expect((await read(boundary, ".", ["b.ts", "B.ts", "A.TS"])).entries).toEqual(["A.TS", "b.ts"]);
  });

  it("finds no other spelling on a disk that folds case", async ({ skip }) => {
    const { root, path } = fixture({});
    const script = 'mkdir "$1" && mount -t tmpfs -o casefold tmpfs "$1" && mkdir "$1/d" && chattr +F "$1/d"';
    skip(!mountForTest(path("disk"), script), "no disk that folds case can be mounted here");
    writeFileSync(path("disk/d/README.md"), "");
    const boundary = createBoundary({ projectRoot: root });
    expect(isFileAt(boundary, "disk/d/readme.md")).toBe(false);
    expect((await read(boundary, "disk/d", ["readme.md"])).entries).toEqual([]);
    expect((await read(boundary, "disk/d", ["README.md"])).entries).toEqual(["README.md"]);
  });
});
