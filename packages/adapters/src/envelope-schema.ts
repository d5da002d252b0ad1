/** The envelope as a JSON Schema whose root is an object, which is what MCP asks of an `outputSchema`. */
export const ENVELOPE_SCHEMA = {
  type: "object",
  properties: {
    status: {
      type: "string",
      enum: ["success", "partial", "error"],
      description: "How the call went: as asked, with something left out, or not at all.",
    },
    data: { type: "object", description: "The tool's result; {} on most errors." },
    text: { type: "string", minLength: 1, description: "Summary for the model: what was done and what to call next." },
    error: {
      type: "object",
      description: "Present only when status is error.",
      properties: { code: { type: "string", minLength: 1 }, message: { type: "string", minLength: 1 } },
      required: ["code", "message"],
      additionalProperties: false,
    },
    stats: {
      type: "object",
      properties: { time_ms: { type: "integer", minimum: 0 } },
      required: ["time_ms"],
      additionalProperties: { type: ["number", "string"] },
    },
    context: {
      type: "object",
      properties: {
        cwd: { type: "string", minLength: 1, description: "Relative to the project root." },
        params_input: { description: "The parameters as they came in." },
        path_resolved: { type: "string", description: "Relative to the project root." },
        truncation_skip: { type: "boolean" },
      },
      required: ["cwd", "params_input"],
    },
  },
  required: ["status", "data", "text", "stats", "context"],
  additionalProperties: false,
} as const;
