import { describe, expect, it } from "vitest";
import { costMs, fitCost, sizeWithin } from "../src/scale/cost-model.ts";
import { simulateFleet, type FleetOptions } from "../src/scale/fleet.ts";

const fleet = (options: Partial<FleetOptions>) =>
  simulateFleet({
    machines: 2,
    agents: 2,
    thinkMs: 1000,
    roundTripMs: 1,
    kinds: [{ serviceMs: 5, weight: 1 }],
    durationMs: 200_000,
    seed: 1,
    ...options,
  });

describe("the cost of a call", () => {
  const model = fitCost({
    points: [
      { size: 1000, medianMs: 3 },
      { size: 10_000, medianMs: 11 },
      { size: 1_000_000, medianMs: 1002 },
    ],
  });

  it("has a fixed part and grows with the input", () => {
    if (model === undefined) throw new Error("no model");
    expect(model).toEqual({ fixedMs: 2, perUnitMs: 0.001 });
    expect(costMs(model, 10_000_000)).toBe(10_002);
    expect(sizeWithin(model, 5002)).toBeCloseTo(5_000_000);
    expect(sizeWithin(model, 1)).toBe(0);
  });

  it("is unknown with one point", () => {
    expect(fitCost({ points: [{ size: 1, medianMs: 1 }] })).toBeUndefined();
  });
});

describe("the fleet", () => {
  it("comes out the same each time, and otherwise with another seed", () => {
    expect(fleet({ agents: 40 })).toEqual(fleet({ agents: 40 }));
    expect(fleet({ agents: 40 })).not.toEqual(fleet({ agents: 40, seed: 2 }));
  });

  it("waits for nobody where an agent has a server of its own", () => {
    const { medianMs, p99Ms, callsPerSecond, busy } = fleet({});
    expect([medianMs, p99Ms]).toEqual([expect.closeTo(6), expect.closeTo(6)]);
    // A call each 1,006 ms, on two machines.
    expect(callsPerSecond).toBeGreaterThan(1.7);
    expect(callsPerSecond).toBeLessThan(2.3);
    expect(busy).toBeCloseTo(0.005, 2);
  });

  it("answers what a server can, however many ask", () => {
    const { callsPerSecond, busy, medianMs } = fleet({ machines: 1, agents: 1000 });
    expect(busy).toBeGreaterThan(0.99);
    expect(callsPerSecond).toBeGreaterThan(195);
    expect(callsPerSecond).toBeLessThanOrEqual(200);
    expect(medianMs).toBeGreaterThan(3000);
  });

  it("lets a small call pass a large one", () => {
    const kinds = [
      { serviceMs: 1, weight: 97 },
      { serviceMs: 1000, weight: 3 },
    ];
    const { medianMs, p99Ms } = fleet({ machines: 1, agents: 20, kinds, durationMs: 2_000_000 });
    expect(medianMs).toBeLessThan(10);
    expect(p99Ms).toBeGreaterThan(1000);
  });
});
