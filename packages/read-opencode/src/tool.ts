import {
  abortedError,
  asToolError,
  ErrorCode,
  isConsequenceOfAbort,
  parametersSchema,
  parseParams,
  readParams,
  type RunOptions,
} from "@fstools/protocol";
import type { z } from "zod";
import { description } from "./description.ts";
import { InvalidParamError, OpencodeReadError, ReadFailedError } from "./errors.ts";
import { formatResult, type OpencodeReadResult } from "./format.ts";
import { ALIASES, createParams, type OpencodeReadParams } from "./params.ts";
import { createReader, type OpencodeReadOptions } from "./reader.ts";

/** opencode's read tool: it resolves with opencode's result and throws its errors. */
export interface OpencodeReadTool {
  readonly id: "read";
  /** Written for the model that will call it. */
  readonly description: string;
  readonly parameters: z.ZodType<OpencodeReadParams>;
  /** JSON Schema for function calling, made from `parameters`. */
  readonly jsonSchema: object;
  /** @throws OpencodeReadError always one of its subclasses */
  execute(params: unknown, options?: RunOptions): Promise<OpencodeReadResult>;
}

/**
 * Makes opencode's read tool, confined to a project root.
 * @throws Error at once if the project root or the working directory is not usable
 */
export function createOpencodeReadTool(options: OpencodeReadOptions): OpencodeReadTool {
  const { flavour, read } = createReader(options);
  const parameters = createParams(flavour);
  const jsonSchema = parametersSchema(parameters);
  const rules = { name: "read", input: parameters, aliases: ALIASES };
  return {
    id: "read",
    description,
    parameters,
    jsonSchema,
    async execute(params, callOptions) {
      const signal = callOptions?.signal ?? new AbortController().signal;
      try {
        signal.throwIfAborted();
        const { input } = parseParams(readParams(params), rules);
        return formatResult(await read({ input, signal }), flavour);
      } catch (error) {
        throw asReadError(isConsequenceOfAbort(error, signal) ? abortedError(signal) : error, options);
      }
    },
  };
}

function asReadError(error: unknown, { onInternalError }: OpencodeReadOptions): OpencodeReadError {
  if (error instanceof OpencodeReadError) return error;
  const { code, message, hint } = asToolError({ name: "read", onInternalError }, error);
  return code === ErrorCode.INVALID_PARAM
    ? new InvalidParamError(message, { hint })
    : new ReadFailedError(code, message, { hint, cause: error });
}
