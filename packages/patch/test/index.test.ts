import { expect, it } from "vitest";
import * as exported from "../src/index.ts";

it("exports exactly what the package promises", () => {
  expect(Object.keys(exported).sort()).toEqual(["createPatchTool", "patchDefinition"]);
});
