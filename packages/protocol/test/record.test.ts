import { expect, it } from "vitest";
import { isRecord } from "../src/record.ts";

it.each<[unknown, boolean]>([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  ["x", false],
  [undefined, false],
])("isRecord(%o) is %s", (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});
