import { expect, it } from "vitest";
import * as api from "../src/index.ts";

it("exports createGlobTool and nothing else", () => {
  expect(Object.keys(api)).toEqual(["createGlobTool"]);
});
