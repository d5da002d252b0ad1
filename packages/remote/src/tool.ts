import {
  abortedError,
  defineTool,
  echo,
  type ErrorCode,
  errorResponse,
  readParams,
  type RunOptions,
  type Tool,
  type ToolDefinition,
  ToolError,
  type ToolResponse,
  z,
} from "@fstools/protocol";
import type { Channel } from "./channel.ts";
import { type Expected, receiveEnvelope } from "./envelope.ts";
import { CallFailure, type Progress } from "./failure.ts";

/** A tool of this package's own, and what its answers hold. */
export interface RemoteTool extends Expected {
  readonly definition: ToolDefinition;
}

/** Longer than any tool works, and than a large file travels. */
const CALL_MS = 600_000;

/** The connection as it is now; makes a new one where the last one broke. */
export type Connect = () => Promise<Channel>;

/** Makes a tool whose work is done by the server at the other end; like every tool, it never rejects. */
export function createRemoteTool({ definition, ...expected }: RemoteTool, connect: Connect): Tool {
  const run = async (
    params: unknown,
    { signal, traceparent }: RunOptions = {},
  ): Promise<ToolResponse<object, ErrorCode>> => {
    const startedAt = performance.now();
    const given = readParams(params);
    // What is refused without asking the server is refused in the same words as by a local tool.
    if (given.entries === undefined) return refuse(definition, params);
    const shown = definition.effect === "write" ? readParams(params, { shortensStrings: true }) : given;
    let isSent = false;
    try {
      const input = typeof params === "string" ? Object.fromEntries(given.entries) : given.paramsInput;
      signal?.throwIfAborted();
      const channel = await untilAborted(connect(), signal);
      isSent = true;
      const call = {
        name: definition.name,
        arguments: input,
        ...(traceparent === undefined ? {} : { _meta: { traceparent } }),
      };
      const result = await channel.request("tools/call", call, { signal, timeoutMs: CALL_MS });
      const envelope = receiveEnvelope(result, expected);
      return { ...envelope, context: { ...envelope.context, params_input: shown.paramsInput } };
    } catch (error) {
      const context = {
        cwd: ".",
        params_input: shown.paramsInput,
        // As every answer of a tool that writes.
        ...(definition.effect === "write" ? { truncation_skip: true } : {}),
      };
      return errorResponse(asToolError(error, { definition, isSent, signal }), {
        context,
        elapsedMs: performance.now() - startedAt,
      });
    }
  };
  return { ...definition, run, call: run };
}

/** Settles as the promise does, or rejects as soon as the signal aborts. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(new Error("Aborted.", { cause: signal.reason }));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", onAbort);
    });
  });
}

/** A call that failed. */
interface FailedCall {
  readonly definition: ToolDefinition;
  /** Whether anything may have reached the server. */
  readonly isSent: boolean;
  readonly signal: AbortSignal | undefined;
}

function asToolError(error: unknown, { definition: { name, effect }, isSent, signal }: FailedCall): ToolError {
  const writes = effect === "write";
  const unknown = `The ${name} may have happened: look at the file before you repeat it.`;
  if (signal?.aborted === true) {
    const { code, message, hint } = abortedError(signal);
    return new ToolError(code, message, { hint: writes && isSent ? unknown : hint });
  }
  const { progress = isSent ? "lost" : "not_sent", message = "" } = error instanceof CallFailure ? error : {};
  const { sentence, next, mayHaveHappened } = FAILURES[progress];
  const consequence = mayHaveHappened ? unknown : `The ${name} did not happen. ${next}`;
  const [what = "", ...details] = [sentence, echo(message)].filter((part) => part !== "").map(asSentence);
  return new ToolError("EXECUTION_ERROR", what, {
    hint: [...details, writes ? consequence : next].join(" "),
    cause: error,
  });
}

/** What is said of a failed call, before and after its own reason. */
const FAILURES = {
  not_sent: { sentence: "The server cannot be reached.", next: "Repeat the call.", mayHaveHappened: false },
  closed: {
    sentence: "",
    next: "These tools cannot be used any more: tell the user.",
    mayHaveHappened: false,
  },
  refused: { sentence: "The server refused the call.", next: "Repeat the call.", mayHaveHappened: false },
  lost: { sentence: "The connection to the server was lost.", next: "Repeat the call.", mayHaveHappened: true },
  invalid: { sentence: "", next: "Try another call; if it fails too, tell the user.", mayHaveHappened: true },
} as const satisfies Record<Progress, object>;

function asSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

function refuse(definition: ToolDefinition, params: unknown): Promise<ToolResponse<object, ErrorCode>> {
  const { name, description, inputSchema, jsonSchema, effect } = definition;
  const input: z.ZodObject = inputSchema instanceof z.ZodObject ? inputSchema : z.strictObject({});
  const { properties = {} }: { readonly properties?: object } = jsonSchema;
  const unadvertised = Object.keys(input.shape).filter((parameter) => !(parameter in properties));
  const unexpected = new ToolError("INVALID_PARAM", "Parameters must be an object.", { hint: "Pass a JSON object." });
  return defineTool({ name, description, input, effect, unadvertised, run: () => Promise.reject(unexpected) }).run(
    params,
  );
}
