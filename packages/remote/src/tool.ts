import type { ErrorCode, RunOptions, Tool, ToolCategory, ToolDefinition, ToolResponse } from "@fstools/protocol";
import { abortedError, checkResponse, errorResponse, orAborted, parseParams, readParams } from "@fstools/protocol";
import { echo, escapeText, isErrorCode, isToolError, ToolError, toolResponseSchema, z } from "@fstools/protocol";
import type { Channel } from "./channel.ts";
import { CallFailure, type Progress } from "./message.ts";

export interface RemoteTool extends Expected {
  readonly definition: ToolDefinition;
}

/** Longer than any tool works, and than a large file travels. */
const CALL_MS = 600_000;

export type Connect = () => Promise<Channel>;

/** Makes a tool whose work is done by the server at the other end; like every tool, it never rejects. */
export function createRemoteTool({ definition, ...expected }: RemoteTool, connect: Connect): Tool {
  const writes = definition.effect === "write";
  const run = async (
    params: unknown,
    { signal, traceparent }: RunOptions = {},
  ): Promise<ToolResponse<object, ErrorCode>> => {
    const startedAt = performance.now();
    const given = readParams(params);
    const shown = writes ? readParams(params, { shortensStrings: true }) : given;
    let isSent = false;
    try {
      // What is refused without asking the server is refused in the same words as by a local tool.
      if (given.entries === undefined) parseParams(given, rulesOf(definition));
      const input = typeof params === "string" ? Object.fromEntries(given.entries ?? []) : given.paramsInput;
      signal?.throwIfAborted();
      const channel = await orAborted(connect(), signal);
      isSent = true;
      const meta = traceparent === undefined ? {} : { _meta: { traceparent } };
      const call = { name: definition.name, arguments: input, ...meta };
      const result = await channel.request("tools/call", call, { signal, timeoutMs: CALL_MS });
      const envelope = receiveEnvelope(result, expected);
      return { ...envelope, context: { ...envelope.context, params_input: shown.paramsInput } };
    } catch (error) {
      const elapsedMs = performance.now() - startedAt;
      // As every answer of a tool that writes.
      const skip = writes ? { truncation_skip: true } : {};
      const context = { cwd: ".", params_input: shown.paramsInput, ...skip };
      return errorResponse(asToolError(error, definition, isSent, signal), { context, elapsedMs });
    }
  };
  return { ...definition, run, call: run };
}

function rulesOf({ name, inputSchema, jsonSchema }: ToolDefinition) {
  const input: z.ZodObject = inputSchema instanceof z.ZodObject ? inputSchema : z.strictObject({});
  const { properties = {} }: { readonly properties?: object } = jsonSchema;
  return { name, input, unadvertised: Object.keys(input.shape).filter((parameter) => !(parameter in properties)) };
}

/** `isSent`: whether anything may have reached the server. */
function asToolError(
  error: unknown,
  { name, effect }: ToolDefinition,
  isSent: boolean,
  signal: AbortSignal | undefined,
): ToolError {
  const writes = effect === "write";
  const unknown = `The ${name} may have happened: look at the file before you repeat it.`;
  if (signal?.aborted === true) {
    const { code, message, hint } = abortedError(signal);
    return new ToolError(code, message, { hint: writes && isSent ? unknown : hint });
  }
  if (isToolError(error)) return error;
  const { progress = isSent ? "lost" : "not_sent", message = "" } = error instanceof CallFailure ? error : {};
  const { sentence, next, mayHaveHappened } = FAILURES[progress];
  const consequence = mayHaveHappened ? unknown : `The ${name} did not happen. ${next}`;
  const [what = "", ...details] = [sentence, echo(message)].filter((part) => part !== "").map(asSentence);
  return new ToolError("EXECUTION_ERROR", what, {
    hint: [...details, writes ? consequence : next].join(" "),
    cause: error,
  });
}

const FAILURES = {
  not_sent: { sentence: "The server cannot be reached.", next: "Repeat the call.", mayHaveHappened: false },
  closed: { sentence: "", next: "These tools cannot be used any more: tell the user.", mayHaveHappened: false },
  refused: { sentence: "The server refused the call.", next: "Repeat the call.", mayHaveHappened: false },
  lost: { sentence: "The connection to the server was lost.", next: "Repeat the call.", mayHaveHappened: true },
  invalid: { sentence: "", next: "Try another call; if it fails too, tell the user.", mayHaveHappened: true },
} as const satisfies Record<Progress, object>;

function asSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

/** More than any tool answers with; a hostile answer must not overwhelm a program that walks it. */
const MAX_VALUES = 200_000;
const MAX_DEPTH = 32;

export const NO_ENVELOPES = "The server sends no envelopes. Start it with --structured.";

const resultSchema = z.object({ structuredContent: z.unknown().optional() });

type Answer = ToolResponse<Record<string, unknown>, ErrorCode>;

interface Expected {
  readonly category: ToolCategory;
  /** The tools that the answer may name for the next call. */
  readonly nextTools: readonly string[];
}

/**
 * Takes an envelope from a server that is not trusted: it keeps every rule of the protocol, is of a reasonable size, its
 * texts hold no control characters, and it proposes no call that a host could not make as lightly as this one.
 * @throws CallFailure
 */
function receiveEnvelope(result: unknown, { category, nextTools }: Expected): Answer {
  const { structuredContent } = resultSchema.safeParse(result).data ?? {};
  if (structuredContent === undefined) throw new CallFailure("invalid", NO_ENVELOPES);
  if (!isBounded(structuredContent)) throw new CallFailure("invalid", "The server's answer is too large.");
  if (!isEnvelope(structuredContent)) throw new CallFailure("invalid", "The server's answer is not an envelope.");
  const [violation] = checkResponse(structuredContent, { category }).filter(({ severity }) => severity === "error");
  if (violation !== undefined) {
    throw new CallFailure("invalid", `The server's answer breaks the rule ${violation.rule}.`);
  }
  const { next_call: next, ...rest } = structuredContent.context;
  const context = next === undefined || nextTools.includes(next.tool) ? structuredContent.context : rest;
  const safe = { ...structuredContent, context, text: escapeLines(structuredContent.text) };
  return safe.status === "error"
    ? { ...safe, error: { ...safe.error, message: escapeText(safe.error.message) } }
    : safe;
}

function isEnvelope(value: unknown): value is Answer {
  const { data: envelope } = toolResponseSchema.safeParse(value);
  return envelope !== undefined && (envelope.status !== "error" || isErrorCode(envelope.error.code));
}

/** Line breaks are the text's own, and a line of a file may hold tabs. */
function escapeLines(text: string): string {
  return text.replaceAll(/[^\n\t]+/gu, escapeText);
}

/** Without recursion: a server could send a million brackets. */
function isBounded(root: unknown): boolean {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 0 }];
  let values = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    values += 1;
    const { value, depth } = next;
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
    if (typeof value === "object" && value !== null) {
      for (const item of Object.values(value)) open.push({ value: item, depth: depth + 1 });
    }
  }
  return true;
}
