import { expect, it } from "vitest";
import * as protocol from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(protocol).sort()).toEqual([
    "ErrorCode",
    "ToolError",
    "abortedError",
    "asToolError",
    "checkResponse",
    "createTruncator",
    "dataSchemas",
    "defineTool",
    "echo",
    "escapeText",
    "fromLegacy",
    "isConsequenceOfAbort",
    "isToolError",
    "parametersSchema",
    "parseParams",
    "readParams",
    "renderForModel",
    "toolResponseSchema",
  ]);
});
