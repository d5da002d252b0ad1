import { ask } from "./ask.ts";
import { chat } from "./chat.ts";
import { helpOf, parseArguments, UsageError, type Command } from "./command.ts";
import { run } from "./run.ts";
import { serve } from "./serve.ts";
import { tools } from "./tools.ts";

const commands: readonly Command[] = [serve, ask, chat, run, tools];

const HELP = `Try the fstools tools, by hand and through an agent.

Usage: pnpm playground COMMAND [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`).join("\n")}

'pnpm playground COMMAND --help' shows the options of a command. 'pnpm start' is 'pnpm playground serve'.`;

async function main([name = "--help", ...rest]: readonly string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(HELP);
    return 0;
  }
  const command = commands.find((known) => known.name === name);
  if (!command)
    throw new UsageError(
      `There is no command '${name}'. The commands are ${commands.map((known) => known.name).join(", ")}.`,
    );
  if (rest.includes("--help") || rest.includes("-h")) {
    console.log(helpOf(command));
    return 0;
  }
  return command.run(parseArguments(command, rest));
}

// A reader such as `head` may leave early; that is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
