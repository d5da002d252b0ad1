import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Runs a script beside the attack until `work` ends; the script says when it is ready and stops when its input ends. */
export async function withChild<Result>(
  script: string,
  args: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    await Promise.race([once(child.stdout, "data"), exited]);
    if (child.exitCode !== null) throw new Error(`${script} ended before it began.`);
    return await work();
  } finally {
    child.stdin.end();
    await exited;
  }
}
