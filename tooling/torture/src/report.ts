import { describeMachine } from "@fstools/measure/report/machine";
import { table } from "@fstools/measure/report/table";
import type { Finding } from "./campaign.ts";
import type { Hunt } from "./mutants.ts";

export interface RunFacts {
  readonly minutes: number;
  readonly seed: string;
  readonly elapsedMs: number;
}

export function attackSection(findings: readonly Finding[], { minutes, seed, elapsedMs }: RunFacts): string {
  const { date, processor, memory, system, node } = describeMachine("full");
  const sum = (of: (finding: Finding) => number) =>
    thousands(findings.reduce((total, finding) => total + of(finding), 0));
  const rows = findings.map(({ attack, summary }) => [
    attack.name,
    thousands(summary.attempts),
    thousands(summary.violationCount),
    Object.entries(summary.notes)
      .map(([name, value]) => plain(`${name} ${value}`))
      .join("; "),
  ]);
  const all = ["all", sum(({ summary }) => summary.attempts), sum(({ summary }) => summary.violationCount), ""];
  return [
    `\`pnpm torture --minutes ${minutes}\`, seed ${seed}, on ${date}: ${processor}, ${memory}, ${system}, Node ${node}. It took ${inMinutes(elapsedMs)}, because each attack must reach its minimum.`,
    table(["attack", "attempts", "violations", "seen"], [...rows, all]),
  ].join("\n\n");
}

export function mutantSection(hunts: readonly Hunt[], { seed, elapsedMs }: Omit<RunFacts, "minutes">): string {
  const found = hunts.filter((hunt) => hunt.found !== undefined).length;
  const names = new Map<string, string[]>();
  for (const { mutation, found: sign } of hunts) {
    const by = sign === undefined ? "**survived**" : mutation.attack;
    names.set(by, [...(names.get(by) ?? []), mutation.name]);
  }
  const rows = [...names].map(([by, found]) => [by, found.join("; ")]);
  return [
    `\`pnpm torture --mutants\`, seed ${seed}, on ${describeMachine("full").date}: ${found} of ${hunts.length} found, in ${inMinutes(elapsedMs)}.`,
    table(["found by", "mutants"], rows),
  ].join("\n\n");
}

/** Fit for a cell of a table: no path of this machine, nothing but ASCII, no separator. */
function plain(text: string): string {
  return text
    .replace(/\/[\w./-]*fstools-[\w./-]*/gu, "(a path)")
    .replace(/[^\x20-\x7e]/gu, "?")
    .replaceAll("|", "/");
}

function thousands(value: number): string {
  return value.toLocaleString("en");
}

function inMinutes(elapsedMs: number): string {
  return `${(elapsedMs / 60_000).toFixed(1)} minutes`;
}
