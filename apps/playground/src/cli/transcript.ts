import { escapeText } from "@fstools/protocol";
import { placesOf, verbOf, type AgentChunk, type CallFacts, type Change } from "../agent/messages.ts";
import { sumOf } from "../costs.ts";
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
  const line = (text: string) => {
    put(steps, `${atLineStart ? "" : "\n"}${text}\n`);
  };
  const flush = (stream: NodeJS.WriteStream) => {
    const text = held;
    held = "";
    put(stream, text);
    if (text !== "" && !atLineStart) put(stream, "\n");
  };
  const nameOf = (id: string) => names.get(id) ?? "tool";
  const fail = (message: string) => {
    flush(answer);
    ending = "failed";
    line(paint("red", printable(`Error: ${message}`), steps));
  };

  return {
    write: (chunk) => {
      switch (chunk.type) {
        case "start-step":
          flush(steps);
          stepCount++;
          line("");
          break;
        case "text-delta":
          if (live) put(answer, printable(chunk.delta));
          else held += printable(chunk.delta);
          break;
        case "reasoning-delta":
          put(steps, paint("dim", printable(chunk.delta), steps));
          break;
        case "tool-input-available":
          flush(steps);
          names.set(chunk.toolCallId, chunk.toolName);
          line(`${paint("cyan", `→ ${chunk.toolName}`, steps)} ${printable(JSON.stringify(chunk.input))}`);
          break;
        case "tool-input-error":
          line(paint("red", printable(`✗ ${chunk.toolName}: ${chunk.errorText}`), steps));
          break;
        case "tool-output-error":
          line(paint("red", printable(`✗ ${nameOf(chunk.toolCallId)}: ${chunk.errorText}`), steps));
          break;
        case "tool-output-available":
          outputs.set(chunk.toolCallId, chunk.output);
          break;
        case "tool-output-denied":
          line(paint("dim", `${nameOf(chunk.toolCallId)} declined, nothing was written`, steps));
          break;
        case "message-metadata":
          // What an answer cost follows it.
          for (const [id, facts] of Object.entries(chunk.messageMetadata.calls ?? {})) {
            calls.set(id, facts);
            line(resultLine(nameOf(id), outputs.get(id), facts, steps));
          }
          break;
        case "error":
          fail(chunk.errorText);
          break;
        case "abort":
          ending = "aborted";
          break;
        case "finish":
          ending ??= ENDINGS[chunk.finishReason ?? ""];
          break;
        default:
          break;
      }
    },
    show: (change) => {
      flush(steps);
      ending = undefined;
      line(`${change.tool} wants to ${verbOf(change)} '${escapeText(placesOf(change))}':`);
      line(diffLines(change.diff, steps));
    },
    finish: (elapsedMs) => {
      flush(answer);
      if (!ending) fail("The model's answer broke off: the stream ended before it was complete.");
      const end = ending ?? "failed";
      const took = `in ${(elapsedMs / 1000).toFixed(1)} s`;
      line(
        `\n${paint("dim", `${WORDS[end]} after ${stepCount} ${stepCount === 1 ? "step" : "steps"} ${took}`, steps)}`,
      );
      line(contextLine([...calls.values()]));
      return end;
    },
  };
}

const WORDS: Readonly<Record<Ending, string>> = {
  answered: "answered",
  "step-limit": "stopped at the step limit",
  length: "cut off at the model's length limit",
  aborted: "stopped",
  failed: "failed",
};

const MARKS = { success: ["green", "✓"], partial: ["yellow", "◐"], error: ["red", "✗"] } as const;

function resultLine(tool: string, output: unknown, { ms, tokens }: CallFacts, stream: NodeJS.WriteStream): string {
  const { status, text } = envelopeSchema.parse(output);
  const [colour, mark] = MARKS[status];
  const head = paint(colour, `${mark} ${tool} ${status}`, stream);
  const firstLine = text.split("\n", 1)[0] ?? "";
  return `${head} ${paint("dim", `(${ms} ms, ${tokens.entered} tokens)`, stream)} ${printable(firstLine)}`;
}

const COLOURS: Readonly<Record<string, "green" | "red" | "cyan">> = { "+": "green", "-": "red", "@": "cyan" };

function diffLines(diff: string, stream: NodeJS.WriteStream): string {
  const lines = printable(diff.trimEnd()).split("\n");
  return lines.map((text) => paint(COLOURS[text.charAt(0)] ?? "reset", text, stream)).join("\n");
}

function contextLine(calls: readonly CallFacts[]): string {
  const { entered, wholeFiles, mcpFilesystem } = sumOf(calls.map(({ tokens }) => tokens));
  const others = `whole files ${wholeFiles}, MCP filesystem server ${mcpFilesystem}`;
  return `Context: ${entered} tokens from tools (o200k, an estimate; computed for comparison: ${others})`;
}
