import { UsageError, type Command } from "./command.ts";
import { conversationFrom, modelFrom, modelOptions, projectFrom, projectOptions, truncatorOptions } from "./setup.ts";
import { paint } from "./style.ts";
import type { Ending } from "./transcript.ts";
import { linesOnDemand, runTurn } from "./turn.ts";

/** One question: the steps on stderr, the answer on stdout. */
export const ask: Command = {
  name: "ask",
  operands: "QUESTION",
  options: {
    ...projectOptions,
    ...modelOptions,
    ...truncatorOptions,
    json: { type: "boolean", help: "Print the AI SDK's message stream, a line of JSON each." },
  },
  examples: [
    'pnpm playground ask "What is in packages?"',
    'pnpm playground ask "Where is createSandbox defined?" --root ../other-project',
    `pnpm playground ask "Change 'apple: 0.6' to 'apple: 0.75' in src/prices.ts" --root apps/playground/demo --write`,
    'pnpm playground ask "Explain the sandbox" --base-url http://127.0.0.1:11434/v1 --model llama3.2',
  ],
  run: async (args) => {
    const question = args.positionals.join(" ").trim();
    if (question === "") throw new UsageError('What is the question? For example: ask "What is in src?"');
    const chosen = modelFrom(args, process.stdout.isTTY ? 6 : 0);
    const conversation = conversationFrom(args, projectFrom(args), chosen);
    const interrupt = new AbortController();
    const stop = () => {
      interrupt.abort();
    };
    process.once("SIGINT", stop);
    const lines = linesOnDemand(stop);
    console.error(paint("dim", `model: ${chosen.label}`, process.stderr));
    const ending = await runTurn({
      ...{ conversation, question, lines, signal: interrupt.signal },
      ...{ steps: process.stderr, answer: process.stdout },
      onChunk: args.flag("json") ? (chunk) => process.stdout.write(`${JSON.stringify(chunk)}\n`) : undefined,
    });
    lines.close();
    process.removeListener("SIGINT", stop);
    return EXIT_CODES[ending];
  },
};

const EXIT_CODES: Readonly<Record<Ending, number>> = {
  answered: 0,
  failed: 1,
  "step-limit": 3,
  length: 3,
  aborted: 130,
};
