import { closestMatch } from "leven";
import { z } from "zod";
import { ToolError } from "./error.ts";
import { jsonCopy } from "./json-copy.ts";
import { parametersSchema } from "./json-schema.ts";
import { echo } from "./text.ts";

const MAX_EDIT_DISTANCE = 2;

/** What the caller passed, read exactly once. */
export interface GivenParams {
  /** For `context.params_input`. */
  readonly paramsInput: unknown;
  /** The own properties that are not `undefined`; missing if the parameters are no readable object. */
  readonly entries?: readonly (readonly [name: string, value: unknown])[];
}

/** How a tool's parameters are checked and explained. */
export interface ParamRules<Schema extends z.ZodObject> {
  /** The tool's name. */
  readonly name: string;
  /** The parameters; the message of each zod check becomes the error's message. */
  readonly input: Schema & z.ZodType<z.output<Schema>>;
  /** Wrong parameter name → the right one. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** What a call asks for. */
export interface ParsedParams<Schema extends z.ZodObject> {
  /** Checked, with defaults filled in. */
  readonly input: z.output<Schema>;
  /** What the caller gave, under proper names, in the schema's order, without defaults. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Reads a call's parameters; `null` and `undefined` act as an empty object. Never throws. */
export function readParams(params: unknown): GivenParams {
  if (params === null || params === undefined) return { paramsInput: {}, entries: [] };
  try {
    if (typeof params !== "object" || Array.isArray(params)) return { paramsInput: jsonCopy(params) };
    const entries = Object.entries(params).filter(([, value]) => value !== undefined);
    return { paramsInput: jsonCopy(Object.fromEntries(entries)), entries };
  } catch {
    return { paramsInput: jsonCopy(params) };
  }
}

/**
 * The tool's input, or the first thing that is wrong with it: known parameters in schema order, then unknown ones.
 * @throws ToolError INVALID_PARAM
 */
export function parseParams<Schema extends z.ZodObject>(
  given: GivenParams,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  const known = Object.keys(rules.input.shape);
  if (given.entries === undefined) throw notAnObject(rules);
  // Strict function calling sends null for what the model left out.
  const values = new Map(given.entries.filter(([, value]) => value !== null));
  const result = check(
    rules.input,
    [...values].filter(([name]) => known.includes(name)),
  );
  if (!result.success) throw invalid(firstIssue(result.error), values, rules);
  const unknown = given.entries.find(([name]) => !known.includes(name));
  if (unknown !== undefined) throw unknownParam(unknown[0], rules);
  const inOrder = known.filter((name) => values.has(name)).map((name) => [name, values.get(name)] as const);
  return { input: result.data, given: Object.fromEntries(inOrder) };
}

/**
 * zod measures whatever has a `length`, and throws where that is no number. What is wrong with such a value is its
 * type, which shows without its properties.
 */
function check<Schema extends z.ZodObject>(
  input: Schema,
  entries: readonly (readonly [string, unknown])[],
): z.ZodSafeParseResult<z.output<Schema>> {
  try {
    return z.safeParse(input, Object.fromEntries(entries));
  } catch (error) {
    const result = z.safeParse(
      input,
      Object.fromEntries(entries.map(([name, value]) => [name, withoutContent(value)])),
    );
    // It was something else.
    if (result.success) throw error;
    return result;
  }
}

function withoutContent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

interface Issue {
  readonly name: string;
  readonly place: string;
  readonly message: string;
}

// zod checks the properties in the order of the schema, and so are its issues.
function firstIssue({ issues: [first] }: z.ZodError): Issue {
  if (first === undefined) return { name: "", place: "", message: "Invalid parameters." };
  return { name: String(first.path[0] ?? ""), place: first.path.join("."), message: first.message };
}

function invalid(issue: Issue, values: ReadonlyMap<string, unknown>, rules: ParamRules<z.ZodObject>): ToolError {
  const { name, place, message } = issue;
  if (name !== "" && !values.has(name)) return missing(name, values, rules);
  const named = message.includes(name) ? message : `${place}: ${message}`;
  return new ToolError("INVALID_PARAM", named, { hint: correction(name, values.get(name), rules) });
}

function missing(name: string, values: ReadonlyMap<string, unknown>, rules: ParamRules<z.ZodObject>): ToolError {
  return new ToolError("INVALID_PARAM", `Missing required parameter '${name}'.`, {
    hint: misnamedHint(name, values, rules) ?? `Call ${rules.name} again with '${name}'${meaningOf(name, rules)}`,
  });
}

function misnamedHint(
  name: string,
  values: ReadonlyMap<string, unknown>,
  rules: ParamRules<z.ZodObject>,
): string | undefined {
  const known = Object.keys(rules.input.shape);
  const misnamed = [...values.keys()].find((given) => !known.includes(given) && meantParam(given, rules) === name);
  if (misnamed === undefined) return undefined;
  const { message, hint } = unknownParam(misnamed, rules);
  return `${message} ${hint}`;
}

function meaningOf(name: string, { input }: ParamRules<z.ZodObject>): string {
  const { description } = parametersSchema(input).properties[name] ?? {};
  return typeof description === "string" ? `: ${description}` : ".";
}

function correction(name: string, value: unknown, rules: ParamRules<z.ZodObject>): string {
  const { name: tool, input } = rules;
  if (name === "") return `Correct the parameters and call ${tool} again.`;
  const jsonSchema = parametersSchema(input);
  const passed = `You passed ${echo(JSON.stringify(jsonCopy(value) ?? null))}.`;
  const { default: preset = null } = jsonSchema.properties[name] ?? {};
  const optional = jsonSchema.required.includes(name)
    ? ""
    : ` or leave it out${preset === null ? "" : ` (default ${JSON.stringify(preset)})`}`;
  return `${passed} Correct '${name}'${optional}, and call ${tool} again.`;
}

function unknownParam(name: string, rules: ParamRules<z.ZodObject>): ToolError {
  const meant = meantParam(name, rules);
  const unknown = `Unknown parameter '${echo(name)}'.`;
  if (meant !== undefined) {
    return new ToolError("INVALID_PARAM", `${unknown} Did you mean '${meant}'?`, {
      hint: `Call ${rules.name} again with '${meant}' instead of '${echo(name)}'.`,
    });
  }
  return new ToolError("INVALID_PARAM", `${unknown} ${knownParams(rules)}`, {
    hint: `Call ${rules.name} again without '${echo(name)}'.`,
  });
}

function meantParam(name: string, { aliases = {}, input }: ParamRules<z.ZodObject>): string | undefined {
  const known = Object.keys(input.shape);
  const alias = aliases[name];
  if (alias !== undefined && known.includes(alias)) return alias;
  const options = { maxDistance: MAX_EDIT_DISTANCE };
  return closestMatch(name, known, options) ?? closestMatch(name.toLowerCase(), known, options);
}

function notAnObject(rules: ParamRules<z.ZodObject>): ToolError {
  return new ToolError("INVALID_PARAM", "Parameters must be an object.", {
    hint: `Call ${rules.name} again with a JSON object. ${knownParams(rules)}`,
  });
}

function knownParams({ name: tool, input }: ParamRules<z.ZodObject>): string {
  const known = Object.keys(input.shape);
  return known.length === 0 ? `${tool} takes no parameters.` : `Known parameters: ${known.join(", ")}.`;
}
