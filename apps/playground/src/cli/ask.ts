import { runTurn } from "../agent/agent.ts";
import { createApprovals } from "../agent/approvals.ts";
import type { FinishEvent } from "../agent/events.ts";
import { askApproval, linesOnDemand } from "./approve.ts";
import { UsageError, type Command } from "./command.ts";
import { maxStepsFrom, modelFrom, modelOptions, projectOptions, readOption } from "./setup.ts";
import { projectFrom, truncatorLimits, truncatorOptions } from "./setup.ts";
import { contextLine, createTranscript } from "./transcript.ts";

/** One question: the steps on stderr, the answer on stdout. */
export const ask: Command = {
  name: "ask",
  operands: "QUESTION",
  options: {
    ...projectOptions,
    ...modelOptions,
    ...readOption,
    ...truncatorOptions,
    json: { type: "boolean", help: "Print every event as a line of JSON." },
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
    const project = projectFrom(args);
    const interrupt = new AbortController();
    const stop = () => {
      interrupt.abort();
    };
    process.once("SIGINT", stop);
    const approvals = createApprovals();
    const lines = linesOnDemand(stop);
    const events = runTurn({
      chosen: modelFrom(args, process.stdout.isTTY ? 6 : 0),
      tools: project.toolsWith(args.choice("read", ["standard", "opencode"]), approvals),
      approvals,
      truncate: project.createTruncator(truncatorLimits(args)),
      measure: project.createMeasure(),
      history: [],
      question,
      maxSteps: maxStepsFrom(args),
      signal: interrupt.signal,
    });
    const transcript = createTranscript({ steps: process.stderr, answer: process.stdout });
    let ending: FinishEvent["reason"] = "failed";
    for await (const event of events) {
      if (args.flag("json")) process.stdout.write(`${JSON.stringify(event)}\n`);
      else transcript.write(event);
      if (event.type === "approval") await askApproval(event, approvals, lines);
      if (event.type !== "finish") continue;
      ending = event.reason;
      if (args.flag("json")) console.error(contextLine(event));
    }
    lines.close();
    process.removeListener("SIGINT", stop);
    return EXIT_CODES[ending];
  },
};

const EXIT_CODES: Readonly<Record<FinishEvent["reason"], number>> = {
  answered: 0,
  failed: 1,
  "step-limit": 3,
  length: 3,
  aborted: 130,
};
