import { z } from "@fstools/protocol";
import { describe, expect, it } from "vitest";
import { changeParams, expectedVersion, HOST_PARAMS, isInState, stateOf } from "../../src/write/change-words.ts";

const schema = z.strictObject(changeParams());

describe("expectedVersion", () => {
  it("takes both or neither", () => {
    expect(expectedVersion({})).toBeUndefined();
    expect(expectedVersion({ expected_mtime_ms: 0, expected_size_bytes: 0 })).toEqual({ mtimeMs: 0, sizeBytes: 0 });
    for (const half of [{ expected_mtime_ms: 1 }, { expected_size_bytes: 1 }]) {
      expect(() => expectedVersion(half)).toThrow("must be given together");
    }
  });
});

describe("isInState", () => {
  it("compares whole milliseconds, as answers show them", () => {
    const version = { device: 1n, inode: 1n, size: 5n, mtimeNs: 1_999_999n, ctimeNs: 0n };
    expect(stateOf(version)).toEqual({ mtimeMs: 1, sizeBytes: 5 });
    expect(isInState({ mtimeMs: 1, size: 5 }, stateOf(version))).toBe(true);
    expect(isInState({ mtimeMs: 2, size: 5 }, stateOf(version))).toBe(false);
    expect(isInState({ mtimeMs: 1, size: 6 }, stateOf(version))).toBe(false);
  });
});

describe("stateOf", () => {
  it.each([
    [1_704_067_200_123_999_999n, 1_704_067_200_123],
    [1_000_000n, 1],
    [0n, 0],
    [-1n, -1],
    [-1_000_000n, -1],
    [-1_000_001n, -2],
  ])("rounds %i ns down to %i ms", (mtimeNs, mtimeMs) => {
    expect(stateOf({ device: 1n, inode: 1n, size: 0n, mtimeNs, ctimeNs: 0n }).mtimeMs).toBe(mtimeMs);
  });
});

describe("changeParams", () => {
  it.each([
    [{ dry_run: "x" }, "dry_run must be a boolean."],
    [{ expected_mtime_ms: 1.5 }, "expected_mtime_ms must be a whole number."],
    [{ expected_size_bytes: -1 }, "expected_size_bytes must be a whole number."],
  ])("%j: %s", (params, message) => {
    expect(z.safeParse(schema, params).error?.issues[0]?.message).toBe(message);
  });

  it("changes the file unless told otherwise, and keeps the version for hosts", () => {
    expect(z.safeParse(schema, {}).data).toEqual({ dry_run: false });
    expect(Object.keys(schema.shape).filter((name) => HOST_PARAMS.some((host) => host === name))).toEqual([
      ...HOST_PARAMS,
    ]);
  });
});
