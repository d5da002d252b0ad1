import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { CANARY, itemsIn, toldOutside, type Answer, type Victim } from "../examine.ts";
import { besideExchanges } from "../processes.ts";
import { lay } from "../project.ts";

export const exchanges: Attack = {
  name: "exchanges",
  what: "exchanges a file and a directory atomically for links to outside, with names that exist only there or only here",
  minimum: { full: 20_000, short: 200 },
  mustSee: ["answered", "refused"],
  run: async (arena) => {
    const { folder, root } = arena;
    layTrack(root, join(folder, "outside"));
    await besideExchanges(arena, ["victim", "link", "victim.txt", "link.txt"], root, () => askWhileExchanged(arena));
  },
};

async function askWhileExchanged({ random, root, tally, tools, repeat }: Arena): Promise<void> {
  const { readers, call } = tools();
  const ls = random.pick(readers.filter(({ name }) => name === "LS"));
  await repeat(1, async () => {
    // Of all questions that about the links inside is the least likely to be asked in the right moment.
    const isAboutLinks = random.chance(0.3);
    const victim = isAboutLinks ? ls : random.pick(readers);
    const [path, isInside] = isAboutLinks ? ["victim", true] : random.pick(PATHS);
    const answer = await call(victim, paramsFor(victim, path), { hiddenRoot: root });
    tally.saw(answer?.status === "error" ? "refused" : "answered");
    for (const problem of toldOutside(answer, path, isInside)) tally.violation(problem);
    if (victim.category === "ls" && ranksLinkAsDirectory(answer, "victim/a.txt"))
      tally.violation("told that there is a directory outside that a link inside could lead to");
  });
}

const PATHS = [
  ["victim/only-inside.txt", true],
  ["victim/deep/only-inside.txt", true],
  ["victim/a.txt", true],
  ["victim.txt", true],
  ["victim/only-outside.txt", false],
  ["victim/deep/only-outside.txt", false],
  // A link outside that leads back in.
  ["victim/back.txt", false],
  // A link inside that would lead to a directory, were it outside.
  ["victim", true],
] as const;

function paramsFor({ category, pathParameter }: Victim, path: string): object {
  return category === "glob" || category === "grep" ? { pattern: "*", path } : { [pathParameter]: path };
}

/** Whether LS lists a dangling link before a file, as it does with links to directories. */
function ranksLinkAsDirectory(answer: Answer | undefined, file: string): boolean {
  const paths = itemsIn(answer, "entries").map(({ path = "" }) => path);
  return paths.slice(0, paths.indexOf(file)).some((path) => path.startsWith("victim/dangling"));
}

function layTrack(root: string, outside: string): void {
  lay(join(root, "victim"), ["a.txt", "only-inside.txt", "deep/only-inside.txt"], "inside\n");
  lay(outside, ["a.txt", "only-outside.txt", "deep/only-outside.txt"], `${CANARY}\n`);
  lay(root, ["victim.txt", "stays.txt"], "inside\n");
  symlinkSync(join(root, "stays.txt"), join(outside, "back.txt"));
  for (let index = 0; index < 50; index++) {
    symlinkSync(`directory-${index}`, join(root, `victim/dangling-${index}`));
    mkdirSync(join(outside, `directory-${index}`));
  }
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "a.txt"), join(root, "link.txt"));
}
