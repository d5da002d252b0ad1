import type { ModelMessage } from "ai";
import { createInterface } from "node:readline";
import { runTurn, type Turn } from "../agent/agent.ts";
import { createApprovals, type Approvals } from "../agent/approvals.ts";
import { trimHistory } from "../agent/history.ts";
import { askApproval, linesOf, type Lines } from "./approve.ts";
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
    const approvals = createApprovals();
    const settings = {
      chosen: modelFrom(args, process.stdout.isTTY ? 6 : 0),
      tools: project.toolsWith(args.choice("read", ["standard", "opencode"]), approvals),
      truncate: project.createTruncator(truncatorLimits(args)),
      measure: project.createMeasure(),
      approvals,
      maxSteps: maxStepsFrom(args),
    };
    console.log(paint("dim", `${HELP}\n`));
    const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
    const lines = linesOf(terminal);
    let history: readonly ModelMessage[] = [];
    let running: AbortController | undefined;
    terminal.on("SIGINT", () => {
      if (running) running.abort();
      else terminal.close();
    });
    for (;;) {
      terminal.prompt();
      const question = (await lines.next())?.trim();
      if (question === undefined || question === "/exit") break;
      if (question === "/new") history = [];
      else if (question === "/help") console.log(HELP);
      else if (question !== "") {
        running = new AbortController();
        const turn = { ...settings, history, question, signal: running.signal };
        history = trimHistory([...history, ...(await answer(turn, approvals, lines))], MAX_HISTORY_BYTES);
        running = undefined;
      }
    }
    terminal.close();
    return 0;
  },
};

async function answer(turn: Turn, approvals: Approvals, lines: Lines): Promise<readonly ModelMessage[]> {
  // A conversation is one text, so it goes to one stream.
  const transcript = createTranscript({ steps: process.stdout, answer: process.stdout });
  const events = runTurn(turn);
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    transcript.write(step.value);
    if (step.value.type === "approval") await askApproval(step.value, approvals, lines);
  }
}
