import { describe, expect, it } from "vitest";
import { createChangeLog } from "../src/change-log.ts";

const version = { device: 1, inode: 2, size: 3, mtimeMs: 4 };

describe("createChangeLog", () => {
  it("tells of a change once", () => {
    const changes = createChangeLog();
    expect(changes.record("a", version)).toBe(false);
    expect(changes.record("a", version)).toBe(false);
    expect(changes.record("a", { ...version, size: 9 })).toBe(true);
    expect(changes.record("a", { ...version, size: 9 })).toBe(false);
    expect(changes.record("b", version)).toBe(false);
  });

  it.each(["device", "inode", "size", "mtimeMs"] as const)("takes another %s for a change", (field) => {
    const changes = createChangeLog();
    changes.record("a", version);
    expect(changes.record("a", { ...version, [field]: 99 })).toBe(true);
  });
});
