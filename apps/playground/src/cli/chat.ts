import { createInterface } from "node:readline";
import type { Command } from "./command.ts";
import { conversationFrom, modelFrom, modelOptions, projectFrom, projectOptions, truncatorOptions } from "./setup.ts";
import { paint } from "./style.ts";
import { linesOf, runTurn } from "./turn.ts";

const HELP = "Ask about the project. /new forgets the conversation, /exit or Ctrl+D leaves, Ctrl+C stops an answer.";

/** A conversation in the terminal. */
export const chat: Command = {
  name: "chat",
  operands: "",
  options: { ...projectOptions, ...modelOptions, ...truncatorOptions },
  examples: ["pnpm playground chat", "pnpm playground chat --root ../other-project --write"],
  run: async (args) => {
    const project = projectFrom(args);
    const chosen = modelFrom(args, process.stdout.isTTY ? 6 : 0);
    let conversation = conversationFrom(args, project, chosen);
    console.log(paint("dim", `model: ${chosen.label}\n${HELP}\n`));
    const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: "> " });
    const lines = linesOf(terminal);
    let running: AbortController | undefined;
    terminal.on("SIGINT", () => {
      if (running) running.abort();
      else terminal.close();
    });
    for (;;) {
      terminal.prompt();
      const question = (await lines.next())?.trim();
      if (question === undefined || question === "/exit") break;
      if (question === "/new") conversation = conversationFrom(args, project, chosen);
      else if (question === "/help") console.log(HELP);
      else if (question !== "") {
        running = new AbortController();
        // A conversation is one text, so it goes to one stream.
        const outputs = { steps: process.stdout, answer: process.stdout };
        await runTurn({ conversation, question, lines, signal: running.signal, ...outputs });
        running = undefined;
      }
    }
    terminal.close();
    return 0;
  },
};
