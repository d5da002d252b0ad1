import { parseArguments, type ServeCommand, USAGE } from "./arguments.ts";
import { createService } from "./service.ts";
import { serveLines } from "./stdio/serve-lines.ts";
import { VERSION } from "./version.ts";

/** The command: serves until the client leaves (stdio) or the process is told to stop (HTTP). */
export async function main(args: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): Promise<void> {
  const command = parseArguments(args);
  if (command === "help") print(USAGE);
  else if (command === "version") print(VERSION);
  else await serve(command, environment.FSTOOLS_MCP_TOKEN);
}

async function serve({ http, ...options }: ServeCommand, token: string | undefined): Promise<void> {
  const service = createService({ ...options, onInternalError: report });
  if (http === undefined) {
    serveLines(service, { input: process.stdin, output: process.stdout, onError: report });
    return;
  }
  // Most run over stdio: they need not wait for an HTTP server to load.
  const [{ serveHttp }, { serverFactoryOf }] = await Promise.all([import("./http/http.ts"), import("./server.ts")]);
  const listening = await serveHttp(serverFactoryOf(service), {
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
  note(`fstools-mcp: ${error instanceof Error ? error.message : String(error)}`);
}
