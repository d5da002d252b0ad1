import { describe, expect, it } from "vitest";
import { createCheckpoints } from "../../src/line-index/checkpoints.ts";

const start = { byte: 0, line: 1, column: 1 };

describe("createCheckpoints", () => {
  it("finds the last checkpoint at or before a place", () => {
    const checkpoints = createCheckpoints(start, 10);
    checkpoints.offer({ byte: 10, line: 3, column: 1 });
    checkpoints.offer({ byte: 20, line: 3, column: 11 });
    checkpoints.offer({ byte: 30, line: 7, column: 1 });
    expect(checkpoints.before(1, 1).byte).toBe(0);
    expect(checkpoints.before(2, 999).byte).toBe(0);
    expect(checkpoints.before(3, 1).byte).toBe(10);
    expect(checkpoints.before(3, 10).byte).toBe(10);
    expect(checkpoints.before(3, 11).byte).toBe(20);
    expect(checkpoints.before(6, 1).byte).toBe(20);
    expect(checkpoints.before(100, 1).byte).toBe(30);
  });

  it("keeps none that is too near to the last", () => {
    const checkpoints = createCheckpoints(start, 10);
    checkpoints.offer({ byte: 9, line: 2, column: 1 });
    expect(checkpoints.before(2, 1)).toEqual(start);
  });

  it("stays bounded in a giant file, with wider gaps", () => {
    const checkpoints = createCheckpoints(start, 1, 8);
    for (let byte = 1; byte <= 1000; byte++) checkpoints.offer({ byte, line: byte + 1, column: 1 });
    const kept = new Set(Array.from({ length: 1001 }, (_, line) => checkpoints.before(line + 1, 1).byte));
    expect(kept.size).toBeLessThanOrEqual(8);
    expect(kept.size).toBeGreaterThanOrEqual(4);
    for (let line = 1; line <= 1001; line++) expect(checkpoints.before(line, 1).line).toBeLessThanOrEqual(line);
  });
});
