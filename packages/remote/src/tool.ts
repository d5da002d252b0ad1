import {
  abortedError,
  defineTool,
  echo,
  type ErrorCode,
  errorResponse,
  readParams,
  type RunOptions,
  type Tool,
  type ToolCategory,
  type ToolDefinition,
  ToolError,
  type ToolResponse,
  z,
} from "@fstools/protocol";
import { type Channel, ChannelError } from "./channel/channel.ts";
import { type Answer, receiveEnvelope } from "./envelope.ts";

/** A tool of this package's own, and what its answers hold. */
export interface RemoteTool {
  readonly definition: ToolDefinition;
  readonly category: ToolCategory;
}

/** The connection as it is now; makes a new one where the last one broke. */
export type Connect = () => Promise<Channel>;

/** Makes a tool whose work is done by the server at the other end; like every tool, it never rejects. */
export function createRemoteTool({ definition, category }: RemoteTool, connect: Connect): Tool {
  const run = async (params: unknown, { signal }: RunOptions = {}): Promise<ToolResponse<object, ErrorCode>> => {
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
      const envelope = await call(channel, { definition, category }, input, signal);
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
  const { name, description, inputSchema, effect } = definition;
  return {
    name,
    description,
    inputSchema,
    get jsonSchema() {
      return definition.jsonSchema;
    },
    effect,
    run,
    call: run,
  };
}

async function call(
  channel: Channel,
  { definition, category }: RemoteTool,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const result = await channel.request("tools/call", { name: definition.name, arguments: input }, signal);
  const received = receiveEnvelope(result, category);
  if ("envelope" in received) return received.envelope;
  throw new ChannelError("lost", received.problem);
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
  const { progress = "not_sent", message = "" } = error instanceof ChannelError ? error : {};
  const sentence = SENTENCES[progress];
  const detail = message === "" ? "" : ` ${echo(message)}`;
  const safe = writes ? `The ${name} did not happen. Repeat the call.` : "Repeat the call.";
  return new ToolError("EXECUTION_ERROR", sentence, {
    hint: `${detail.trimStart()} ${writes && progress === "lost" ? unknown : safe}`.trimStart(),
    cause: error,
  });
}

const SENTENCES = {
  not_sent: "The server cannot be reached.",
  lost: "The connection to the server was lost.",
  refused: "The server refused the call.",
} as const;

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
