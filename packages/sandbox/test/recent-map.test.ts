import { describe, expect, it } from "vitest";
import { createRecentMap } from "../src/versions.ts";

describe("createRecentMap", () => {
  it("drops the least recently used entry", () => {
    const map = createRecentMap<number>(2);
    map.set("a", 1);
    map.set("b", 2);
    expect(map.get("a")).toBe(1);
    map.set("c", 3);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  });

  it("replaces a value without dropping another", () => {
    const map = createRecentMap<number>(2);
    map.set("a", 1);
    map.set("b", 2);
    map.set("a", 3);
    expect([map.get("a"), map.get("b")]).toEqual([3, 2]);
  });
});
