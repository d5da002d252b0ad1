import type { ModelMessage } from "ai";
import { createInterface } from "node:readline/promises";
import { runTurn, type Turn } from "../agent/agent.ts";
import { trimHistory } from "../agent/history.ts";
import type { Command } from "./command.ts";
import { maxStepsFrom, modelFrom, modelOptions, projectOptions, readOption } from "./setup.ts";
import { projectFrom, truncatorLimits, truncatorOptions } from "./setup.ts";
import { paint } from "./style.ts";
import { createTranscript } from "./transcript.ts";

const MAX_HISTORY_BYTES = 512 * 1024;
const HELP = "Ask about the project. /new forgets the conversation, /exit or Ctrl+D leaves, Ctrl+C stops an answer.";

/** A conversation in the terminal. */
export const chat: Command = {
  name: "chat",
  operands: "",
  options: { ...projectOptions, ...modelOptions, ...readOption, ...truncatorOptions },
  examples: ["pnpm playground chat", "pnpm playground chat --read opencode"],
  run: async (args) => {
    const project = projectFrom(args);
    const settings = {
      chosen: modelFrom(args, process.stdout.isTTY ? 6 : 0),
      tools: project.toolsWith(args.choice("read", ["standard", "opencode"])),
      truncate: project.createTruncator(truncatorLimits(args)),
      measure: project.measure,
      maxSteps: maxStepsFrom(args),
    };
    console.log(paint("dim", `${HELP}\n`));
    const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
    let history: readonly ModelMessage[] = [];
    let running: AbortController | undefined;
    terminal.on("SIGINT", () => {
      if (running) running.abort();
      else terminal.close();
    });
    terminal.prompt();
    for await (const line of terminal) {
      const question = line.trim();
      if (question === "/exit") break;
      if (question === "/new") history = [];
      else if (question === "/help") console.log(HELP);
      else if (question !== "") {
        running = new AbortController();
        history = [...history, ...(await answer({ ...settings, history, question, signal: running.signal }))];
        history = trimHistory(history, MAX_HISTORY_BYTES);
        running = undefined;
      }
      terminal.prompt();
    }
    terminal.close();
    return 0;
  },
};

async function answer(turn: Turn): Promise<readonly ModelMessage[]> {
  // A conversation is one text, so it goes to one stream.
  const transcript = createTranscript({ steps: process.stdout, answer: process.stdout });
  const events = runTurn(turn);
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    transcript.write(step.value);
  }
}
