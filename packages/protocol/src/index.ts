// Errors
export {
  ErrorCode,
  isErrorCode,
  isToolError,
  ToolError,
  type ErrorReport,
  type NextCall,
  type ToolErrorOptions,
} from "./error.ts";

// The envelope
export {
  errorResponse,
  toolResponseJsonSchema,
  toolResponseSchema,
  type CompletedResponse,
  type FailedResponse,
  type ToolContext,
  type ToolFailure,
  type ToolResponse,
  type ToolStats,
  type ToolStatus,
} from "./envelope.ts";

// Making tools
export * as z from "./zod.ts";
export { once } from "./once.ts";
export {
  assigned,
  countNewlines,
  echo,
  escapeLine,
  escapeText,
  listedName,
  listedNames,
  namesFromText,
  withNotes,
} from "./text.ts";
export { isRecord } from "./json.ts";
export { defineTool } from "./tool.ts";
export {
  describeTool,
  type DescribedTool,
  type Discount,
  type OnInternalError,
  type OnWarning,
  type Outcome,
  type RunOptions,
  type Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolDescription,
  type ToolEffect,
  type ToolSpec,
} from "./definition.ts";

// Making a tool that throws instead of answering with an envelope
export { parametersSchema, type ParametersSchema } from "./params/json-schema.ts";
export type { ParamRules } from "./params/explain.ts";
export { parseParams, readParams, type GivenParams, type ParsedParams } from "./params/read.ts";
export { abortedError, isConsequenceOfAbort, orAborted } from "./abort.ts";
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
export type { RuleId, Violation } from "./check/violation.ts";
