import { nodeArguments } from "@fstools/testing";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Tally } from "./tally.ts";

/** With what Node runs one of our programs. */
export function programArguments(entry: string): string[] {
  return ["--expose-gc", ...nodeArguments(entry)];
}

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

/** Exchanges pairs of names atomically until `work` ends; where there is no C compiler, it is skipped. */
export async function besideExchanges(
  { folder, tally }: { readonly folder: string; readonly tally: Tally },
  pairs: readonly string[],
  place: string,
  work: () => Promise<void>,
): Promise<void> {
  const program = join(folder, "exchange");
  try {
    execFileSync("cc", ["-O1", "-o", program, scriptPath("./exchange.c")], { stdio: "ignore" });
  } catch {
    tally.note("skipped", "there is no C compiler");
    return;
  }
  const names = pairs.map((name) => join(place, name));
  await beside(program, names, work);
}

export function scriptPath(name: string): string {
  // Also from what was built of this file, in another folder of the package.
  return fileURLToPath(new URL(name, new URL("../src/", import.meta.url)));
}

/** Runs one of our scripts to its end, on a stage that a shell line sets, which then executes "$@". */
export async function runScript(
  script: string,
  args: readonly string[],
  stage: { readonly shell: string; readonly environment: Readonly<Record<string, string>> },
): Promise<{ code: number | null; printed: string; complaint: string }> {
  const program = [process.execPath, ...programArguments(scriptPath(script)), ...args];
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

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}

/** Complains if descriptors stay open after the work, once what was abandoned has had time to end. */
export async function withoutLeak(tally: Tally, work: () => Promise<void>): Promise<void> {
  const before = openDescriptors();
  await work();
  for (let wait = 0; wait < 200 && openDescriptors() > before; wait++) await sleep(50);
  const more = openDescriptors() - before;
  if (more > 0) tally.violation(`${more} descriptors stayed open`);
}

/** Whether another user could read the sources: a process that dropped root's privileges still loads some on use. */
export function sourcesAreReadable(): boolean {
  const folders = import.meta.dirname.split("/").map((_, index, names) => names.slice(0, index + 1).join("/") || "/");
  return folders.every((folder) => (statSync(folder).mode & 0o005) === 0o005);
}
