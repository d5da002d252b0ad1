import { expect, it } from "vitest";
import { checkResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const cycle: Record<string, unknown> = {};
cycle.again = { cycle };
let deep: unknown = 1;
for (let level = 0; level < 100_000; level += 1) deep = [deep];
let graph: unknown = 1;
for (let level = 0; level < 60; level += 1) graph = [graph, graph];

it.each<[string, unknown, string, string]>([
  ["a BigInt", { n: 1n }, "/data/x/n", "a bigint"],
  ["a function", [found], "/data/x/0", "a function"],
  ["NaN", { n: NaN }, "/data/x/n", "NaN"],
  ["a hole in a list", [1, undefined], "/data/x/1", "undefined"],
  ["a cycle", cycle, "/data/x/again/cycle", "a cycle"],
  ["endless nesting", deep, `/data/x${"/0".repeat(498)}`, "more than 500 levels safely"],
])("reports %s", (_, x, path, what) => {
  expect(found(x)).toEqual([`envelope/not-json ${path} JSON cannot hold ${what}.`]);
});

it.each<[string, unknown]>([
  ["a property that JSON drops", { gone: undefined }],
  ["a date", new Date(0)],
  ["what writes itself", { toJSON: () => "x" }],
  ["shared objects", [cycle.none, graph].slice(1)],
])("accepts %s", (_, x) => {
  expect(found(x)).toEqual([]);
});

function found(x: unknown): string[] {
  const response = { ...ENVELOPES.edit, data: { applied: true, x } };
  return checkResponse(response).map(({ rule, path, message }) => `${rule} ${path} ${message}`);
}
