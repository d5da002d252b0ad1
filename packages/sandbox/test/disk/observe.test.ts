import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { observeAgreed } from "../../src/disk/observe.ts";

describe("observeAgreed", () => {
  const { root, path } = fixture({ dir: { "a.txt": "" }, link: link("dir"), loose: link("nowhere") });

  it("tells what stands at a path without links", () => {
    expect(observeAgreed(root, path("dir/a.txt"))?.last?.isFile()).toBe(true);
    expect(observeAgreed(root, path("dir"))?.last?.isDirectory()).toBe(true);
    expect(observeAgreed(root, "/")?.last?.isDirectory()).toBe(true);
  });

  it.each(["missing", "dir/missing", "missing/deep"])("tells that %s is missing", (name) => {
    expect(observeAgreed(root, path(name))).toMatchObject({ last: undefined });
  });

  it.each(["link", "link/a.txt", "loose", "loose/x"])("tells nothing about %s, which leads through a link", (name) => {
    expect(observeAgreed(root, path(name))).toBeUndefined();
  });

  it("does not go up", () => {
    expect(observeAgreed(root, `${root}/dir/../dir/a.txt`)).toBeUndefined();
  });
});
