import { realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Attack } from "../attack.ts";
import { CANARY, show, type Victim } from "../examine.ts";
import { createProject, type Project } from "../project.ts";
import type { Random } from "../random.ts";
import type { Tally } from "../tally.ts";

const RENEWED_LINKS = 8;

export const paths: Attack = {
  name: "paths",
  what: "takes paths made of links, dots, absolute parts and look-alikes, while the links keep changing; `deny` rules",
  minimum: { full: 30_000, short: 300 },
  mustSee: ["led inside", "led outside"],
  run: async ({ random, folder, root, tally, tools, repeat }) => {
    const project = createProject(folder);
    const { readers, call } = tools({ workingDir: join(root, "src"), deny: ["*.hush"] });
    writeFileSync(join(root, "src", "denied.hush"), `${CANARY}\n`);
    symlinkSync("src/denied.hush", join(root, "hush-link"));
    await repeat(1, async (turn) => {
      if (turn % 50 < 5) renewLinks(random, project);
      const victim = random.pick(readers);
      const path = hostilePath(random, project);
      const answer = await call(victim, paramsFor(victim, path, random));
      const verdict = whereItLeads(victim, path, root);
      if (verdict !== undefined) tally.saw(`led ${verdict}`);
      if (verdict === "outside" && answer !== undefined && answer.status !== "error")
        tally.violation(`${victim.name} accepted ${show(path)}, which leads outside`);
      // The attack itself never names a file that is denied by its own name.
      if (JSON.stringify(answer?.data ?? {}).includes(".hush"))
        tally.violation(`${victim.name} shows what is denied: ${answer?.text ?? ""}`);
      if (turn % 100 === 0) await compareMissing(project, readers, tally.violation);
    });
  },
};

function paramsFor(victim: Victim, path: string, random: Random): object {
  if (victim.category === "grep") return { pattern: ".", path, include_hidden: random.chance(0.5) };
  if (victim.category !== "glob") return { [victim.pathParameter]: path };
  const pattern = random.pick(["**/*", "**/*.ts", "*", "secret.txt", `${path}/*`, path]);
  return { pattern, path, include_hidden: random.chance(0.5), include_ignored: random.chance(0.5) };
}

/** Where the system itself would end up; undefined where it would not get anywhere, or where the tools read the path differently. */
function whereItLeads(victim: Victim, path: string, root: string): "inside" | "outside" | undefined {
  if (path.trim() === "" || (victim.category === "glob" && path.trim() !== path)) return undefined;
  const bases = victim.category === "glob" ? [root] : [root, join(root, "src")];
  const verdicts = bases.map((base) => leadsTo(path, base, [root])?.isInside);
  if (verdicts.includes(true)) return "inside";
  return verdicts.every((isInside) => isInside === false) ? "outside" : undefined;
}

/** Where the system gets with a path, if anywhere, and whether that is in one of the roots. */
export function leadsTo(path: string, base: string, roots: readonly string[]) {
  try {
    // String concatenation, not `join`: `link/..` must not be shortened before the system sees it.
    const real = realpathSync(path.startsWith("/") ? path : `${base}/${path}`);
    return { real, isInside: roots.some((root) => real === root || real.startsWith(`${root}/`)) };
  } catch {
    return undefined;
  }
}

/** A path made of what is there, of dots, and of what only looks like it. */
export function hostilePath(random: Random, { root, outside, paths }: Project): string {
  const parts = Array.from({ length: random.integer(1, 6) }, () => segment(random, paths));
  const relative = parts.join(random.chance(0.95) ? "/" : "//");
  const start = random.fraction();
  if (start < 0.1) return `${root}/${relative}`;
  if (start < 0.15) return `${root}-evil/${relative}`;
  if (start < 0.2) return `${outside}/${random.pick(["", "secret.txt", relative])}`;
  if (start < 0.25) return `/${relative}`;
  if (start < 0.3) return resolve(root, "..", "..", relative);
  return random.chance(0.1) ? `${relative}/` : relative;
}

const ODD_SEGMENTS = "..|..|..|.||secret.txt|outside|project|project-evil|hush-link|...|.. |%2e%2e".split("|");

function segment(random: Random, paths: readonly string[]): string {
  if (random.chance(0.35)) return random.pick(ODD_SEGMENTS);
  if (random.chance(0.3)) return `drawn-${random.integer(0, RENEWED_LINKS - 1)}`;
  return random.pick(paths);
}

function renewLinks(random: Random, project: Project): void {
  const link = join(project.root, `drawn-${random.integer(0, RENEWED_LINKS - 1)}`);
  const target = random.chance(0.3) ? project.outside : hostilePath(random, project);
  rmSync(link, { force: true });
  if (target !== "" && !target.includes("\0")) symlinkSync(target.slice(0, 1000), link);
}

/** What is missing outside must look the same as what exists there. */
async function compareMissing({ root, outside }: Project, victims: readonly Victim[], complain: Tally["violation"]) {
  const places = ["../../outside", outside, `${root}/out-directory`];
  const pairs = places.map((place) => [`${place}/secret.txt`, `${place}/no-such-file`] as const);
  for (const { run, name, parameters, pathParameter } of victims) {
    for (const [existing, missing] of [[outside, `${outside}-missing`] as const, ...pairs]) {
      const tell = async (path: string) => {
        const params = parameters.includes("pattern") ? { pattern: ".*", path } : { [pathParameter]: path };
        const { status, error, text } = await run(params);
        return JSON.stringify({ status, error, text }).replaceAll(path, "PATH").replaceAll(/\d+ms/gu, "");
      };
      const [ofExisting, ofMissing] = [await tell(existing), await tell(missing)];
      if (ofExisting !== ofMissing) complain(`${name} tells what exists outside: ${ofExisting} or ${ofMissing}`);
    }
  }
}
