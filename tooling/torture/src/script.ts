import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** How a script of ours is started: from its source, like everything here. */
export const NODE_ARGUMENTS: readonly string[] = [
  "--expose-gc",
  "--conditions=@fstools/source",
  "--import",
  import.meta.resolve("tsx"),
];

export interface ScriptOptions {
  /** A shell line that sets the stage and then executes "$@". */
  readonly shell: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs one of our scripts to its end, on a stage that a shell line sets. */
export async function runScript(
  script: string,
  args: readonly string[],
  { shell, environment }: ScriptOptions,
): Promise<{ code: number | null; printed: string; complaint: string }> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn("sh", ["-c", shell, "sh", process.execPath, ...NODE_ARGUMENTS, path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
    timeout: 120_000,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, printed, complaint };
}
