import { defineTool, type Tool } from "@fstools/protocol";
import { description } from "./description.ts";
import { type OpencodeReadData, readOutcome } from "./outcome.ts";
import { ALIASES, createParams, type OpencodeReadParams } from "./params.ts";
import { createReader, type OpencodeReadOptions } from "./reader.ts";

/**
 * Makes the same tool behind the envelope: it never throws, and what it left out makes its answer partial.
 * @throws Error at once if the project root or the working directory is not usable
 */
export function createOpencodeReadEnvelopeTool(
  options: OpencodeReadOptions,
): Tool<OpencodeReadParams, OpencodeReadData> {
  const { sandbox, flavour, read } = createReader(options);
  return defineTool({
    name: "read",
    description,
    input: createParams(flavour),
    aliases: ALIASES,
    cwd: sandbox.cwd.relative,
    onInternalError: options.onInternalError,
    siblings: options.siblings,
    run: async (input, call) => {
      const content = await read({
        input,
        signal: call.signal,
        onResolved: (path) => {
          call.note({ path_resolved: path.relative });
        },
      });
      return readOutcome(content, flavour);
    },
  });
}
