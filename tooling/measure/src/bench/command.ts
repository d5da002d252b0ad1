import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { plain, type Contender } from "./row.ts";

export function findCommand(...names: readonly string[]): string | undefined {
  return names.find((name) => {
    try {
      execFileSync("sh", ["-c", `command -v "$1"`, "sh", name], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a command and collects what it prints; its errors and progress are shown. @throws if it fails */
export async function output(
  command: string,
  args: readonly string[],
  cwd: string,
  codes: readonly number[] = [0],
): Promise<Buffer> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const closed: Promise<unknown[]> = once(child, "close");
  const printed = await buffer(child.stdout);
  const [code] = await closed;
  if (typeof code !== "number" || !codes.includes(code)) throw new Error(`${command} ended with code ${String(code)}.`);
  return printed;
}

export function linesOf(printed: Buffer): string[] {
  const lines = printed.toString().split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

export function commandContender(
  name: string,
  programs: readonly string[],
  args: readonly string[],
  cwd: string,
  answer?: (printed: Buffer) => readonly string[],
  codes?: readonly number[],
): Contender[] {
  const program = findCommand(...programs);
  if (program === undefined) return [];
  const { sample, answer: answered } = plain(name, () => output(program, args, cwd, codes), answer);
  return [{ name, sample, answer: answered, tick: undefined }];
}
