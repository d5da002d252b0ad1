import { carrySchema, type CarriedSchema } from "./standard-schema.ts";

/**
 * A carried schema that MCP SDK 1 takes too: it knows zod only, and asks a zod schema for no more than this. The types are
 * as wide as they are because both SDKs write their own down.
 */
export interface McpSchema extends CarriedSchema {
  readonly _zod: {
    readonly def: { readonly type: "object"; readonly shape: Readonly<Record<string, never>> };
    readonly run: <Payload>(payload: Payload) => Payload;
    readonly toJSONSchema: () => Record<string, unknown>;
  };
}

/** Shows a JSON Schema to MCP clients, through either SDK, without letting the SDK check against it. */
export function carryMcpSchema(jsonSchema: object): McpSchema {
  return {
    ...carrySchema(jsonSchema),
    _zod: {
      def: { type: "object", shape: {} },
      run: (payload) => payload,
      toJSONSchema: () => structuredClone({ ...jsonSchema }),
    },
  };
}
