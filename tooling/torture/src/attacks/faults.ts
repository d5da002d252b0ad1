import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack, Summary } from "../attack.ts";
import { runScript } from "../script.ts";

/**
 * Faults of the system need a process that suffers them. Each is a shell line that sets the stage and then
 * runs a scenario of `fault-scenario.ts`; where the system does not allow the stage, the next one stands in.
 */
const FAULTS: readonly { readonly scenario: string; readonly stages: readonly string[] }[] = [
  {
    scenario: "disk-full",
    stages: [
      // A file system of 256 KiB that only this process sees.
      `exec unshare -m sh -c 'mount -t tmpfs -o size=256k,mode=755 tmpfs "$0" && exec "$@"' "$STAGE" "$@"`,
      `exec unshare -rm sh -c 'mount -t tmpfs -o size=256k,mode=755 tmpfs "$0" && exec "$@"' "$STAGE" "$@"`,
      // No file may grow past 100 blocks: the disk refuses in another way.
      `trap '' XFSZ; ulimit -f 100; exec "$@"`,
    ],
  },
  {
    scenario: "full-disk-writes",
    stages: [
      `exec unshare -m sh -c 'mount -t tmpfs -o size=1m,mode=755 tmpfs "$0" && exec "$@"' "$STAGE" "$@"`,
      `exec unshare -rm sh -c 'mount -t tmpfs -o size=1m,mode=755 tmpfs "$0" && exec "$@"' "$STAGE" "$@"`,
      `trap '' XFSZ; ulimit -f 100; exec "$@"`,
    ],
  },
  { scenario: "closed-directory-writes", stages: [`exec "$@"`] },
  { scenario: "closed-directory", stages: [`exec "$@"`] },
  { scenario: "outside-directory", stages: [`exec "$@"`] },
  { scenario: "linked-directory", stages: [`exec "$@"`] },
  { scenario: "impostors", stages: [`exec "$@"`] },
  // Enough to load the scenario, which takes the rest itself.
  { scenario: "descriptors", stages: [`ulimit -n 512; exec "$@"`] },
];

const UNFIT_STAGE = 77;

/** A disk that is full, directories that are closed, no descriptors left: the answer still comes, and says so. */
export const faults: Attack = {
  name: "faults",
  what: "a full disk and closed directories under writes and the spill, no descriptors left under every tool, impostors of ripgrep",
  minimum: { full: 100, short: 100 },
  run: async (arena) => {
    const staged = new Map<string, number>();
    do {
      for (const [index, fault] of FAULTS.entries()) await suffer(arena, fault, index, staged);
    } while (arena.goOn());
    arena.tally.note("stages", [...staged].map(([name, stage]) => `${name}/${stage + 1}`).join(" "));
  },
};

let counter = 0;

async function suffer(
  { folder, random, tally }: Arena,
  { scenario, stages }: (typeof FAULTS)[number],
  index: number,
  staged: Map<string, number>,
): Promise<void> {
  for (const [stage, line] of stages.entries()) {
    if (stage < (staged.get(scenario) ?? 0)) continue;
    const stageFolder = join(folder, `stage-${index}-${counter++}`);
    mkdirSync(stageFolder, { recursive: true });
    const seed = String(random.integer(0, 2 ** 31));
    const { code, printed, complaint } = await runScript("./fault-scenario.ts", [scenario, stageFolder, seed], {
      shell: line,
      environment: { STAGE: stageFolder },
    });
    if (code === UNFIT_STAGE || (printed === "" && stage < stages.length - 1)) continue;
    staged.set(scenario, stage);
    if (code !== 0 || printed === "") {
      tally.violation(`${scenario}: the process ended with code ${String(code)}: ${printed || complaint}`);
      return;
    }
    const summary = JSON.parse(printed) as Summary;
    tally.attempt(summary.attempts);
    for (const violation of summary.violations) tally.violation(`${scenario}: ${violation}`);
    return;
  }
  tally.violation(`${scenario}: no stage fits this system`);
}
