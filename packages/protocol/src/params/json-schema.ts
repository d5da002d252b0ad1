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
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input", override: clean });
  const schemas = Object.entries(properties).map(([name, schema]) => [name, isRecord(schema) ? schema : {}] as const);
  return { type: "object", properties: Object.fromEntries(schemas), required, additionalProperties: false };
}

/** The JSON Schema of what a zod schema gives, without its dialect. */
export function outputSchema(schema: z.ZodType): JsonSchema {
  const written = z.toJSONSchema(schema, { override: clean });
  delete written.$schema;
  return { ...written };
}

function clean({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  // z.int() writes the limits of a double's integers; they say nothing about the parameter.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  // `null` means "not given" for every parameter, so a schema need not offer it; also in the short form of the same.
  const { type, anyOf } = jsonSchema;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== "null");
    Object.assign(jsonSchema, { type: types.length === 1 ? types[0] : types });
  }
  const choices = anyOf?.filter((choice) => choice.type !== "null") ?? [];
  const [only] = choices;
  if (choices.length > 1) jsonSchema.anyOf = choices;
  if (choices.length !== 1) return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, only, { ...jsonSchema });
}
