import { fixture } from "@fstools/testing";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { brokenOrder } from "./broken-order.ts";
import { ORDER, UNORDERED } from "./order.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

describe("the packages", () => {
  // Rule: Inside a package no files or folders form a cycle, and imports point one way.
  it("have no cycle, and imports point one way", async () => {
    const packages = readdirSync(`${root}packages`).filter((name) => !UNORDERED.includes(name));
    expect(await brokenOrder({ root, packages, order: ORDER })).toEqual([]);
  });
});

describe("the check itself", () => {
  it("notices a cycle, an import that points upwards, and a folder without a place", async () => {
    const src = {
      low: {
        "one.ts": 'export { two } from "./two.ts";\nexport { high } from "../high/high.ts";\n',
        "two.ts": 'import type { one } from "./one.ts";\nexport const two: typeof one = 1;\n',
      },
      high: { "high.ts": "export const high = 1;\n" },
      new: { "new.ts": "export {};\n" },
      "index.ts": 'export { high } from "./high/high.ts";\n',
    };
    const tree = fixture({ packages: { a: { src } } });
    const root = `${tree.root}/`;
    const found = await brokenOrder({ root, packages: ["a"], order: { a: ["low", "high"] } });
    expect(found.toSorted()).toEqual([
      `${root}packages/a/src/new has no place`,
      "packages/a/src/low/one.ts imports packages/a/src/high/high.ts: upwards",
      "packages/a/src/low/one.ts imports packages/a/src/low/two.ts: a cycle",
    ]);
  });
});
