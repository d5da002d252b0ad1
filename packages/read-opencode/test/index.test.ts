import { expect, it } from "vitest";
import * as api from "../src/index.ts";

it("exports exactly this", () => {
  expect(Object.keys(api).sort()).toEqual([
    "AccessDeniedError",
    "BinaryFileError",
    "FileNotFoundError",
    "InvalidParamError",
    "OffsetOutOfRangeError",
    "OpencodeReadError",
    "ReadFailedError",
    "createOpencodeReadEnvelopeTool",
    "createOpencodeReadTool",
    "opencodeReadDefinition",
  ]);
});
