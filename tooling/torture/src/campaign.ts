import type { Attack, Summary } from "./attack.ts";
import { attacks, background } from "./attacks/index.ts";
import { runAttack } from "./run-attack.ts";

/** How a campaign is waged. */
export interface Campaign {
  readonly seed: string;
  readonly seconds: number;
  /** The part of each attack's minimum that must be reached: 1 in a full run. */
  readonly effort: number;
  readonly only: readonly string[];
  readonly onProgress: (line: string) => void;
}

/** What `pnpm torture` does unless told otherwise. */
export const FULL = { seconds: 180, effort: 1 } as const;

/** Enough to see that every attack still works; what the tests run. */
export const SHORT = { seconds: 2, effort: 0.01 } as const;

/** What one attack found. */
export interface Finding {
  readonly attack: Attack;
  readonly summary: Summary;
}

/** Runs the attacks one after the other, the load beside them all. */
export async function wage({ seed, seconds, effort, only, onProgress }: Campaign): Promise<Finding[]> {
  const wanted = ({ name }: Attack) => only.length === 0 || only.some((part) => name.includes(part));
  const chosen = attacks.filter(wanted);
  const launch = async (attack: Attack, share: number): Promise<Finding> => {
    const order = { name: attack.name, seed, seconds: share, effort };
    const summary = await runAttack(order, (attempts) => {
      onProgress(`${attack.name}: ${attempts.toLocaleString("en")}`);
    });
    return { attack, summary };
  };
  const beside = wanted(background) ? launch(background, seconds) : undefined;
  const findings: Finding[] = [];
  for (const attack of chosen) findings.push(await launch(attack, seconds / chosen.length));
  if (beside !== undefined) findings.push(await beside);
  return findings;
}

/** One line per attack: attempts, violations, figures. */
export function summaryLine({ attack, summary }: Finding): string {
  const notes = Object.entries(summary.notes).map(([name, value]) => `${name} ${value}`);
  const count = summary.attempts.toLocaleString("en").padStart(9);
  return `${attack.name.padEnd(15)} ${count} attempts, ${summary.violationCount} violations${notes.length > 0 ? `; ${notes.join("; ")}` : ""}`;
}
