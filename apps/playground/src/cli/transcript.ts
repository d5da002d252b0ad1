import { escapeText } from "@fstools/protocol";
import { placesOf, sumOf, verbOf, type AgentChunk, type CallFacts, type Change } from "../agent/messages.ts";
import { envelopeSchema } from "../envelope.ts";
import { printable } from "../printable.ts";
import { paint } from "./style.ts";

/** Where a transcript goes; a program that reads the answer gets nothing else. */
export interface Outputs {
  readonly steps: NodeJS.WriteStream;
  readonly answer: NodeJS.WriteStream;
}

/** How a turn ended, in words, and as an exit code. */
export type Ending = readonly [words: string, code: number];

const FAILED: Ending = ["failed", 1];
const ENDINGS: Readonly<Record<string, Ending>> = {
  stop: ["answered", 0],
  length: ["cut off at the model's length limit", 3],
  "tool-calls": ["stopped at the step limit", 3],
};
const MARKS = { success: ["green", "✓"], partial: ["yellow", "◐"], error: ["red", "✗"] } as const;
const COLOURS: Readonly<Record<string, "green" | "red" | "cyan">> = { "+": "green", "-": "red", "@": "cyan" };

/** Writes a turn to the terminal as it happens, with the steps on one stream and the answer on another. */
export function createTranscript({ steps, answer }: Outputs) {
  // Where both are the same terminal, words can be shown before it is known which of the two they are.
  const live = steps.isTTY && answer.isTTY;
  const calls = new Map<string, { readonly name: string; readonly output?: unknown }>();
  let costs = sumOf([]);
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
    ending = FAILED;
    failed(`Error: ${message}`);
  };
  const nameOf = (id: string) => calls.get(id)?.name ?? "tool";

  const showAnswer = (id: string, { ms, tokens }: CallFacts) => {
    if (!tokens) return;
    const { status, text } = envelopeSchema.parse(calls.get(id)?.output);
    const [colour, mark] = MARKS[status];
    const head = paint(colour, `${mark} ${nameOf(id)} ${status}`, steps);
    const cost = paint("dim", `(${ms} ms, ${tokens.entered} tokens)`, steps);
    line(`${head} ${cost} ${printable(text.split("\n", 1)[0] ?? "")}`);
    costs = sumOf([costs, tokens]);
  };
  const write = (chunk: AgentChunk): void => {
    const id = "toolCallId" in chunk ? chunk.toolCallId : "";
    if (chunk.type === "start-step") {
      flush(steps);
      stepCount++;
      line("");
    } else if (chunk.type === "text-delta") {
      if (live) put(answer, printable(chunk.delta));
      else held += printable(chunk.delta);
    } else if (chunk.type === "reasoning-delta") put(steps, paint("dim", printable(chunk.delta), steps));
    else if (chunk.type === "tool-input-available") {
      flush(steps);
      calls.set(id, { name: chunk.toolName });
      line(`${paint("cyan", `→ ${chunk.toolName}`, steps)} ${printable(JSON.stringify(chunk.input))}`);
    } else if (chunk.type === "tool-input-error") failed(`✗ ${chunk.toolName}: ${chunk.errorText}`);
    else if (chunk.type === "tool-output-error") failed(`✗ ${nameOf(id)}: ${chunk.errorText}`);
    else if (chunk.type === "tool-output-denied")
      line(paint("dim", `${nameOf(id)} declined, nothing was written`, steps));
    else if (chunk.type === "tool-output-available") calls.set(id, { name: nameOf(id), output: chunk.output });
    else if (chunk.type === "error") fail(chunk.errorText);
    else if (chunk.type === "abort") ending = ["stopped", 130];
    else if (chunk.type === "finish") ending ??= ENDINGS[chunk.finishReason ?? ""];
    else if (chunk.type === "message-metadata")
      // What an answer cost follows it.
      for (const [call, facts] of Object.entries(chunk.messageMetadata.calls ?? {})) showAnswer(call, facts);
  };

  return {
    write,
    /** A change that waits, whole. */
    show: (change: Change) => {
      flush(steps);
      ending = undefined;
      line(`${change.tool} wants to ${verbOf(change)} '${escapeText(placesOf(change))}':`);
      for (const text of printable(change.diff.trimEnd()).split("\n"))
        line(paint(COLOURS[text.charAt(0)] ?? "reset", text, steps));
    },
    /** The last lines of the turn: how it ended, and what entered the context. */
    finish: (elapsedMs: number): Ending => {
      flush(answer);
      if (!ending) fail("The model's answer broke off: the stream ended before it was complete.");
      const end = ending ?? FAILED;
      const took = `${stepCount} ${stepCount === 1 ? "step" : "steps"} in ${(elapsedMs / 1000).toFixed(1)} s`;
      line(`\n${paint("dim", `${end[0]} after ${took}`, steps)}`);
      const { entered, wholeFiles, mcpFilesystem } = costs;
      const others = `whole files ${wholeFiles}, MCP filesystem server ${mcpFilesystem}`;
      line(`Context: ${entered} tokens from tools (o200k, an estimate; computed for comparison: ${others})`);
      return end;
    },
  };
}
