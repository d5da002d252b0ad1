import { fork } from "node:child_process";
import type { Attack, Extent } from "./attack.ts";
import { attacks, background } from "./attacks/index.ts";
import { programArguments, scriptPath } from "./processes.ts";
import type { Summary } from "./tally.ts";

export interface Campaign {
  readonly seed: string;
  readonly seconds: number;
  readonly extent: Extent;
  readonly only: readonly string[];
  readonly onBegin?: (name: string) => void;
}

export type Order = Pick<Campaign, "seed" | "seconds" | "extent"> & { readonly name: string };

export const SECONDS: Readonly<Record<Extent, number>> = { full: 180, short: 0.3 };
const MINIMUM_MS: Readonly<Record<Extent, number>> = { full: 300_000, short: 60_000 };

export interface Finding {
  readonly attack: Attack;
  readonly summary: Summary;
}

export async function wage({ seed, seconds, extent, only, onBegin }: Campaign): Promise<Finding[]> {
  const wanted = ({ name }: Attack) => only.length === 0 || only.some((part) => name.includes(part));
  const chosen = attacks.filter(wanted);
  const launch = async (attack: Attack, share: number): Promise<Finding> => {
    onBegin?.(attack.name);
    return { attack, summary: await runAttack({ name: attack.name, seed, seconds: share, extent }) };
  };
  const beside = wanted(background) ? launch(background, seconds) : undefined;
  const findings: Finding[] = [];
  for (const attack of chosen) findings.push(await launch(attack, seconds / chosen.length));
  return beside === undefined ? findings : [...findings, await beside];
}

function runAttack(order: Order): Promise<Summary> {
  const execArgv = programArguments(scriptPath("./attack-process.ts"));
  const child = fork(execArgv.pop() ?? "", [], { execArgv });
  const patienceMs = order.seconds * 4000 + MINIMUM_MS[order.extent];
  return new Promise((resolve) => {
    let summary: Summary | undefined;
    let failure = "the process died";
    const watchdog = setTimeout(() => {
      failure = `did not end within ${patienceMs / 1000} s`;
      child.kill("SIGKILL");
    }, patienceMs);
    child.on("message", (message: { summary?: Summary; failure?: string }) => {
      summary = message.summary;
      failure = message.failure ?? failure;
    });
    child.on("exit", (code, signal) => {
      clearTimeout(watchdog);
      const violations = [`${failure} (${signal ?? String(code)})`];
      const died = { attempts: 0, violationCount: 1, violations, notes: {} };
      resolve(code === 0 && summary !== undefined ? summary : died);
    });
    child.send(order);
  });
}

export function summaryLine({ attack, summary }: Finding): string {
  const { attempts, violationCount, notes } = summary;
  const count = attempts.toLocaleString("en").padStart(9);
  const figures = Object.entries(notes).map(([name, value]) => `; ${name} ${value}`);
  return `${attack.name.padEnd(15)} ${count} attempts, ${violationCount} violations${figures.join("")}`;
}
