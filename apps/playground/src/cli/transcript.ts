import { escapeText } from "@fstools/protocol";
import type { AgentEvent, FinishEvent, ResultEvent } from "../agent/events.ts";
import { paint, printable } from "./style.ts";

/** Where a transcript goes; a program that reads the answer gets nothing else. */
export interface Outputs {
  readonly steps: NodeJS.WriteStream;
  readonly answer: NodeJS.WriteStream;
}

/** Writes a run to the terminal as it happens. */
export interface Transcript {
  write(event: AgentEvent): void;
}

/** A transcript with the steps on one stream and the answer on another. */
export function createTranscript({ steps, answer }: Outputs): Transcript {
  // Where both are the same terminal, words can be shown before it is known which of the two they are.
  const live = steps.isTTY && answer.isTTY;
  let held = "";
  let atLineStart = true;

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

  return {
    write: (event) => {
      switch (event.type) {
        case "start":
          line(paint("dim", `model: ${event.model}, up to ${event.maxSteps} steps`, steps));
          break;
        case "step":
          flush(steps);
          line("");
          break;
        case "text":
          if (live) put(answer, printable(event.delta));
          else held += printable(event.delta);
          break;
        case "reasoning":
          put(steps, paint("dim", printable(event.delta), steps));
          break;
        case "call":
          flush(steps);
          line(`${paint("cyan", `→ ${event.tool}`, steps)} ${printable(JSON.stringify(event.input))}`);
          break;
        case "result":
          line(resultLine(event, steps));
          break;
        case "approval":
          flush(steps);
          line(
            `${event.tool} wants to ${event.operation === "create" ? "create" : "change"} '${escapeText(event.path)}':`,
          );
          line(diffLines(event.diff, steps));
          break;
        case "decision":
          line(paint("dim", event.approved ? "approved" : "declined", steps));
          break;
        case "bad-call":
          line(paint("red", printable(`✗ ${event.tool}: ${event.message}`), steps));
          break;
        case "error":
          flush(answer);
          line(paint("red", printable(`Error: ${event.message}`), steps));
          break;
        case "finish":
          flush(answer);
          line(`\n${paint("dim", endingLine(event), steps)}`);
          line(contextLine(event));
          break;
      }
    },
  };
}

const MARKS = { success: ["green", "✓"], partial: ["yellow", "◐"], error: ["red", "✗"] } as const;

function resultLine({ tool, response, tokens, elapsedMs }: ResultEvent, stream: NodeJS.WriteStream): string {
  const [colour, mark] = MARKS[response.status];
  const head = paint(colour, `${mark} ${tool} ${response.status}`, stream);
  const firstLine = response.text.split("\n", 1)[0] ?? "";
  return `${head} ${paint("dim", `(${elapsedMs} ms, ${tokens.entered} tokens)`, stream)} ${printable(firstLine)}`;
}

const COLOURS: Readonly<Record<string, "green" | "red" | "cyan">> = { "+": "green", "-": "red", "@": "cyan" };

function diffLines(diff: string, stream: NodeJS.WriteStream): string {
  return printable(diff.trimEnd())
    .split("\n")
    .map((text) => {
      const colour = COLOURS[text.charAt(0)];
      return colour === undefined ? text : paint(colour, text, stream);
    })
    .join("\n");
}

const ENDINGS: Readonly<Record<FinishEvent["reason"], string>> = {
  answered: "answered",
  "step-limit": "stopped at the step limit",
  length: "cut off at the model's length limit",
  aborted: "stopped",
  failed: "failed",
};

function endingLine({ reason, steps, elapsedMs }: FinishEvent): string {
  return `${ENDINGS[reason]} after ${steps} ${steps === 1 ? "step" : "steps"} in ${(elapsedMs / 1000).toFixed(1)} s`;
}

/** What the tools put into the context, beside what other ways would have put there. */
export function contextLine({ tokens: { entered, wholeFiles, mcpFilesystem } }: FinishEvent): string {
  const others = `whole files ${wholeFiles}, MCP filesystem server ${mcpFilesystem}`;
  return `Context: ${entered} tokens from tools (o200k, an estimate; computed for comparison: ${others})`;
}
