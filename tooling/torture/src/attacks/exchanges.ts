import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Arena, Attack } from "../attack.ts";
import { CANARY, examine } from "../examine.ts";
import type { Answer } from "../response.ts";
import { createVictims, type Victim } from "../tools.ts";

const source = fileURLToPath(new URL("../exchange.c", import.meta.url));

/** A directory and a file that are at every moment either themselves or a link to outside: nothing is ever missing. */
export const exchanges: Attack = {
  name: "exchanges",
  what: "a file and a directory exchanged atomically for links to outside, with names that exist only there or only here",
  minimum: { full: 20_000, short: 200 },
  run: async (arena) => {
    const program = join(arena.folder, "exchange");
    try {
      execFileSync("cc", ["-O1", "-o", program, source], { stdio: "ignore" });
    } catch {
      arena.tally.note("skipped", "there is no C compiler");
      return;
    }
    const { root, pairs } = createExchangeTrack(arena.folder);
    const child = spawn(program, pairs, { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(child, "exit");
    try {
      await once(child.stdout, "data");
      await askWhileExchanged(arena, root);
    } finally {
      child.kill("SIGKILL");
      await exited;
    }
  },
};

async function askWhileExchanged({ random, tally, goOn }: Arena, root: string): Promise<void> {
  const victims = createVictims({ projectRoot: root }, (error) => {
    tally.violation(`internal error: ${String(error)}`);
  });
  const seen = { ok: 0, refused: 0 };
  const hasStruck = () => seen.ok > 0 && seen.refused > 0;
  while (goOn(hasStruck())) {
    const victim = random.pick(victims);
    const [path, isInside] = random.pick(PATHS);
    const response = await examine(tally, victim, paramsFor(victim, path), { hiddenRoot: root });
    if (response?.status === "error") seen.refused++;
    else seen.ok++;
    if (isInside && response?.error?.code === "NOT_FOUND") tally.violation(`told that ${path} is missing outside`);
    if (!isInside && tellsThatItExists(response))
      tally.violation(`told that ${path} exists outside: ${response?.text}`);
    if (victim.category === "ls" && ranksAsDirectory(response, "victim/dangling", "victim/a.txt"))
      tally.violation("told that there is a directory outside that a link inside could lead to");
  }
  if (!hasStruck()) tally.violation("no race was ever lost or won: the attack is blunt");
  tally.note("answered", String(seen.ok));
  tally.note("refused", String(seen.refused));
}

/** Paths, and whether they exist inside; the others exist only outside. */
const PATHS = [
  ["victim/only-inside.txt", true],
  ["victim/deep/only-inside.txt", true],
  ["victim/a.txt", true],
  ["victim.txt", true],
  [`victim/only-outside.txt`, false],
  ["victim/deep/only-outside.txt", false],
  // A link outside that leads back in.
  ["victim/back.txt", false],
  // A link inside that would lead to a directory, were it outside.
  ["victim", true],
] as const;

function paramsFor(victim: Victim, path: string): object {
  return victim.category === "glob" || victim.category === "grep"
    ? { pattern: "*", path }
    : { [victim.pathParameter]: path };
}

function tellsThatItExists(response: Answer | undefined): boolean {
  return response !== undefined && response.error?.code !== "NOT_FOUND" && response.error?.code !== "ACCESS_DENIED";
}

/** Whether LS lists a link before a file, as it does with links to directories. */
function ranksAsDirectory(response: Answer | undefined, link: string, file: string): boolean {
  const { entries = [] }: { entries?: readonly { path: string }[] } = { ...response?.data };
  const place = (path: string) => entries.findIndex((entry) => entry.path === path);
  return place(link) >= 0 && place(link) < place(file);
}

function createExchangeTrack(folder: string): { root: string; pairs: string[] } {
  const root = join(folder, "project");
  const outside = join(folder, "outside");
  for (const [place, own] of [
    [join(root, "victim"), "only-inside.txt"],
    [outside, "only-outside.txt"],
  ] as const) {
    mkdirSync(join(place, "deep"), { recursive: true });
    for (const name of ["a.txt", own, `deep/${own}`]) {
      writeFileSync(join(place, name), place === outside ? `${CANARY}\n` : "inside\n");
    }
  }
  writeFileSync(join(root, "victim.txt"), "inside\n");
  writeFileSync(join(root, "stays.txt"), "inside\n");
  symlinkSync(join(root, "stays.txt"), join(outside, "back.txt"));
  symlinkSync("directory", join(root, "victim/dangling"));
  mkdirSync(join(outside, "directory"));
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "a.txt"), join(root, "link.txt"));
  return { root, pairs: ["victim", "link", "victim.txt", "link.txt"].map((name) => join(root, name)) };
}
