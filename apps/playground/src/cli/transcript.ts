import { escapeText } from "@fstools/protocol";
import { placesOf, sumOf, verbOf, type AgentChunk, type CallFacts, type Change } from "../agent/messages.ts";
import { envelopeSchema } from "../envelope.ts";
import { paint, printable } from "./style.ts";

/** Where a transcript goes; a program that reads the answer gets nothing else. */
export interface Outputs {
  readonly steps: NodeJS.WriteStream;
  readonly answer: NodeJS.WriteStream;
}

/** How a turn ended. */
export type Ending = "answered" | "step-limit" | "length" | "aborted" | "failed";

/** Writes a turn to the terminal as it happens. */
export interface Transcript {
  write(chunk: AgentChunk): void;
  /** A change that waits, whole. */
  show(change: Change): void;
  /** The last lines of the turn: how it ended, and what entered the context. */
  finish(elapsedMs: number): Ending;
}

const ENDINGS: Readonly<Record<string, Ending>> = { stop: "answered", length: "length", "tool-calls": "step-limit" };
const WORDS: Readonly<Record<Ending, string>> = {
  answered: "answered",
  "step-limit": "stopped at the step limit",
  length: "cut off at the model's length limit",
  aborted: "stopped",
  failed: "failed",
};
const MARKS = { success: ["green", "✓"], partial: ["yellow", "◐"], error: ["red", "✗"] } as const;
const COLOURS: Readonly<Record<string, "green" | "red" | "cyan">> = { "+": "green", "-": "red", "@": "cyan" };

/** A transcript with the steps on one stream and the answer on another. */
export function createTranscript({ steps, answer }: Outputs): Transcript {
  // Where both are the same terminal, words can be shown before it is known which of the two they are.
  const live = steps.isTTY && answer.isTTY;
  const names = new Map<string, string>();
  const outputs = new Map<string, unknown>();
  const calls = new Map<string, CallFacts>();
  let held = "";
  let atLineStart = true;
  let stepCount = 0;
  let ending: Ending | undefined;

  const put = (stream: NodeJS.WriteStream, text: string) => {
    if (text === "") return;
    stream.write(text);
    atLineStart = text.endsWith("\n");
  };
  const line = (text: string) => put(steps, `${atLineStart ? "" : "\n"}${text}\n`);
  const failed = (text: string) => line(paint("red", printable(text), steps));
  const flush = (stream: NodeJS.WriteStream) => {
    put(stream, held && `${held}${held.endsWith("\n") ? "" : "\n"}`);
    held = "";
  };
  const fail = (message: string) => {
    flush(answer);
    ending = "failed";
    failed(`Error: ${message}`);
  };
  const showAnswer = (id: string, { ms, tokens }: CallFacts) => {
    const { status, text } = envelopeSchema.parse(outputs.get(id));
    const [colour, mark] = MARKS[status];
    const head = paint(colour, `${mark} ${nameOf(id)} ${status}`, steps);
    const cost = paint("dim", `(${ms} ms, ${tokens.entered} tokens)`, steps);
    line(`${head} ${cost} ${printable(text.split("\n", 1)[0] ?? "")}`);
  };

  const nameOf = (id: string) => names.get(id) ?? "tool";
  const on: { readonly [Type in AgentChunk["type"]]?: (chunk: Extract<AgentChunk, { type: Type }>) => void } = {
    "start-step": () => {
      flush(steps);
      stepCount++;
      line("");
    },
    "text-delta": ({ delta }) => {
      if (live) put(answer, printable(delta));
      else held += printable(delta);
    },
    "reasoning-delta": ({ delta }) => put(steps, paint("dim", printable(delta), steps)),
    "tool-input-available": ({ toolCallId, toolName, input }) => {
      flush(steps);
      names.set(toolCallId, toolName);
      line(`${paint("cyan", `→ ${toolName}`, steps)} ${printable(JSON.stringify(input))}`);
    },
    "tool-input-error": ({ toolName, errorText }) => failed(`✗ ${toolName}: ${errorText}`),
    "tool-output-error": ({ toolCallId, errorText }) => failed(`✗ ${nameOf(toolCallId)}: ${errorText}`),
    "tool-output-available": ({ toolCallId, output }) => void outputs.set(toolCallId, output),
    "tool-output-denied": ({ toolCallId }) =>
      line(paint("dim", `${nameOf(toolCallId)} declined, nothing was written`, steps)),
    "message-metadata": ({ messageMetadata }) => {
      // What an answer cost follows it.
      for (const [id, facts] of Object.entries(messageMetadata.calls ?? {})) {
        calls.set(id, facts);
        showAnswer(id, facts);
      }
    },
    error: ({ errorText }) => fail(errorText),
    abort: () => (ending = "aborted"),
    finish: ({ finishReason }) => (ending ??= ENDINGS[finishReason ?? ""]),
  };

  return {
    write: (chunk) => (on[chunk.type] as ((chunk: AgentChunk) => void) | undefined)?.(chunk),
    show: (change) => {
      flush(steps);
      ending = undefined;
      line(`${change.tool} wants to ${verbOf(change)} '${escapeText(placesOf(change))}':`);
      for (const text of printable(change.diff.trimEnd()).split("\n"))
        line(paint(COLOURS[text.charAt(0)] ?? "reset", text, steps));
    },
    finish: (elapsedMs) => {
      flush(answer);
      if (!ending) fail("The model's answer broke off: the stream ended before it was complete.");
      const end = ending ?? "failed";
      const took = `${stepCount} ${stepCount === 1 ? "step" : "steps"} in ${(elapsedMs / 1000).toFixed(1)} s`;
      line(`\n${paint("dim", `${WORDS[end]} after ${took}`, steps)}`);
      const { entered, wholeFiles, mcpFilesystem } = sumOf([...calls.values()].map(({ tokens }) => tokens));
      const others = `whole files ${wholeFiles}, MCP filesystem server ${mcpFilesystem}`;
      line(`Context: ${entered} tokens from tools (o200k, an estimate; computed for comparison: ${others})`);
      return end;
    },
  };
}
