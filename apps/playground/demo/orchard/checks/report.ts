import assert from "node:assert/strict";
import { test } from "node:test";
import { countApples } from "../src/harvest.ts";
import { report } from "../src/report.ts";

test("counts apples only", () => {
  assert.equal(countApples(["apple", "pear", "apple"]), 2);
});

test("reports the price", () => {
  assert.equal(report(["apple", "apple"]), "2 apples: 1.20 euros");
});
