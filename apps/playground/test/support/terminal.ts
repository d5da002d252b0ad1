import { NODE_OPTIONS } from "@fstools/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { vi } from "vitest";
import { z } from "zod";
import { runCli } from "../../src/cli/cli.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
// What commands change is kept here instead of where the user's own is.
process.env.XDG_STATE_HOME = mkdtempSync(join(tmpdir(), "fstools-state-"));
process.once("exit", () => {
  rmSync(process.env.XDG_STATE_HOME ?? "", { recursive: true, force: true });
});
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:PLAYGROUND_|OPENAI_|INIT_CWD|FORCE_COLOR)/u.test(name)),
);

/** What a run of the terminal program left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run of it is given besides its arguments. */
interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Starts the terminal program. */
export function start(args: readonly string[], env: Record<string, string> = {}) {
  const options = [...NODE_OPTIONS, main, ...args];
  return spawn(process.execPath, options, { env: { ...environment, ...env } });
}

/** Runs the terminal program as a user does. */
export async function playground(
  args: readonly string[],
  { env = {}, input = "" }: Surroundings = {},
): Promise<Finished> {
  const child = start(args, env);
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.end(input);
  const [code] = z
    .tuple([z.number().nullable()])
    .rest(z.unknown())
    .parse(await once(child, "close"));
  return { code, stdout, stderr };
}

/** The same without a process of its own, which is much quicker. */
export async function inProcess(
  args: readonly string[],
  { env = {}, input = "" }: Surroundings = {},
): Promise<Finished> {
  const written = { stdout: "", stderr: "" };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const stdin = vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([input]) as typeof process.stdin);
  const spies = (["stdout", "stderr"] as const).flatMap((name) => {
    const add = (chunk: unknown) => {
      written[name] += String(chunk);
      return true;
    };
    const log = name === "stdout" ? "log" : "error";
    return [
      vi.spyOn(process[name], "write").mockImplementation(add),
      vi.spyOn(console, log).mockImplementation((...parts) => void add(`${parts.join(" ")}\n`)),
    ];
  });
  try {
    const code = await runCli(args);
    return { code, ...written };
  } finally {
    for (const spy of [stdin, ...spies]) spy.mockRestore();
    vi.unstubAllEnvs();
  }
}
