import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { withChild } from "../child.ts";
import { CANARY, examine } from "../examine.ts";
import { createVictims, victimNamed } from "../tools.ts";

const PARALLEL = 8;

const CALLS: readonly { readonly tool: string; readonly params: object; readonly mostVisited?: number }[] = [
  { tool: "Read", params: { path: "victim.txt" } },
  { tool: "Read", params: { path: "victim/a.txt" } },
  { tool: "Read", params: { path: "nest/middle/bottom/a.txt" } },
  { tool: "read 1.2", params: { filePath: "victim.txt" } },
  { tool: "read 1.2", params: { filePath: "victim" } },
  { tool: "read 1.18", params: { filePath: "nest/middle/bottom" } },
  { tool: "LS", params: { path: "victim" } },
  { tool: "LS", params: { path: "nest/middle/bottom" } },
  // The root, the directory and its two files; outside there are four.
  { tool: "Glob", params: { pattern: "victim/*" }, mostVisited: 4 },
  // A path without wildcards is looked up; it is there only outside.
  { tool: "Glob", params: { pattern: "victim/secret.txt" }, mostVisited: 2 },
  { tool: "Glob", params: { pattern: "**/*.txt" } },
  { tool: "Glob", params: { pattern: "**/*", path: "nest" } },
  { tool: "Glob", params: { pattern: "*", path: "nest/middle/bottom" } },
  { tool: "Grep", params: { pattern: ".", context: 1 } },
  { tool: "Grep", params: { pattern: ".", path: "victim.txt" } },
  { tool: "Grep", params: { pattern: ".", path: "nest", output_mode: "count" } },
  { tool: "Grep", params: { pattern: ".", path: "victim", multiline: true, sort: "modified" } },
  { tool: "Grep in JavaScript", params: { pattern: ".", context: 1 } },
  { tool: "Grep in JavaScript", params: { pattern: ".", path: "nest/middle/bottom", output_mode: "files" } },
];

/** Files and directories that another process swaps for links to outside while they are read. */
export const races: Attack = {
  name: "races",
  what: "files and directories swapped for links to outside while Read, LS, Glob and Grep use them",
  minimum: { full: 20_000, short: 200 },
  run: async (arena) => {
    const { root, outside } = createRaceTrack(arena.folder);
    await withChild("./swapper.js", [root, outside], () => race(arena, root));
  },
};

async function race({ random, tally, goOn }: Arena, root: string): Promise<void> {
  const victims = createVictims({ projectRoot: root }, (error) => {
    tally.violation(`internal error: ${String(error)}`);
  });
  const seen = { ok: 0, refused: 0 };
  const hasStruck = () => seen.ok > 0 && seen.refused > 0;
  const runner = async () => {
    while (goOn(hasStruck())) {
      const { tool, params, mostVisited = Infinity } = random.pick(CALLS);
      const victim = victimNamed(victims, tool);
      const response = await examine(tally, victim, params, { hiddenRoot: root });
      if (Number(response?.stats.visited ?? 0) > mostVisited) tally.violation(`${tool} counted what is outside`);
      if (response?.status === "error") seen.refused++;
      else seen.ok++;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, runner));
  if (!hasStruck()) tally.violation("no race was ever lost or won: the attack is blunt");
  tally.note("answered", String(seen.ok));
  tally.note("refused", String(seen.refused));
}

function createRaceTrack(folder: string): { root: string; outside: string } {
  const root = join(folder, "project");
  // Its name begins like the root: a comparison of prefixes would take it for a part of it.
  const outside = join(folder, "project-evil");
  for (const directory of ["victim", "nest/middle/bottom"]) {
    mkdirSync(join(root, directory), { recursive: true });
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(root, directory, name), "inside\n");
  }
  for (let index = 0; index < 20; index++) {
    mkdirSync(join(root, `calm-${index}`));
    writeFileSync(join(root, `calm-${index}`, "calm.txt"), "inside\n");
  }
  mkdirSync(join(outside, "middle/bottom"), { recursive: true });
  for (const directory of [outside, join(outside, "middle/bottom")]) {
    // The same names as inside, and names of its own: neither content nor names may come back.
    for (const name of ["a.txt", "b.txt", "secret.txt", `${CANARY}.txt`]) {
      writeFileSync(join(directory, name), `${CANARY}\n`);
    }
  }
  writeFileSync(join(root, "victim.txt"), "inside\n");
  return { root, outside };
}
