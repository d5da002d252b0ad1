import {
  chmodSync,
  closeSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { asNobody, fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import type { OpenedDirectory } from "../../src/disk/new-file.ts";
import { type Boundary, createBoundary } from "../../src/disk/boundary.ts";
import { openVerified } from "../../src/disk/descriptor.ts";
import { LIST_NAME, noteOutput, removeOutputs } from "../../src/store/output-list.ts";
import { restrict } from "../restrict.ts";

const OLD = new Date("2020-01-01");
const BEFORE = Date.parse("2021-01-01");
const names = [1, 2, 3, 4, 5].map((number) => `tool_20200101_00000${number}_LS.json`);
const [old = "", recent = "", linked = "", directory = "", theirs = ""] = names;

function inOutputs(root: string, work: (boundary: Boundary, directory: OpenedDirectory) => void): void {
  const boundary = createBoundary({ projectRoot: root });
  const path = boundary.paths.place("out");
  const { descriptor } = openVerified(boundary, path, "directory");
  work(boundary, { path, descriptor });
  closeSync(descriptor);
}

function removeIn(root: string): void {
  inOutputs(root, (boundary, directory) => {
    removeOutputs(boundary, directory, BEFORE);
  });
}

function project(list: readonly string[], mode = 0o600) {
  const tree = fixture({ out: { [old]: "", [recent]: "", [linked]: link(theirs), [theirs]: "" }, "notes.txt": "" });
  const { path } = tree;
  mkdirSync(path("out", directory));
  for (const name of [old, directory, theirs, "../notes.txt"]) utimesSync(path("out", name), OLD, OLD);
  lutimesSync(path("out", linked), OLD, OLD);
  writeFileSync(path("out", LIST_NAME), list.map((name) => `${name}\n`).join(""));
  chmodSync(path("out", LIST_NAME), mode);
  const left = () => names.filter((name) => existsSync(path("out", name)));
  return { ...tree, left };
}

describe("noteOutput", () => {
  it("adds a name that can be read, though the one before was written in part", () => {
    const { root, path, left } = project([]);
    writeFileSync(path("out", LIST_NAME), "tool_2020");
    inOutputs(root, (boundary, directory) => {
      noteOutput(boundary, directory, old);
    });
    removeIn(root);
    expect(left()).toEqual(names.slice(1));
  });
});

describe("removeOutputs", () => {
  it("removes old files of the list, and nothing else", () => {
    const { root, path, left } = project([old, recent, linked, directory, "../notes.txt", "tool_1.json"]);
    removeIn(root);
    expect(left()).toEqual(names.slice(1));
    expect(existsSync(path("notes.txt"))).toBe(true);
    expect(readFileSync(path("out", LIST_NAME), "utf8")).toBe(`${recent}\n`);
  });

  it("loses no name of a long list", () => {
    const gone = Array.from({ length: 40_000 }, (_, index) => `tool_20200101_000000_Glob_${index}.json`);
    const { root, path, left } = project([recent, ...gone, old, theirs]);
    const later = new Date("2022-01-01");
    utimesSync(path("out", theirs), later, later);
    removeIn(root);
    expect(left()).toEqual([recent, linked, directory, theirs]);
    expect(readFileSync(path("out", LIST_NAME), "utf8")).toBe(`${recent}\n${theirs}\n`);
  });

  it("does not touch a list that is longer than any store makes it", () => {
    const { root, path, left } = project(names);
    const size = 1024 ** 3;
    truncateSync(path("out", LIST_NAME), size);
    removeIn(root);
    expect(left()).toEqual(names);
    expect(statSync(path("out", LIST_NAME)).size).toBe(size);
  });

  it.each([
    ["of a mode that git can keep", 0o644],
    ["that others can write", 0o660],
  ])("does not trust a list %s", (_, mode) => {
    const { root, path, left } = project(names, mode);
    removeIn(root);
    expect(left()).toEqual(names);
    expect(readFileSync(path("out", LIST_NAME), "utf8")).toContain(old);
  });

  it("does not trust a list of another owner", async () => {
    const { root, path, left } = project(names);
    chmodSync(path("out", LIST_NAME), 0o600);
    restrict(path("out"), 0o777);
    await asNobody(() => {
      removeIn(root);
    });
    expect(left()).toEqual(names);
  });

  it("does not fail where it may not even look", () => {
    const { root, left } = project(names);
    const boundary = createBoundary({ projectRoot: root, usesProc: false });
    removeOutputs(boundary, { path: boundary.paths.place("gone"), descriptor: -1 }, BEFORE);
    expect(left()).toEqual(names);
  });
});
