/** A JSON Schema as it goes over the wire. */
export type JsonSchema = Record<string, unknown>;

/** What strict function calling understands and the model should see. */
const KEPT = new Set([
  "type",
  "description",
  "enum",
  "const",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "pattern",
  "format",
  "minItems",
  "maxItems",
]);

/** What strict function calling refuses, and the tool checks or knows by itself. */
const DROPPED = new Set([
  "$schema",
  "title",
  "examples",
  "default",
  "minLength",
  "maxLength",
  "uniqueItems",
  "required",
  "additionalProperties",
]);

/**
 * Turns a JSON Schema into the form that strict function calling asks for: every property required, nothing else
 * allowed, and an optional property nullable instead (fstools tools take `null` as "not given"). A default moves into
 * the description.
 * @throws Error for a keyword that strict mode cannot express
 */
export function toStrictSchema(schema: object): JsonSchema {
  const strict: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "properties") Object.assign(strict, strictProperties(schema, asSchema(value)));
    else if (keyword === "items") strict.items = toStrictSchema(asSchema(value));
    else if (KEPT.has(keyword)) strict[keyword] = value;
    else if (!DROPPED.has(keyword)) throw new Error(`Strict function calling has no '${keyword}'.`);
  }
  return "default" in schema && schema.default !== null ? withDefault(strict, schema.default) : strict;
}

function strictProperties(schema: object, properties: object): JsonSchema {
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

function nullable(schema: JsonSchema): JsonSchema {
  const withNull = { ...schema, type: including("null", schema.type) };
  return schema.enum === undefined ? withNull : { ...withNull, enum: including(null, schema.enum) };
}

function including(added: unknown, values: unknown): unknown[] {
  const list: unknown[] = Array.isArray(values) ? values : [values];
  return list.includes(added) ? list : [...list, added];
}

function withDefault(schema: JsonSchema, value: unknown): JsonSchema {
  const description = typeof schema.description === "string" ? `${schema.description} ` : "";
  return { ...schema, description: `${description}Default: ${JSON.stringify(value)}.` };
}

function asSchema(value: unknown): object {
  if (typeof value === "object" && value !== null) return value;
  throw new Error(`Strict function calling wants a schema here, got ${JSON.stringify(value)}.`);
}
