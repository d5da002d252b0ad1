import { expect, it } from "vitest";
import { parseOptions } from "../../src/bench/options.ts";

it("measures everything once unless told otherwise", () => {
  expect(parseOptions([])).toEqual({ quick: false, clean: false, docs: false, runs: 1, only: [] });
});

it("takes arguments also after pnpm's separator", () => {
  expect(parseOptions(["--", "--quick", "--runs", "3", "--only", "ls", "--only", "glob"])).toMatchObject({
    quick: true,
    runs: 3,
    only: ["ls", "glob"],
  });
});

it.each([["--fast"], ["--runs", "0"], ["--runs", "many"]])("refuses %s %s", (...argv) => {
  expect(() => parseOptions(argv)).toThrow();
});
