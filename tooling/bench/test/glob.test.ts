import { expect, it } from "vitest";
import { inWalkOrder } from "../src/rows/glob.ts";

it("sorts paths as a walk meets them: a directory's files first, then its directories, by code point", () => {
  const walk = ["B.ts", "a.ts", "é.ts", "a/z.ts", "a/a/x.ts", "a-b/x.ts", "b/x.ts"];
  const sorted = walk.toReversed().toSorted(inWalkOrder);
  expect(sorted).toEqual(["B.ts", "a.ts", "é.ts", "a/z.ts", "a/a/x.ts", "a-b/x.ts", "b/x.ts"]);
});
