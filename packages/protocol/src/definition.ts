import type * as z from "./zod.ts";
import type { ToolResponse } from "./envelope.ts";
import type { ErrorCode } from "./error.ts";
import { once } from "./once.ts";
import { hasAmong, type ParamRules } from "./params/explain.ts";
import { parametersSchema } from "./params/json-schema.ts";

/** What a call may be given besides its parameters. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the call belongs in a distributed trace (W3C Trace Context), for those who watch calls. */
  readonly traceparent?: string | undefined;
}

/** What a tool does to files: looks at them, or changes them. */
export type ToolEffect = "read" | "write";

/** What a model or a host knows about a tool before it is called; it needs no project. */
export interface ToolDefinition<Input = unknown> {
  readonly name: string;
  /** Its name for people, such as "Read file". */
  readonly title?: string | undefined;
  /** Written for the model that will call it. */
  readonly description: string;
  readonly inputSchema: z.ZodType<Input>;
  /** JSON Schema for function calling, made from `inputSchema` when it is first asked for. */
  readonly jsonSchema: object;
  readonly effect: ToolEffect;
  /** Other name → the parameter that it is taken for; another case of a name needs no entry. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
}

/** A tool that a model can call. */
export interface Tool<
  Input = unknown,
  Data extends object = object,
  Given = unknown,
  Stats extends object = object,
> extends ToolDefinition<Input> {
  /** Answers every call with an envelope, whatever parameters a model sends; never rejects. */
  run(params: unknown, options?: RunOptions): Promise<ToolResponse<Data, ErrorCode, Stats>>;
  /** The same for calls in code: the compiler checks the parameters. */
  call(params: Given, options?: RunOptions): Promise<ToolResponse<Data, ErrorCode, Stats>>;
}

/** Receives unexpected exceptions; the envelope says nothing about them. */
export type OnInternalError = (error: unknown, info: { readonly tool: string }) => void;

/** Receives what a host should know about how a tool works here; no model is told. */
export type OnWarning = (message: string, info: { readonly tool: string }) => void;

/** What a tool's own code gets besides its input. */
export interface ToolCall {
  readonly signal: AbortSignal;
  /** Whether the model has a tool of this name; hints name only such tools. */
  has(tool: string): boolean;
  /** Adds to the envelope's `context`, even if an error comes later. */
  note(context: Readonly<Record<string, unknown>>): void;
  /** Adds a line to the notes in `text`, once, even if an error comes later. */
  tell(line: string): void;
}

/** What a tool is, apart from any project. */
export interface ToolDescription<Schema extends z.ZodObject> extends ParamRules<Schema> {
  /** Its name for people, such as "Read file". */
  readonly title?: string;
  /** Written for the model; a function of the tools that it has, where the text speaks of others. */
  readonly description: string | ((has: (tool: string) => boolean) => string);
  /** One that writes keeps only the size of strings over 4 KiB in `params_input`, and reports even after an abort. */
  readonly effect?: ToolEffect;
}

/** The description from which {@link defineTool} makes a tool. */
export interface ToolSpec<
  Schema extends z.ZodObject,
  Data extends object,
  Stats extends object = object,
> extends ToolDescription<Schema> {
  /** `context.cwd`: POSIX, relative to the project root. @default "." */
  readonly cwd?: string;
  readonly onInternalError?: OnInternalError | undefined;
  /** Turns a lower layer's failure into this tool's own error; returns the failure itself if it has nothing to add. */
  readonly explain?: (error: unknown, input: z.output<Schema>, call: Pick<ToolCall, "has">) => unknown;
  /** The work; throws a ToolError when it fails, or `call.signal.reason` when it was aborted. */
  readonly run: (input: z.output<Schema>, call: ToolCall) => Promise<Outcome<Data, Stats>>;
}

/** A definition that can also be asked for as a model with fewer tools should read it. */
export interface DescribedTool<Input = unknown> extends ToolDefinition<Input> {
  /** The same for a model that has only these tools: the description speaks of no other. */
  among(siblings: readonly string[]): ToolDefinition<Input>;
}

/** Describes a tool without a project to use it on. */
export function describeTool<Schema extends z.ZodObject>(
  spec: ToolDescription<Schema>,
): DescribedTool<z.output<Schema>> {
  return Object.assign(definitionOf(spec, hasAmong(spec.siblings)), {
    among: (siblings: readonly string[]) => definitionOf(spec, hasAmong(siblings)),
  });
}

export function definitionOf<Schema extends z.ZodObject>(
  spec: ToolDescription<Schema>,
  has: ToolCall["has"],
): ToolDefinition<z.output<Schema>> {
  const { name, title, description, effect = "read", aliases = {}, unadvertised } = spec;
  const schema = once(() => parametersSchema(spec.input, unadvertised));
  return {
    name,
    title,
    description: typeof description === "string" ? description : description(has),
    get inputSchema() {
      return spec.input;
    },
    get jsonSchema() {
      return schema();
    },
    effect,
    aliases,
  };
}

/** One reason why an answer is partial, and what to call next. */
export interface Discount {
  /** Another page follows; something is missing; the result is of lower quality; nothing was done. */
  readonly label: "Truncated" | "Partial" | "Warning" | "Dry Run";
  /** "Showing first 50 matches." */
  readonly reason: string;
  /** "Narrow 'pattern' or 'path', or raise 'limit' (max 200)." */
  readonly next: string;
  /** Writes `next` below the bracketed line instead of inside it. @default false */
  readonly nextOnOwnLine?: boolean;
  /** The parameters that a definite next call changes (`undefined` drops one); becomes `context.next_call`. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** A deadline or an abort ended the work: only such an outcome is returned after an abort, without `next_call`. */
  readonly stoppedEarly?: boolean;
}

/** The result of a tool's work; `status` and `text` are derived from it. */
export interface Outcome<Data extends object, Stats extends object = object> {
  readonly data: Data;
  /** The first lines of `text`; `elapsedMs` is what `stats.time_ms` will say. */
  readonly summary: (elapsedMs: number) => readonly string[];
  /** Any discount makes the answer partial. */
  readonly discounts?: readonly Discount[];
  /** Lines after the discounts that do not make the answer partial. */
  readonly notes?: readonly string[];
  /** What follows after a blank line: entries, paths. */
  readonly body?: string;
  /** `time_ms` is added. */
  readonly stats?: Stats & Readonly<Record<string, number | string>>;
  /** The tool has its own pages, so that a truncator leaves the answer alone. @default false */
  readonly pagesItself?: boolean;
}
