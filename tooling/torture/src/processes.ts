import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** How a script of ours is started: from its source, like everything here. */
export const NODE_ARGUMENTS: readonly string[] = [
  "--expose-gc",
  "--conditions=@fstools/source",
  "--import",
  import.meta.resolve("tsx"),
];

/** Runs a program beside the attack until `work` ends; it says something when it is ready, and stops when its input ends. */
export async function beside(command: string, args: readonly string[], work: () => Promise<void>): Promise<void> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    await Promise.race([once(child.stdout, "data"), exited]);
    if (child.exitCode !== null) throw new Error(`${args[0] ?? command} ended before it began.`);
    await work();
  } finally {
    child.stdin.end();
    child.kill();
    await exited;
  }
}

/** Builds the program that exchanges names atomically; undefined where there is no C compiler. */
export function buildExchanger(folder: string): string | undefined {
  const program = join(folder, "exchange");
  try {
    execFileSync("cc", ["-O1", "-o", program, scriptPath("./exchange.c")], { stdio: "ignore" });
    return program;
  } catch {
    return undefined;
  }
}

/** The place of one of our scripts. */
export function scriptPath(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs one of our scripts to its end, on a stage that a shell line sets, which then executes "$@". */
export async function runScript(
  script: string,
  args: readonly string[],
  stage: { readonly shell: string; readonly environment: Readonly<Record<string, string>> },
): Promise<{ code: number | null; printed: string; complaint: string }> {
  const program = [process.execPath, ...NODE_ARGUMENTS, scriptPath(script), ...args];
  const child = spawn("sh", ["-c", stage.shell, "sh", ...program], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...stage.environment },
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, printed, complaint };
}

/** A server on loopback. */
export async function listen(listener: RequestListener): Promise<{ url: string; close: () => void }> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`, close };
}
