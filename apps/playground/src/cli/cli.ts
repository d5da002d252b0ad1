import { helpOf, nearest, parseArguments, UsageError, type Command } from "./command.ts";

interface Entry {
  readonly summary: string;
  /** Loaded when it is used: the agent takes a second to load, the help should not. */
  readonly load: () => Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  serve: {
    summary: "Serve the playground as a web page on 127.0.0.1.",
    load: async () => (await import("./serve.ts")).serve,
  },
  ask: {
    summary: "Ask the agent one question and watch what it does.",
    load: async () => (await import("./ask.ts")).ask,
  },
  chat: { summary: "Talk with the agent.", load: async () => (await import("./chat.ts")).chat },
  run: { summary: "Call one tool and print its envelope.", load: async () => (await import("./run.ts")).run },
  tools: {
    summary: "Show the tools: names, descriptions and JSON Schemas.",
    load: async () => (await import("./tools.ts")).tools,
  },
};

const HELP = `Try the fstools tools, by hand and through an agent.

Usage: pnpm playground COMMAND [options]

Commands:
${Object.entries(commands)
  .map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`)
  .join("\n")}

'pnpm playground COMMAND --help' shows the options of a command. 'pnpm start' is 'pnpm playground serve'.`;

/** Runs a command line; resolves to the exit code: 0 done, 1 failed, 2 wrong usage, more as the command says. */
export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    return await runCommand(argv);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

async function runCommand([name = "--help", ...rest]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(HELP);
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    const known = Object.keys(commands);
    const meant = nearest(name, known);
    const advice = meant === undefined ? `The commands are ${known.join(", ")}.` : `Did you mean '${meant}'?`;
    throw new UsageError(`There is no command '${name}'. ${advice}`);
  }
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    console.log(`${entry.summary}\n\n${helpOf(command)}`);
    return 0;
  }
  return command.run(parseArguments(command, rest));
}
