import { lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import { CANARY, show, toldOutside } from "../examine.ts";
import { besideExchanges } from "../processes.ts";
import { createProject, lay, type Project } from "../project.ts";
import type { Tools } from "../tools.ts";
import { hostilePath, leadsTo } from "./paths.ts";

const HOSTILE_PATHS = 300;

export const roots: Attack = {
  name: "roots",
  what: "exchanges links between two roots, and a root itself, for links to outside while all tools use both; one is only read",
  minimum: { full: 20_000, short: 700 },
  mustSee: ["led inside", "led outside", "answered", "refused", "written"],
  run: async (arena) => {
    const { folder, tally } = arena;
    const project = createProject(folder);
    const far = layFar(folder, project);
    const before = contentOf(far);
    const used = arena.tools({
      roots: [{ path: project.root }, { path: far, access: "read" }],
      deny: [join(far, "deep/denied.txt")],
    });
    await takeHostilePaths(arena, used, project, far);
    const pairs = ["project/across", "project/across.txt", "far"].flatMap((name) => [name, `${name}-out`]);
    await besideExchanges(arena, pairs, folder, () => useWhileExchanged(arena, used, project.outside));
    const now = [far, `${far}-out`].find((path) => !lstatSync(path).isSymbolicLink()) ?? far;
    if (contentOf(now) !== before) tally.violation("the root that is only read was changed");
  },
};

function layFar(folder: string, { root, outside }: Project): string {
  const far = join(folder, "far");
  lay(far, ["a.txt", "only-far.txt", "deep/a.txt", "deep/only-far.txt"], "inside\n");
  lay(far, ["deep/denied.txt"], `${CANARY}\n`);
  for (const [name, target] of [
    ["far-out", outside],
    ["far/back", "../project/src"],
    ["far/out", "../outside"],
    ["project/across", "../far/deep"],
    ["project/across-out", "../outside"],
    ["project/across.txt", "../far/a.txt"],
    ["project/across.txt-out", "../outside/secret.txt"],
  ] as const) {
    symlinkSync(target, join(folder, name));
  }
  lay(root, ["own.txt"], "own\n");
  return far;
}

/** While nothing moves: what the system says leads outside is accepted by no tool. */
async function takeHostilePaths(
  { random, folder, root, tally }: Arena,
  { readers, call }: Tools,
  project: Project,
  far: string,
): Promise<void> {
  for (let turn = 0; turn < HOSTILE_PATHS; turn++) {
    const victim = random.pick(readers);
    const start = random.pick(["project/", "far/", "project/across/", "far/back/", "project/../", ""]);
    const hostile = hostilePath(random, project);
    const path = hostile.startsWith("/") ? hostile : start + hostile;
    const answer = await call(victim, { [victim.pathParameter]: path, ...patternFor(victim.category) });
    const led = leadsTo(path, folder, [root, far]);
    if (led === undefined) continue;
    tally.saw(`led ${led.isInside ? "inside" : "outside"}`);
    // The directory that holds both is their list, if it is reached by names.
    if (!led.isInside && led.real !== folder && answer !== undefined && answer.status !== "error")
      tally.violation(`${victim.name} accepted ${show(path)}, which leads outside`);
  }
}

function patternFor(category: string): object {
  if (category === "glob") return { pattern: "**" };
  return category === "grep" ? { pattern: "." } : {};
}

const PATHS = [
  ["project/across/only-far.txt", true],
  ["project/across/a.txt", true],
  ["project/across.txt", true],
  ["far/deep/only-far.txt", true],
  ["far/only-far.txt", true],
  ["far/deep", true],
  ["far", true],
  [".", true],
  ["project", true],
  // Of a root that names it, or of none.
  ["deep/only-far.txt", undefined],
  // Denied in its own root, whatever link leads there.
  ["project/across/denied.txt", undefined],
  ["project/across/secret.txt", false],
  ["far/secret.txt", false],
  ["far/out/secret.txt", false],
] as const;

async function useWhileExchanged(arena: Arena, { readers, call }: Tools, outside: string): Promise<void> {
  const { random, folder, tally, repeat } = arena;
  const untouched = contentOf(outside);
  await repeat(1, async (turn) => {
    if (turn % 4 === 0) {
      await write(arena, call, turn);
      if (contentOf(outside) !== untouched) tally.violation("something outside was changed");
      return;
    }
    const victim = random.pick(readers);
    const [path, isInside] = random.pick(PATHS);
    const params = { [victim.pathParameter]: path, ...patternFor(victim.category) };
    const answer = await call(victim, params, { hiddenRoot: folder });
    tally.saw(answer?.status === "error" ? "refused" : "answered");
    for (const problem of toldOutside(answer, path, isInside)) tally.violation(problem);
  });
}

/** Only the project may be written; through a link to the other root, or as its name, nothing may. */
async function write({ random, tally }: Arena, call: Tools["call"], turn: number): Promise<void> {
  const mayBe = random.chance(0.3);
  const across = ["project/across/a.txt", `project/across/${turn}.txt`, "project/across.txt"];
  const refused = [...across, "far/a.txt", `far/${turn}/x`];
  const path = random.pick(mayBe ? ["project/own.txt", `project/new/${turn}.txt`] : refused);
  const answer = random.chance(0.5)
    ? await call("Write", { path, content: "written\n" })
    : await call("Edit", { path, old_string: "inside", new_string: "changed" });
  if (answer === undefined || answer.status === "error") return;
  tally.saw("written");
  if (!mayBe) tally.violation(`wrote to ${path}`);
}

function contentOf(directory: string): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const lines = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return `${entry.name} ${entry.isFile() ? readFileSync(path, "utf8") : ""}`;
  });
  return lines.sort().join("\n");
}
