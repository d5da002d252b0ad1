import type { AgentEvent, FinishEvent, ResultEvent } from "../agent/events.ts";
import { byteSize, paint } from "./style.ts";

/** Writes a run to the terminal as it happens. */
export interface Transcript {
  write(event: AgentEvent): void;
}

/** A transcript that prints through `print`. */
export function createTranscript(print: (text: string) => void): Transcript {
  let atLineStart = true;
  const put = (text: string) => {
    if (text === "") return;
    print(text);
    atLineStart = text.endsWith("\n");
  };
  const line = (text: string) => {
    put(`${atLineStart ? "" : "\n"}${text}\n`);
  };
  return {
    write: (event) => {
      switch (event.type) {
        case "start":
          line(paint("dim", `model: ${event.model}, up to ${event.maxSteps} steps`));
          break;
        case "step":
          line("");
          break;
        case "text":
          put(event.delta);
          break;
        case "reasoning":
          put(paint("dim", event.delta));
          break;
        case "call":
          line(`${paint("cyan", `→ ${event.tool}`)} ${JSON.stringify(event.input)}`);
          break;
        case "result":
          line(resultLine(event));
          break;
        case "bad-call":
          line(paint("red", `✗ ${event.tool}: ${event.message}`));
          break;
        case "error":
          line(paint("red", `Error: ${event.message}`));
          break;
        case "finish":
          line(`\n${paint("dim", finishLine(event))}`);
          break;
      }
    },
  };
}

const MARKS = { success: ["green", "✓"], partial: ["yellow", "◐"], error: ["red", "✗"] } as const;

function resultLine({ tool, response, enteredBytes, keptOutBytes, elapsedMs }: ResultEvent): string {
  const [colour, mark] = MARKS[response.status];
  const kept = keptOutBytes > 0 ? `, ${byteSize(keptOutBytes)} kept out` : "";
  const head = paint(colour, `${mark} ${tool} ${response.status}`);
  const firstLine = response.text.split("\n", 1)[0] ?? "";
  return `${head} ${paint("dim", `(${elapsedMs} ms, ${byteSize(enteredBytes)}${kept})`)} ${firstLine}`;
}

const ENDINGS: Readonly<Record<FinishEvent["reason"], string>> = {
  answered: "answered",
  "step-limit": "stopped at the step limit",
  length: "cut off at the model's length limit",
  aborted: "stopped",
  failed: "failed",
};

function finishLine({ reason, steps, enteredBytes, keptOutBytes, elapsedMs }: FinishEvent): string {
  const size = `${byteSize(enteredBytes)} entered the context, ${byteSize(keptOutBytes)} kept out`;
  return `${ENDINGS[reason]} after ${steps} ${steps === 1 ? "step" : "steps"} in ${(elapsedMs / 1000).toFixed(1)} s; ${size}`;
}
