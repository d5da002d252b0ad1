import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { withChild } from "../child.ts";
import { CANARY, examine } from "../examine.ts";
import { createWriters, victimNamed } from "../tools.ts";

/** Files and directories that another process swaps for links to outside while they are written. */
export const swaps: Attack = {
  name: "swaps",
  what: "files and directories swapped for links to outside while Edit and Write use them",
  minimum: { full: 4000, short: 40 },
  run: async (arena) => {
    const root = join(arena.folder, "project");
    const outside = join(arena.folder, "project-evil");
    for (const directory of [join(root, "victim"), join(root, "nest/middle"), join(outside, "middle")]) {
      mkdirSync(directory, { recursive: true });
    }
    for (const name of ["victim.txt", "victim/a.txt", "nest/middle/a.txt"]) writeFileSync(join(root, name), "inside\n");
    for (const name of ["secret.txt", "a.txt", "middle/a.txt"]) writeFileSync(join(outside, name), `${CANARY}\n`);
    await withChild("./swapper.js", [root, outside, "tolerant"], () => race(arena, root, outside));
  },
};

async function race({ random, tally, goOn }: Arena, root: string, outside: string): Promise<void> {
  const victims = createWriters({ projectRoot: root, requireRead: false }, (error) => {
    tally.violation(`internal error: ${String(error)}`);
  });
  const seen = { ok: 0, refused: 0 };
  const hasStruck = () => seen.ok > 0 && seen.refused > 0;
  for (let count = 0; goOn(hasStruck()); count++) {
    const path = random.pick([
      "victim.txt",
      "victim/a.txt",
      "nest/middle/a.txt",
      `victim/${count}`,
      `victim/${count}/x`,
    ]);
    const response = random.chance(0.5)
      ? await examine(tally, victimNamed(victims, "Write"), { path, content: `written ${count}\n` })
      : await examine(tally, victimNamed(victims, "Edit"), {
          path,
          old_string: "inside",
          new_string: "inside, edited",
        });
    if (response?.status === "error") seen.refused++;
    else seen.ok++;
    for (const problem of harm(outside)) tally.violation(`${problem} by a write of '${path}'`);
    if (tally.isHopeless) return;
  }
  if (!hasStruck()) tally.violation("no race was ever lost or won: the attack is blunt");
  tally.note("written", String(seen.ok));
  tally.note("refused", String(seen.refused));
}

/** What has become of the files outside. */
function harm(outside: string): string[] {
  const names = readdirSync(outside, { recursive: true }).map(String).sort();
  const created = names.filter((name) => !["a.txt", "middle", "middle/a.txt", "secret.txt"].includes(name));
  const changed = ["secret.txt", "a.txt", "middle/a.txt"].filter((name) => {
    return readFileSync(join(outside, name), "utf8") !== `${CANARY}\n`;
  });
  return [
    ...created.map((name) => `${name} was created outside`),
    ...changed.map((name) => `${name} was changed outside`),
  ];
}
