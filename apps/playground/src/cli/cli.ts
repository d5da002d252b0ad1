import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { UsageError, type Settings } from "./setup.ts";

interface Entry {
  readonly summary: string;
  readonly options: readonly Option[];
  readonly examples: readonly string[];
  /** Loaded when it is used, as the agent takes a second to load; resolves to the exit code. */
  readonly load: () => Promise<(given: readonly string[], settings: Settings) => Promise<number>>;
}

const between = (min: number, max: number) => (given: string) => {
  const value = Number(given);
  if (/^\d+$/u.test(given) && value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number between ${min} and ${max}.`);
};
const whole = (flags: string, help: string, min: number, max: number) =>
  new Option(flags, help).argParser(between(min, max));

const collect = (given: string, earlier: readonly string[] = []) => [...earlier, given];

const project = [
  new Option("--root <dir>", "Project root (default: this repository); repeatable.").argParser(collect),
  new Option("--deny <glob>", "Files that stay invisible, besides secrets; repeatable.").argParser(collect),
  new Option("--write", "Offer tools that change files (default: only in the demo)."),
  new Option("--read-only", "Do not offer them, which is the default.").conflicts("write"),
];
const port = whole("--port <n>", "Or a free one where it is taken.", 0, 65_535).default(4747);
const model = [
  new Option("--model <name>", "Model of an OpenAI-compatible endpoint (or PLAYGROUND_MODEL)."),
  new Option("--base-url <url>", "The endpoint (or PLAYGROUND_BASE_URL; default: OpenAI)."),
  new Option("--api-key <key>", "Its key; better set PLAYGROUND_API_KEY, which ps does not show."),
  new Option("--vision", "Send it the pictures that Read opens."),
  whole("--max-steps <n>", "Answers of the model per question.", 1, 50).default(12),
];
const truncator = [
  whole("--max-lines <n>", "Truncator: lines that enter the context (default: 2000).", 1, 1_000_000),
  whole("--max-bytes <n>", "Truncator: bytes that enter the context (default: 51200).", 100, 100_000_000),
  new Option("--direction <end>", "Truncator: which end to keep (default: head).").choices(["head", "tail"]),
];

const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    summary: "Serve the playground as a web page on 127.0.0.1.",
    options: [...project, port, ...model, ...truncator],
    examples: ["serve --root ../other-project --port 8080"],
    load: async () => (await import("./serve.ts")).serve,
  },
  "ask <question...>": {
    summary: "Ask the agent one question and watch what it does.",
    options: [...project, ...model, ...truncator, new Option("--json", "Print the AI SDK's message stream as JSON.")],
    examples: [
      'ask "Where is createSandbox defined?" --root ../other-project',
      `ask "Change 'apple: 0.6' to 'apple: 0.75' in src/prices.ts" --root apps/playground/demo/orchard --write`,
      'ask "Explain the sandbox" --base-url http://127.0.0.1:11434/v1 --model llama3.2',
    ],
    load: async () => (await import("./ask.ts")).ask,
  },
  chat: {
    summary: "Talk with the agent.",
    options: [...project, ...model, ...truncator],
    examples: ["chat --root ../other-project --write"],
    load: async () => (await import("./chat.ts")).chat,
  },
  "run [tool] [parameters...]": {
    summary: "Call one tool and print its envelope.",
    options: [
      ...project,
      new Option("--text", "Print what a model would read instead of the envelope."),
      new Option("--truncate", "Send the answer through the truncator; its options imply this."),
      ...truncator,
    ],
    examples: ["run Read path=README.md limit=20", `run Glob '{"pattern":"**/*.md"}' --text`, "run Read - < call.json"],
    load: async () => (await import("./run.ts")).run,
  },
  "undo [change]": {
    summary: "Undo a change of the agent or the bench: the last one, or the one with this id.",
    options: [...project.slice(0, 2), new Option("--list", "List what was changed, newest first.")],
    examples: ["undo --root ../other-project", "undo --list"],
    load: async () => (await import("./undo.ts")).undo,
  },
  "tools [tool...]": {
    summary: "Show the tools: names, descriptions and JSON Schemas.",
    options: [...project, new Option("--json", "Print them as one JSON array.")],
    examples: ["tools Read", "tools --json"],
    load: async () => (await import("./tools.ts")).tools,
  },
};

/** Runs a command line; resolves to the exit code: 0 done, 1 failed, 2 wrong usage, more as the command says. */
export async function runCli(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command("pnpm playground")
    .description("Try the fstools tools, by hand and through an agent.")
    .showHelpAfterError("(--help lists the commands)")
    .exitOverride();
  for (const [usage, { summary, options, examples, load }] of Object.entries(COMMANDS)) {
    const command = program.command(usage).description(summary).showHelpAfterError("(--help lists the options)");
    for (const option of options) command.addOption(option);
    command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  pnpm playground ${line}\n`).join("")}`);
    command.action(async () => {
      const run = await load();
      code = await run(command.args, command.opts());
    });
  }
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}
