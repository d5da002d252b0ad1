import * as z from "../zod.ts";
import { isRecord } from "../json.ts";

/** A JSON Schema of an object, as function calling takes it. */
export interface ParametersSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A JSON Schema. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const schemas = new WeakMap<z.ZodObject, ParametersSchema>();

/** The JSON Schema of a tool's parameters, without what models stumble over or providers refuse. */
export function parametersSchema(input: z.ZodObject, unadvertised: readonly string[] = []): ParametersSchema {
  const schema = schemas.get(input) ?? makeSchema(input);
  schemas.set(input, schema);
  if (unadvertised.length === 0) return schema;
  const advertised = Object.entries(schema.properties).filter(([name]) => !unadvertised.includes(name));
  return { ...schema, properties: Object.fromEntries(advertised) };
}

function makeSchema(input: z.ZodObject): ParametersSchema {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  return {
    type: "object",
    properties: cleanEach(properties),
    required,
    additionalProperties: false,
  };
}

/** A JSON Schema without what models stumble over or providers refuse. */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  const cleaned: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(collapseNull(schema))) {
    if (keyword === "$schema" || isSafeIntegerBound(keyword, value)) continue;
    cleaned[keyword] = cleanKeyword(keyword, value);
  }
  return cleaned;
}

function cleanKeyword(keyword: string, value: unknown): unknown {
  if (keyword === "properties") return isRecord(value) ? cleanEach(value) : value;
  if (keyword === "items" || keyword === "additionalProperties") return isRecord(value) ? cleanSchema(value) : value;
  if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf" || keyword === "prefixItems") {
    return Array.isArray(value) ? value.map((item: unknown) => (isRecord(item) ? cleanSchema(item) : item)) : value;
  }
  return value;
}

function cleanEach(schemas: Readonly<Record<string, unknown>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isRecord(schema) ? cleanSchema(schema) : {}]),
  );
}

// `null` means "not given" for every parameter, so a schema need not offer it.
function collapseNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...siblings } = schema;
  if (!Array.isArray(anyOf)) return collapseNullType(schema);
  const choices = anyOf.filter(isRecord).filter(({ type }) => type !== "null");
  const [only] = choices;
  return choices.length === 1 ? { ...only, ...siblings } : { ...siblings, anyOf: choices };
}

// The short form of the same: `type: ["string", "null"]`.
function collapseNullType(schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.type)) return schema;
  const types = schema.type.filter((type: unknown) => type !== "null");
  return { ...schema, type: types.length === 1 ? types[0] : types };
}

// z.int() writes the limits of a double's integers; they say nothing about the parameter.
function isSafeIntegerBound(keyword: string, value: unknown): boolean {
  return (
    (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
    (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER)
  );
}
