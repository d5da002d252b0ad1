import type { Attack, Extent, Summary } from "./attack.ts";
import { attacks, background } from "./attacks/index.ts";
import { runAttack } from "./run-attack.ts";

/** How a campaign is waged. */
export interface Campaign {
  readonly seed: string;
  readonly seconds: number;
  /** Which minimum each attack must reach. */
  readonly extent: Extent;
  readonly only: readonly string[];
  readonly onProgress: (line: string) => void;
}

/** How long a run goes on unless told otherwise. */
export const SECONDS: Readonly<Record<Extent, number>> = { full: 180, short: 1 };

/** What one attack found. */
export interface Finding {
  readonly attack: Attack;
  readonly summary: Summary;
}

/** Runs the attacks one after the other, the load beside them all. */
export async function wage({ seed, seconds, extent, only, onProgress }: Campaign): Promise<Finding[]> {
  const wanted = ({ name }: Attack) => only.length === 0 || only.some((part) => name.includes(part));
  const chosen = attacks.filter(wanted);
  const launch = async (attack: Attack, share: number): Promise<Finding> => {
    const order = { name: attack.name, seed, seconds: share, extent };
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
