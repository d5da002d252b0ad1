import { expect, it } from "vitest";
import * as text from "../src/index.ts";

it("exports exactly what the package promises", () => {
  expect(Object.keys(text).sort()).toEqual([
    "DEFAULT_SIZES",
    "FileShrankError",
    "createCheckpoints",
    "createTextReader",
    "fileChanged",
    "isKnownEncoding",
    "isUtf8Name",
  ]);
});
