import { expect, it } from "vitest";
import { parseOptions } from "../src/options.ts";

it("draws a seed unless told one", () => {
  expect(parseOptions([])).toMatchObject({ minutes: undefined, short: false, mutants: false, only: [] });
  expect(parseOptions([]).seed).not.toBe("");
  expect(parseOptions(["--", "--seed", "7", "--minutes", "0.5"])).toMatchObject({ seed: "7", minutes: 0.5 });
});

it.each([["--fast"], ["--docs", "--short"], ["--minutes", "0"], ["--minutes", "soon"]])("refuses %s %s", (...argv) => {
  expect(() => parseOptions(argv)).toThrow();
});
