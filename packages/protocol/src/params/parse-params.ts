import * as z from "../zod.ts";
import { echo } from "../text.ts";
import { parametersSchema } from "./json-schema.ts";
import { meantValue, type NamedValues, nameLookup, type NameLookup, nameValues } from "./meant-params.ts";
import {
  givenTwice,
  invalidParams,
  notAnObject,
  type ParamProblem,
  schemaProblem,
  TOO_LARGE,
  unknownParam,
} from "./param-problems.ts";
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
  /** What the caller gave, under proper names and types, in the schema's order, without defaults. */
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
  const known = Object.keys(rules.input.shape);
  const lookup = nameLookup(rules.aliases ?? {});
  const named = nameValues(given.entries, known, lookup);
  const notes = new Set(named.taken.map(([alias, name]) => takenNote(alias, name)));
  const inOrder = new Map(known.filter((name) => named.values.has(name)).map((name) => [name, named.values.get(name)]));
  const { values, result } = understand(inOrder, rules.input, lookup, notes);
  const unknown = rules.ignoresUnknown === true ? [] : named.unknown;
  if (!result.success || named.twice.length > 0 || unknown.length > 0) {
    throw invalidParams(problemsOf({ ...named, unknown }, result.error, rules));
  }
  return { input: result.data, given: Object.fromEntries(values), notes: [...notes] };
}

interface Understanding<Schema extends z.ZodObject> {
  readonly values: ReadonlyMap<string, unknown>;
  readonly result: z.ZodSafeParseResult<z.output<Schema>>;
}

/** The values as they stand if the schema accepts them, else as they were plainly meant. */
function understand<Schema extends z.ZodObject>(
  values: ReadonlyMap<string, unknown>,
  input: Schema,
  lookup: NameLookup,
  notes: Set<string>,
): Understanding<Schema> {
  try {
    const result = z.safeParse(input, Object.fromEntries(values));
    if (result.success) return { values, result };
    const { properties } = parametersSchema(input);
    const taken = (alias: string, name: string) => notes.add(takenNote(alias, name));
    const meant = new Map(
      [...values].map(([name, value]) => [name, meantValue(value, properties[name] ?? {}, lookup, taken)]),
    );
    return { values: meant, result: z.safeParse(input, Object.fromEntries(meant)) };
  } catch (error) {
    // zod measures whatever has a `length`, and throws where that is not a number; a value may throw by itself. What
    // is wrong with such a value is its type, which shows without its properties.
    const types = new Map([...values].map(([name, value]) => [name, withoutContent(value)]));
    const result = z.safeParse(input, Object.fromEntries(types));
    // It was something else.
    if (result.success) throw error;
    return { values, result };
  }
}

function withoutContent(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? [] : {};
}

function problemsOf(
  { values, twice, unknown }: NamedValues,
  error: z.ZodError | undefined,
  rules: ParamRules<z.ZodObject>,
): ParamProblem[] {
  const places = Object.keys(rules.input.shape);
  const known = [
    ...twice.map((names) => ({ place: places.indexOf(names[0]), ...givenTwice(names) })),
    ...(error?.issues ?? []).map((issue) => {
      const name = String(issue.path[0] ?? "");
      return { place: places.indexOf(name), ...schemaProblem(issue, values.get(name), rules) };
    }),
  ].sort((first, second) => first.place - second.place);
  const problems = [...known, ...unknown.map((name) => unknownParam(name, rules))];
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()];
}

function takenNote(alias: string, name: string): string {
  return `Note: '${echo(alias)}' was taken as '${name}'.`;
}
