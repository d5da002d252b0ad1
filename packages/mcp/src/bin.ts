import { echo } from "@fstools/protocol";
import { createHistory } from "@fstools/sandbox";
import { parseArguments, type ServeCommand, USAGE } from "./arguments.ts";
import { createService, VERSION } from "./service.ts";

try {
  await main(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`fstools-mcp: ${error instanceof Error ? error.message : String(error)}\nTry --help.\n`);
  process.exitCode = 2;
}

/** The command: serves until the client leaves (stdio) or the process is told to stop (HTTP). */
async function main(args: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): Promise<void> {
  const command = parseArguments(args);
  if (command === "help") print(USAGE);
  else if (command === "version") print(VERSION);
  else if (!("tools" in command)) {
    const { runHistory } = await import("./history.ts");
    const { text, isError } = await runHistory(command);
    print(text);
    if (isError) process.exitCode = 1;
  } else await serve(command, environment.FSTOOLS_MCP_TOKEN);
}

async function serve({ http, history: directory, ...options }: ServeCommand, token: string | undefined): Promise<void> {
  const history = directory === undefined ? {} : { history: createHistory({ directory }) };
  const served = { ...options, ...history, onInternalError: report, onWarning: report };
  if (http === undefined) {
    const { serveStreams } = await import("./stdio.ts");
    serveStreams(createService(served), { input: process.stdin, output: process.stdout, onError: report });
    return;
  }
  const [{ serveHttp }, { createServerFactory }] = await Promise.all([import("./http/http.ts"), import("./server.ts")]);
  const listening = await serveHttp(createServerFactory(served), {
    ...http,
    token: token === "" ? undefined : token,
    onError: report,
  });
  note(`Listening on ${listening.url}`);
  if (listening.token !== token) note(`Authorization: Bearer ${listening.token}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

// Standard output belongs to the protocol.
function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

function report(error: unknown): void {
  // Many clients never read it: what they cause must not pile up.
  if (process.stderr.writableNeedDrain) return;
  note(`fstools-mcp: ${echo(error instanceof Error ? error.message : String(error))}`);
}
