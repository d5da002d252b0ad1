import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { runScript } from "../processes.ts";
import type { Summary } from "../tally.ts";

const AS_IT_IS = [`exec "$@"`];
/** A file system of a size that only this process sees; else no file may grow past 100 blocks: the disk refuses in another way. */
const ofSize = (size: string) => [
  ...["-m", "-rm"].map((flags) => {
    const mount = `mount -t tmpfs -o size=${size},mode=755 tmpfs "$0" && exec "$@"`;
    return `exec unshare ${flags} sh -c '${mount}' "$STAGE" "$@"`;
  }),
  `trap '' XFSZ; ulimit -f 100; exec "$@"`,
];

/**
 * Faults of the system need a process that suffers them. Each is a scenario of `fault-scenario.ts` and the shell lines
 * that set its stage; where the system does not allow one, the next stands in.
 */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  "disk-full": ofSize("256k"),
  "full-disk-writes": ofSize("1m"),
  "closed-directory-writes": AS_IT_IS,
  "closed-directory": AS_IT_IS,
  "outside-directory": AS_IT_IS,
  "linked-directory": AS_IT_IS,
  impostors: AS_IT_IS,
  // Enough to load the scenario, which takes the rest itself.
  descriptors: [`ulimit -n 512; exec "$@"`],
};

const UNFIT_STAGE = 77;

export const faults: Attack = {
  name: "faults",
  what: "fills the disk, closes directories, takes all descriptors, puts impostors in the place of ripgrep",
  minimum: { full: 100, short: 100 },
  run: async (arena) => {
    const staged = new Map<string, number>();
    do {
      for (const scenario of Object.keys(FAULTS)) await suffer(arena, scenario, staged);
    } while (arena.goOn());
    arena.tally.note("stages", [...staged].map(([name, stage]) => `${name}/${stage + 1}`).join(" "));
  },
};

async function suffer({ folder, random, tally }: Arena, scenario: string, staged: Map<string, number>): Promise<void> {
  const stages = FAULTS[scenario] ?? [];
  for (const [stage, shell] of stages.entries()) {
    if (stage < (staged.get(scenario) ?? 0)) continue;
    const place = join(folder, `stage-${random.integer(0, 2 ** 50)}`);
    mkdirSync(place);
    const args = [scenario, place, String(random.integer(0, 2 ** 31))];
    const environment = { STAGE: place };
    const { code, printed, complaint } = await runScript("./fault-scenario.ts", args, { shell, environment });
    if (code === UNFIT_STAGE || (printed === "" && stage < stages.length - 1)) continue;
    staged.set(scenario, stage);
    if (code !== 0 || printed === "") {
      tally.violation(`${scenario}: the process ended with code ${String(code)}: ${printed || complaint}`);
      return;
    }
    const { attempts, violations } = JSON.parse(printed) as Summary;
    tally.attempt(attempts);
    for (const violation of violations) tally.violation(`${scenario}: ${violation}`);
    return;
  }
  tally.violation(`${scenario}: no stage fits this system`);
}
