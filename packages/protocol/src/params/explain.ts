import { closestMatch } from "leven";
import type * as z from "../zod.ts";
import { ToolError } from "../error.ts";
import { jsonCopy } from "../json.ts";
import { echo, withHint } from "../text.ts";
import { parametersSchema } from "./json-schema.ts";

const MAX_EDIT_DISTANCE = 2;
const MAX_PROBLEMS = 10;
const WORDS_OF_ZOD = /^(?:Invalid (?:input|option|string|number|key|element)\b|Too (?:big|small): )/u;
const NOT_IN_NAMES = /[^\p{L}\p{N}_-]+/u;

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
  /** Parameters that are accepted, but left out of the JSON Schema: they are for hosts, not for models. @default [] */
  readonly unadvertised?: readonly string[];
  /** The names of the tools that the model has. @default every tool */
  readonly siblings?: readonly string[] | undefined;
  /** Ignores unknown parameters instead of refusing them. @default false */
  readonly ignoresUnknown?: boolean;
}

type Rules = ParamRules<z.ZodObject>;

export interface ParamProblem {
  readonly message: string;
  /** What to pass instead. */
  readonly remedy: string;
}

/** A name as it is compared: `startLine`, `START_LINE` and `start-line` are equal. */
export function looseName(name: string): string {
  return name.replaceAll(/[_-]/gu, "").toLowerCase();
}

export function takenNote([alias, name]: readonly [alias: string, name: string]): string {
  return `Note: '${echo(alias)}' was taken as '${name}'.`;
}

/** The error for a call with these problems: its message is the first one, its text has all of them, and then the notes. */
export function invalidParams(problems: readonly ParamProblem[], notes: readonly string[] = []): ToolError {
  const [first = { message: "Invalid parameters.", remedy: "Correct them." }, ...others] = problems;
  const shown = others.slice(0, MAX_PROBLEMS - 1).map(({ message, remedy }) => withHint(message, remedy));
  const more = others.length - shown.length;
  const hint = [first.remedy, ...shown, ...(more > 0 ? [`(${more} more problems.)`] : []), ...notes].join("\n");
  return new ToolError("INVALID_PARAM", first.message, { hint });
}

/** What the schema found wrong with `value`, which the caller passed. */
export function schemaProblem(issue: z.core.$ZodIssue, value: unknown, rules: Rules): ParamProblem {
  const name = String(issue.path[0] ?? "");
  if (value === undefined) {
    const { description } = parametersSchema(rules.input).properties[name] ?? {};
    const remedy = `Pass '${name}'${typeof description === "string" ? `: ${description}` : "."}`;
    return { message: `Missing required parameter '${name}'.`, remedy };
  }
  const place = issue.path.map((part) => echo(String(part))).join(".");
  if (issue.code === "unrecognized_keys") {
    const message = `Unknown parameter '${echo(issue.keys[0] ?? "")}' in ${place}.`;
    return { message, remedy: correction(name, value, rules) };
  }
  // A schema's own sentence may name its parameter; zod's never do, though "input" and "number" are words of them.
  const isNamed = !WORDS_OF_ZOD.test(issue.message) && issue.message.split(NOT_IN_NAMES).includes(name);
  const message = isNamed ? issue.message : `${place}: ${issue.message}`;
  const isShown = typeof value === "string" && message.includes(`'${echo(value)}'`);
  return { message, remedy: isShown ? advice(name, rules) : correction(name, value, rules) };
}

export function givenTwice([name, first, second]: readonly [string, string, string]): ParamProblem {
  return {
    message: `${name} is given twice, as '${echo(first)}' and as '${echo(second)}'.`,
    remedy: `Pass '${name}' alone.`,
  };
}

export function unknownParam(name: string, rules: Rules): ParamProblem {
  const unknown = `Unknown parameter '${echo(name)}'.`;
  const remedy = `Leave '${echo(name)}' out.`;
  const known = Object.entries(rules.notParameters ?? {});
  const [, instead] = known.find(([other]) => looseName(other) === looseName(name)) ?? [];
  if (instead !== undefined) {
    const sentence = typeof instead === "string" ? instead : instead(hasAmong(rules.siblings));
    return { message: `${unknown} ${sentence}`, remedy };
  }
  const closest = (written: string) => closestMatch(written, advertised(rules), { maxDistance: MAX_EDIT_DISTANCE });
  const meant = closest(name) ?? closest(name.toLowerCase());
  if (meant === undefined) return { message: `${unknown} ${knownParams(rules)}`, remedy };
  return { message: `${unknown} Did you mean '${meant}'?`, remedy: `Pass '${meant}' instead of '${echo(name)}'.` };
}

export function notAnObject(rules: Rules): ParamProblem {
  return { message: "Parameters must be an object.", remedy: `Pass a JSON object. ${knownParams(rules)}` };
}

/** Whether the model has a tool; a host that does not say which ones it offers is taken to have all. */
export function hasAmong(siblings: readonly string[] | undefined): (tool: string) => boolean {
  return (tool) => siblings?.includes(tool) ?? true;
}

function correction(name: string, value: unknown, rules: Rules): string {
  const short = jsonCopy(value, { maxValues: 200, shorten: (text) => text.slice(0, 200) });
  return `You passed ${echo(JSON.stringify(short ?? null))}. ${advice(name, rules)}`;
}

function advice(name: string, { input }: Rules): string {
  const { properties, required } = parametersSchema(input);
  const { default: preset = null } = properties[name] ?? {};
  if (required.includes(name)) return `Correct '${name}'.`;
  return `Correct '${name}' or leave it out${preset === null ? "" : ` (default ${JSON.stringify(preset)})`}.`;
}

function knownParams(rules: Rules): string {
  const known = advertised(rules);
  return known.length === 0 ? `${rules.name} takes no parameters.` : `Known parameters: ${known.join(", ")}.`;
}

function advertised({ input, unadvertised = [] }: Rules): string[] {
  return Object.keys(input.shape).filter((name) => !unadvertised.includes(name));
}
