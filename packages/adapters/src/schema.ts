/** A JSON Schema as it goes over the wire. */
export type JsonSchema = Record<string, unknown>;

// What strict function calling understands and the model should see.
const KEPT =
  `type description enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern format minItems
  maxItems`.split(/\s+/u);
// What is put in the strict form below, or what strict function calling refuses and the tool checks itself.
const DROPPED = `$schema title examples default minLength maxLength uniqueItems properties required
  additionalProperties`.split(/\s+/u);

/** The form for strict function calling: all required, nullable where optional. @throws Error for a keyword that it cannot express */
export function toStrictSchema(schema: object): JsonSchema {
  if (!("type" in schema)) throw new Error("Strict function calling wants a 'type'.");
  const strict: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "items") strict.items = toStrictSchema(asSchema(value));
    else if (KEPT.includes(keyword)) strict[keyword] = value;
    // An object whose keys are not known beforehand, such as a record.
    else if (!DROPPED.includes(keyword) || (keyword === "additionalProperties" && value !== false)) {
      throw new Error(`Strict function calling has no '${keyword}'.`);
    }
  }
  if (schema.type === "object" || "properties" in schema) Object.assign(strict, strictProperties(schema));
  return "default" in schema && schema.default !== null ? withDefault(strict, schema.default) : strict;
}

function strictProperties(schema: object): JsonSchema {
  const properties = "properties" in schema ? asSchema(schema.properties) : {};
  const required = "required" in schema && Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(properties).map(([name, property]) => {
    const strict = toStrictSchema(asSchema(property));
    return [name, required.includes(name) ? strict : nullable(strict)] as const;
  });
  return {
    properties: Object.fromEntries(entries),
    required: entries.map(([name]) => name),
    additionalProperties: false,
  };
}

function nullable({ const: only, ...schema }: JsonSchema): JsonSchema {
  const withNull = { ...schema, type: including("null", schema.type) };
  const values = only === undefined ? schema.enum : [only];
  return values === undefined ? withNull : { ...withNull, enum: including(null, values) };
}

function including(added: unknown, values: unknown): unknown[] {
  const list: unknown[] = Array.isArray(values) ? values : [values];
  return list.includes(added) ? list : [...list, added];
}

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  const described = typeof schema.description === "string" ? schema.description : "";
  if (/\bdefaults?\b/iu.test(described)) return schema;
  return { ...schema, description: `${described} Default: ${JSON.stringify(value)}.`.trimStart() };
}

function asSchema(value: unknown): object {
  if (typeof value === "object" && value !== null) return value;
  throw new Error(`Strict function calling wants a schema here, got ${JSON.stringify(value)}.`);
}

/** A Standard Schema that shows a JSON Schema to the model, but leaves the check to the tool, whose message names the right parameter. */
export function carrySchema(jsonSchema: object) {
  // A copy for each caller: SDKs complete the schema in place.
  const copy = (): JsonSchema => structuredClone({ ...jsonSchema });
  const validate = (value: unknown) => ({ value });
  const jsonSchemas = { input: copy, output: copy };
  return { "~standard": { version: 1, vendor: "fstools", validate, jsonSchema: jsonSchemas } } as const;
}

/** For MCP SDK 1 too, which asks a zod schema for no more than this; as wide as both SDKs write their types down. */
export interface McpSchema extends ReturnType<typeof carrySchema> {
  readonly _zod: {
    readonly def: { readonly type: "object"; readonly shape: Readonly<Record<string, never>> };
    readonly run: <Payload>(payload: Payload) => Payload;
    readonly toJSONSchema: () => Record<string, unknown>;
  };
}

/** Shows a JSON Schema to MCP clients, through either SDK, without letting the SDK check against it. */
export function carryMcpSchema(jsonSchema: object): McpSchema {
  const carried = carrySchema(jsonSchema);
  const { input } = carried["~standard"].jsonSchema;
  return { ...carried, _zod: { def: { type: "object", shape: {} }, run: (payload) => payload, toJSONSchema: input } };
}
