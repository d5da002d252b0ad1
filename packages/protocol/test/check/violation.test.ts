import { expect, it } from "vitest";
import { pointer, violation } from "../../src/check/violation.ts";

it("takes the severity from the rule", () => {
  expect(violation("envelope/status", "/status", "x").severity).toBe("error");
  expect(violation("error/nonstandard-code", "/error/code", "x").severity).toBe("warning");
});

it("writes JSON pointers", () => {
  expect(pointer()).toBe("");
  expect(pointer("data", "paths", 0)).toBe("/data/paths/0");
  expect(pointer("a/b", "c~d")).toBe("/a~1b/c~0d");
});
