// Errors
export type { ErrorReport, NextCall, ToolErrorOptions } from "./error.ts";
export { ErrorCode, isErrorCode, isToolError, ToolError } from "./error.ts";

// The envelope
export type { CompletedResponse, FailedResponse, ToolContext, ToolFailure, ToolResponse } from "./envelope.ts";
export type { ToolStats, ToolStatus } from "./envelope.ts";
export { errorResponse, toolResponseJsonSchema, toolResponseSchema } from "./envelope.ts";

// Making tools
export * as z from "./zod.ts";
export { once } from "./once.ts";
export { assigned, countNewlines, echo, escapeLine, escapeText, listedName, listedNames } from "./text.ts";
export { namesFromText, withNotes } from "./text.ts";
export { isRecord } from "./json.ts";
export { abortedError, defineTool, isConsequenceOfAbort, orAborted } from "./tool.ts";
export type { DescribedTool, Discount, OnInternalError, OnWarning, Outcome, RunOptions, Tool } from "./definition.ts";
export type { ToolCall, ToolDefinition, ToolDescription, ToolEffect, ToolSpec } from "./definition.ts";
export { describeTool } from "./definition.ts";

// Making a tool that throws instead of answering with an envelope
export { parametersSchema, type ParametersSchema } from "./params/json-schema.ts";
export type { ParamRules } from "./params/explain.ts";
export { parseParams, readParams, type GivenParams, type ParsedParams } from "./params/read.ts";
export { asToolError, reportInternalError, type Reporter } from "./tool.ts";

// Characters
export { isHighSurrogate, isLowSurrogate } from "./text.ts";

// What `data` holds in each category of tools
export { dataSchemas, type ToolCategory, type TruncatedData, type Truncation } from "./data.ts";

// Pictures
export { IMAGE_LIMITS, imageSize } from "./image-size.ts";

// What a host does with answers
export { fromLegacy } from "./legacy.ts";
export { renderForModel, renderParts, type LineNumbers, type ModelPart, type RenderOptions } from "./view/render.ts";
export { matchLines, type ShownMatch } from "./view/list.ts";
export { createTruncator, type OutputStore, type Truncator, type TruncatorOptions } from "./truncate/truncator.ts";
export { checkResponse, type CheckOptions } from "./check/check-response.ts";
export type { Violation } from "./check/violation.ts";
