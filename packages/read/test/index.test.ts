import { expect, it } from "vitest";
import * as read from "../src/index.ts";

it("exports exactly this", () => {
  expect(Object.keys(read)).toEqual(["createReadTool", "readDefinition"]);
});
