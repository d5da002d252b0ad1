import type { AiSdkTools } from "@fstools/adapters/ai-sdk";
import type { LanguageModelV3ToolResultOutput } from "@ai-sdk/provider";
import { z } from "zod";
import { envelopeSchema, type Envelope } from "../envelope.ts";

const NAME = "fstools";

/** Makes tools whose envelope travels in the history beside the words that a model reads. */
export function carryEnvelope(tools: AiSdkTools): AiSdkTools {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => {
      const { toModelOutput } = tool;
      if (!toModelOutput) return [name, tool];
      const carrying: typeof toModelOutput = async (options) => {
        const output = await toModelOutput(options);
        return output.type === "text" || output.type === "error-text"
          ? { ...output, providerOptions: { [NAME]: { envelope: jsonOf(options.output) } } }
          : output;
      };
      return [name, { ...tool, toModelOutput: carrying }];
    }),
  );
}

const jsonValue = z.json();

function jsonOf(envelope: Envelope) {
  return jsonValue.parse(JSON.parse(JSON.stringify(envelope)));
}

/** The envelope that a tool's result carries, if it carries one. */
export function carriedEnvelope(output: LanguageModelV3ToolResultOutput): Envelope | undefined {
  const options = "providerOptions" in output ? output.providerOptions : undefined;
  const carried = envelopeSchema.safeParse(options?.[NAME]?.envelope);
  return carried.success ? carried.data : undefined;
}
