import { expect, it } from "vitest";
import * as api from "../src/index.ts";

it("exports createLsTool and nothing else", () => {
  expect(Object.keys(api)).toEqual(["createLsTool"]);
});
