import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import type { Tool, Truncator } from "@fstools/protocol";
import { stepCountIs, streamText, type ModelMessage, type ToolSet } from "ai";
import { z } from "zod";
import type { Envelope } from "../envelope.ts";
import type { Changes } from "./changes.ts";
import type { ChosenModel } from "./model.ts";
import { picturesBelow } from "./pictures.ts";

/** What an agent works with. */
export interface AgentOptions {
  readonly tools: readonly Tool[];
  /** Cuts what is too long for the model's context. */
  readonly truncate: Truncator;
  /** Its `confirm` belongs to the tools. */
  readonly changes: Changes;
  readonly chosen: ChosenModel;
  /** Answers of the model per question; the last one gets no tools. */
  readonly maxSteps: number;
  /** Is told of every answer of a tool, before the model sees it. */
  readonly onAnswer?: (callId: string, ms: number, response: Envelope) => Promise<void>;
}

/** What a turn begins with. */
export interface Turn {
  readonly messages: readonly ModelMessage[];
  /** Steps of the same question, before it stopped for an approval. */
  readonly stepsTaken: number;
  /** Where a person has undone what the agent changed. */
  readonly undone: readonly string[];
  readonly signal: AbortSignal;
}

/** Tools for the AI SDK; those that write wait for an approval of the diff. */
export function agentTools({ tools, truncate, changes, chosen, onAnswer }: AgentOptions): ToolSet {
  const adapted = toAiSdkTools(tools, { truncate, approval: false, media: chosen.sees });
  return Object.fromEntries(
    tools.map((tool) => {
      const { execute, ...described } = adapted[tool.name] ?? {};
      const run: ToolSet[string]["execute"] = async (input: unknown, context) => {
        const startedAt = performance.now();
        const response = await changes.make(context.toolCallId, async () => execute?.(input, context));
        const ms = Math.round(performance.now() - startedAt);
        await onAnswer?.(context.toolCallId, ms, response as Envelope);
        return response;
      };
      const needsApproval = async (input: unknown, { toolCallId }: { readonly toolCallId: string }) =>
        tool.effect === "write" &&
        (changes.of(toolCallId) ?? (await changes.preview(toolCallId, () => tool.run(input)))) !== undefined;
      return [
        tool.name,
        { ...described, ...(chosen.offline && asData), needsApproval, execute: run } as ToolSet[string],
      ];
    }),
  );
}

/** The offline model is a program, so it gets the envelope instead of the text. */
const asData = {
  toModelOutput: ({ output }: { readonly output: unknown }) => ({
    type: "json" as const,
    value: z.json().parse(JSON.parse(JSON.stringify(output))),
  }),
};

/** Streams a turn: the model calls tools until it has an answer, or until a change waits for approval. */
export function streamTurn({ tools, chosen, maxSteps }: AgentOptions, sdkTools: ToolSet, turn: Turn) {
  const steps = Math.max(1, maxSteps - turn.stepsTaken);
  return streamText({
    model: chosen.model,
    system: instructions(tools, turn.undone),
    messages: [...turn.messages],
    tools: sdkTools,
    stopWhen: stepCountIs(steps),
    // The last answer gets no tools, so that the model has to come to one with what it saw.
    prepareStep: ({ stepNumber, messages }) => ({
      messages: picturesBelow(messages),
      ...(stepNumber >= steps - 1 && { activeTools: [] }),
    }),
    abortSignal: turn.signal,
    maxRetries: 1,
    // Errors are parts of the stream; the default would print them as well.
    onError: () => undefined,
  });
}

/** The system prompt: how to use the tools, and what an answer should look like. */
function instructions(tools: readonly Tool[], undone: readonly string[]): string {
  return [
    "You answer questions about a software project that you can see only through tools.",
    `Your tools are ${tools.map(({ name }) => name).join(", ")}. Paths are relative to the project root.`,
    "Look before you answer; do not guess what a file says.",
    "What you read fills your context: search first (Grep), then read only the lines that you need (start_line, limit).",
    "A partial answer of a tool says what is missing and which call to make next; make it if you need the rest.",
    "An error says what to do instead; do that rather than repeat the call.",
    "A change waits for the user's approval. If it is declined, do not repeat it; ask what to do instead.",
    "Cite what you rely on as `path:line` or `path:first-last`. Be brief. If you did not find it, say so.",
    ...undone.map((places) => `The user has undone your change of ${places}.`),
  ].join("\n");
}
