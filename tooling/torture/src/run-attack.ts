import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Summary } from "./attack.ts";
import { NODE_ARGUMENTS } from "./script.ts";

/** What an attack process is told to do. */
export interface Order {
  readonly name: string;
  readonly seed: string;
  /** How long it goes on, at least as long as its minimum takes. */
  readonly seconds: number;
  /** The part of its minimum that it must reach. */
  readonly effort: number;
}

type Message = { attempts: number } | { summary: Summary } | { failure: string };

/** Runs one attack in a process of its own; that it dies or never ends is a violation too. */
export function runAttack(order: Order, onProgress: (attempts: number) => void): Promise<Summary> {
  const script = fileURLToPath(new URL("./attack-process.ts", import.meta.url));
  const child = fork(script, [], { execArgv: [...NODE_ARGUMENTS] });
  const patienceMs = (order.seconds * 4 + 300 * Math.max(order.effort, 0.2)) * 1000;
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
