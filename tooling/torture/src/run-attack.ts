import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Extent, Summary } from "./attack.ts";
import { NODE_ARGUMENTS } from "./script.ts";

/** What an attack process is told to do. */
export interface Order {
  readonly name: string;
  readonly seed: string;
  /** How long it goes on, at least as long as its minimum takes. */
  readonly seconds: number;
  readonly extent: Extent;
}

/** What reaching the minimum may take, on a machine that is busy with other things. */
const MINIMUM_MS: Readonly<Record<Extent, number>> = { full: 300_000, short: 60_000 };

type Message = { attempts: number } | { summary: Summary } | { failure: string };

/** Runs one attack in a process of its own; that it dies or never ends is a violation too. */
export function runAttack(order: Order, onProgress: (attempts: number) => void): Promise<Summary> {
  const script = fileURLToPath(new URL("./attack-process.ts", import.meta.url));
  const child = fork(script, [], { execArgv: [...NODE_ARGUMENTS] });
  const patienceMs = order.seconds * 4000 + MINIMUM_MS[order.extent];
  return new Promise((resolve) => {
    let summary: Summary | undefined;
    let failure = "the process died";
    const watchdog = setTimeout(() => {
      failure = `did not end within ${patienceMs / 1000} s`;
      child.kill("SIGKILL");
    }, patienceMs);
    child.on("message", (message: Message) => {
      if ("attempts" in message) onProgress(message.attempts);
      else if ("summary" in message) ({ summary } = message);
      else ({ failure } = message);
    });
    child.on("exit", (code, signal) => {
      clearTimeout(watchdog);
      const died = {
        attempts: 0,
        violationCount: 1,
        violations: [`${failure} (${signal ?? String(code)})`],
        notes: {},
      };
      resolve(code === 0 && summary !== undefined ? summary : died);
    });
    child.send(order);
  });
}
