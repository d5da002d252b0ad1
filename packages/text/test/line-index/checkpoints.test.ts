import { describe, expect, it } from "vitest";
import { createCheckpoints } from "../../src/line-index/scan.ts";

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
});
