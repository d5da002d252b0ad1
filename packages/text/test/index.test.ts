import { expect, it } from "vitest";
import * as text from "../src/index.ts";

it("exports exactly what the package promises", () => {
  expect(Object.keys(text).sort()).toEqual([
    "HEAD_BYTES",
    "TextError",
    "canEncode",
    "collectLines",
    "countCodePoints",
    "countLines",
    "createLineMap",
    "createTextReader",
    "decodeText",
    "detectEncoding",
    "encodingNamed",
    "encodingParam",
    "fileKind",
    "firstCodePoints",
    "heldInMemory",
    "isBinary",
    "isKnownEncoding",
    "isUtf8Name",
    "markedEncoding",
    "withoutCodePoints",
  ]);
});
