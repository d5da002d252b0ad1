import { fixture, link } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { type Observation, observeAgreed } from "../../src/disk/observe.ts";

describe("observeAgreed", () => {
  const { root, path } = fixture({ dir: { "a.txt": "" }, link: link("dir"), loose: link("nowhere") });

  it("says what is at a path without links", () => {
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

  /** What comes of these observations, one after another, and how many of them it took. */
  function agreed(seen: readonly (Observation | undefined)[]) {
    let looks = 0;
    const look = (): Observation | undefined => seen[Math.min(looks++, seen.length - 1)];
    return { isAgreed: observeAgreed(root, root, look) !== undefined, looks };
  }

  // Rule: Without /proc, a path is looked at twice if nothing was renamed on its way for a second, else 17 times.
  it("looks until it is certain, and no difference passes", () => {
    const moving: Observation = { identities: "1:2", last: undefined, isSettled: false };
    const settled = { ...moving, isSettled: true };
    const other = { ...settled, identities: "1:3" };
    expect(agreed([settled])).toEqual({ isAgreed: true, looks: 2 });
    expect(agreed([moving])).toEqual({ isAgreed: true, looks: 17 });
    expect(agreed([moving, settled])).toEqual({ isAgreed: true, looks: 3 });
    expect(agreed([settled, other])).toEqual({ isAgreed: false, looks: 2 });
    expect(agreed([...Array.from({ length: 16 }, () => moving), other])).toEqual({ isAgreed: false, looks: 17 });
    expect(agreed([...Array.from({ length: 16 }, () => moving), undefined])).toEqual({ isAgreed: false, looks: 17 });
  });

  it("does not go up", () => {
    expect(observeAgreed(root, `${root}/dir/../dir/a.txt`)).toBeUndefined();
  });
});
