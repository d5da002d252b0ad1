import { expect, it } from "vitest";
import * as protocol from "../src/index.ts";

it("exports exactly these names", () => {
  expect(Object.keys(protocol).sort()).toEqual([
    "ErrorCode",
    "ToolError",
    "abortedError",
    "asToolError",
    "assigned",
    "checkResponse",
    "createTruncator",
    "dataSchemas",
    "defineTool",
    "describeTool",
    "echo",
    "errorResponse",
    "escapeLine",
    "escapeText",
    "fromLegacy",
    "isConsequenceOfAbort",
    "isErrorCode",
    "isHighSurrogate",
    "isLowSurrogate",
    "isToolError",
    "listedName",
    "matchLines",
    "nameLookup",
    "namesFromText",
    "once",
    "parametersSchema",
    "parseParams",
    "readParams",
    "renderForModel",
    "toolResponseJsonSchema",
    "toolResponseSchema",
    "z",
  ]);
});
