import { describe, expect, it } from "vitest";
import { encodingNamed } from "../../src/encoding/text-encoding.ts";
import { createIndexCache, type TextIndex } from "../../src/line-index/scan.ts";

const found: TextIndex = { totalLines: 1, isFlawless: true, checkpoints: [{ byte: 0, line: 1, column: 1 }] };
const text = {
  encodingName: "utf-8",
  encoding: await encodingNamed("utf-8", new Uint8Array()),
  found,
};
const version = { device: 1n, inode: 2n, size: 1000n, mtimeNs: 60_000_000_000n, ctimeNs: 60_000_000_000n };
const file = { size: 1000, mtimeMs: 60_000, version };
const LATER = 120_000;

describe("createIndexCache", () => {
  it("recognises the same version of a file", () => {
    const cache = createIndexCache(10);
    cache.keep(file, undefined, text, LATER);
    expect(cache.get({ ...file, version: { ...version } }, undefined)).toBe(text);
  });

  // Rule: The index is keyed by device, inode, size and mtime, and dropped when the file changes.
  it.each(["device", "inode", "size", "mtimeNs", "ctimeNs"] as const)("forgets a file whose %s changed", (field) => {
    const cache = createIndexCache(10);
    cache.keep(file, undefined, text, LATER);
    expect(cache.get({ ...file, version: { ...version, [field]: version[field] + 1n } }, undefined)).toBeUndefined();
  });

  it("keeps one index per encoding", () => {
    const cache = createIndexCache(10);
    cache.keep(file, "gb18030", text, LATER);
    expect(cache.get(file, undefined)).toBeUndefined();
    expect(cache.get(file, "big5")).toBeUndefined();
    expect(cache.get(file, "gb18030")).toBe(text);
  });

  // Rule: No index of a file changed within the last 2 s.
  it("keeps no index of a file that changed within the last 2 s", () => {
    const cache = createIndexCache(10);
    for (const mtimeMs of [LATER - 1999, LATER, LATER + 60_000]) {
      cache.keep({ ...file, mtimeMs }, undefined, text, LATER);
      expect(cache.get({ ...file, mtimeMs }, undefined)).toBeUndefined();
    }
    cache.keep({ ...file, mtimeMs: LATER - 2000 }, undefined, text, LATER);
    expect(cache.get({ ...file, mtimeMs: LATER - 2000 }, undefined)).toBe(text);
  });

  it("keeps no index of a small file", () => {
    const cache = createIndexCache(1000);
    cache.keep(file, undefined, text, LATER);
    expect(cache.get(file, undefined)).toBeUndefined();
  });

  it("is bounded", () => {
    const cache = createIndexCache(10);
    const numbered = (inode: number) => ({ ...file, version: { ...version, inode: BigInt(inode) } });
    for (let inode = 0; inode < 100; inode++) cache.keep(numbered(inode), undefined, text, LATER);
    const kept = Array.from({ length: 100 }, (_, inode) => cache.get(numbered(inode), undefined));
    expect(kept.filter((found) => found !== undefined)).toHaveLength(32);
  });
});
