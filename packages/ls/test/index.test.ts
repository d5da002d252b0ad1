import { expect, it } from "vitest";
import * as api from "../src/index.ts";

it("exports the tool, its definition and nothing else", () => {
  expect(Object.keys(api).sort()).toEqual(["createLsTool", "lsDefinition"]);
});
