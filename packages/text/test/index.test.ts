import { expect, it } from "vitest";
import * as text from "../src/index.ts";

it("exports exactly what the package promises", () => {
  expect(Object.keys(text).sort()).toEqual([
    "HEAD_BYTES",
    "TextError",
    "canEncode",
    "collectLines",
    "countCodePoints",
    "createLineMap",
    "createTextReader",
    "decodeText",
    "detectEncoding",
    "encodingNamed",
    "fileKind",
    "firstCodePoints",
    "isBinary",
    "isKnownEncoding",
    "isUtf8Name",
    "lineOfByte",
    "markedEncoding",
    "readHead",
    "scanText",
    "seekLine",
    "withoutCodePoints",
  ]);
});
