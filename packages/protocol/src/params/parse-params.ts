import * as z from "../zod.ts";
import { meantParams } from "./meant-params.ts";
import { invalidParams, notAnObject, TOO_LARGE } from "./param-problems.ts";
import type { GivenParams } from "./read-params.ts";

/** How a tool's parameters are checked and explained. */
export interface ParamRules<Schema extends z.ZodObject> {
  /** The tool's name. */
  readonly name: string;
  /** The parameters; the message of each zod check becomes the error's message. */
  readonly input: Schema & z.ZodType<z.output<Schema>>;
  /** Other name → the parameter that it is taken for; another case of a name needs no entry. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** A name that models try, but that is not a parameter → what to do instead, as a sentence. */
  readonly notParameters?: Readonly<Record<string, string | ((has: (tool: string) => boolean) => string)>>;
  /**
   * Parameters that are accepted, but left out of the JSON Schema: they are for hosts, not for models.
   * @default []
   */
  readonly unadvertised?: readonly string[];
  /**
   * The names of the tools that the model has.
   * @default every tool
   */
  readonly siblings?: readonly string[] | undefined;
  /**
   * Ignores unknown parameters instead of refusing them.
   * @default false
   */
  readonly ignoresUnknown?: boolean;
}

/** What a call asks for. */
export interface ParsedParams<Schema extends z.ZodObject> {
  /** Checked, with defaults filled in. */
  readonly input: z.output<Schema>;
  /** What the caller gave, under the right names and types, in the schema's order, without defaults. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What was taken for what. */
  readonly notes: readonly string[];
}

/**
 * The tool's input, understood as it was plainly meant.
 * @throws ToolError INVALID_PARAM that names everything that is wrong: known parameters in schema order, then unknown ones
 */
export function parseParams<Schema extends z.ZodObject>(
  given: GivenParams,
  rules: ParamRules<Schema>,
): ParsedParams<Schema> {
  if (given.isTooLarge === true) throw invalidParams([TOO_LARGE]);
  if (given.entries === undefined) throw invalidParams([notAnObject(rules)]);
  return exactParams(given.entries, rules.input) ?? meantParams(given.entries, rules);
}

/** The input of a call that is right as it is, as most are; undefined if it needs a closer look. */
function exactParams<Schema extends z.ZodObject>(
  entries: NonNullable<GivenParams["entries"]>,
  input: ParamRules<Schema>["input"],
): ParsedParams<Schema> | undefined {
  if (!entries.every(([name]) => Object.hasOwn(input.shape, name))) return undefined;
  const given: Record<string, unknown> = {};
  for (const known of Object.keys(input.shape)) {
    const [, value = null] = entries.find(([name]) => name === known) ?? [];
    if (value !== null) given[known] = value;
  }
  try {
    const result = z.safeParse(input, given);
    return result.success ? { input: result.data, given, notes: [] } : undefined;
  } catch {
    // A value that throws when it is looked at.
    return undefined;
  }
}
