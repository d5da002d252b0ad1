import { describe, expect, it } from "vitest";
import { createCheckpoints } from "../../src/line-index/checkpoints.ts";
import { createIndexCache } from "../../src/line-index/index-cache.ts";

const text = {
  encoding: "utf-8",
  index: { totalLines: 1, isFlawless: true, checkpoints: createCheckpoints({ byte: 0, line: 1, column: 1 }, 1) },
};
const version = { device: 1, inode: 2, size: 1000, mtimeMs: 60_000 };
const LATER = 120_000;

describe("createIndexCache", () => {
  it("knows the same version of a file again", () => {
    const cache = createIndexCache(10);
    cache.keep(version, undefined, text, LATER);
    expect(cache.get({ ...version }, undefined)).toBe(text);
  });

  it.each(["device", "inode", "size", "mtimeMs"] as const)("forgets a file whose %s changed", (field) => {
    const cache = createIndexCache(10);
    cache.keep(version, undefined, text, LATER);
    expect(cache.get({ ...version, [field]: version[field] + 1 }, undefined)).toBeUndefined();
  });

  it("keeps one index per encoding", () => {
    const cache = createIndexCache(10);
    cache.keep(version, "gb18030", text, LATER);
    expect(cache.get(version, undefined)).toBeUndefined();
    expect(cache.get(version, "big5")).toBeUndefined();
    expect(cache.get(version, "gb18030")).toBe(text);
  });

  it("keeps no index of a file that changed within the last 2 s", () => {
    const cache = createIndexCache(10);
    for (const mtimeMs of [LATER - 1999, LATER, LATER + 60_000]) {
      cache.keep({ ...version, mtimeMs }, undefined, text, LATER);
      expect(cache.get({ ...version, mtimeMs }, undefined)).toBeUndefined();
    }
    cache.keep({ ...version, mtimeMs: LATER - 2000 }, undefined, text, LATER);
    expect(cache.get({ ...version, mtimeMs: LATER - 2000 }, undefined)).toBe(text);
  });

  it("keeps no index of a small file", () => {
    const cache = createIndexCache(1000);
    cache.keep(version, undefined, text, LATER);
    expect(cache.get(version, undefined)).toBeUndefined();
  });

  it("is bounded", () => {
    const cache = createIndexCache(10);
    for (let inode = 0; inode < 100; inode++) cache.keep({ ...version, inode }, undefined, text, LATER);
    const kept = Array.from({ length: 100 }, (_, inode) => cache.get({ ...version, inode }, undefined));
    expect(kept.filter((found) => found !== undefined)).toHaveLength(32);
  });
});
