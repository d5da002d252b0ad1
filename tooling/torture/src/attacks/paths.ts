import { realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Attack } from "../attack.ts";
import { CANARY, examine, show } from "../examine.ts";
import { createProject, type Project } from "../project.ts";
import type { Random } from "../random.ts";
import type { Answer } from "../response.ts";
import { createVictims, type Victim } from "../tools.ts";

const RENEWED_LINKS = 8;

/** Paths through links of every kind: nothing outside the root is read, listed, found, or told to exist. */
export const paths: Attack = {
  name: "paths",
  what: "paths made of links, dots, absolute parts and look-alikes, while the links keep changing",
  minimum: { full: 30_000, short: 300 },
  run: async ({ random, folder, tally, goOn }) => {
    const project = createProject(folder);
    const { root } = project;
    const options = { projectRoot: root, workingDir: join(root, "src"), deny: ["*.pem"] };
    const victims = createVictims(options, (error) => {
      tally.violation(`internal error: ${String(error)}`);
    });
    writeFileSync(join(root, "src", "denied.pem"), `${CANARY}\n`);
    symlinkSync("src/denied.pem", join(root, "pem-link"));
    const counts = { inside: 0, outside: 0 };
    while (goOn()) {
      if (tally.attempts % 50 < 5) renewLinks(random, project);
      const victim = random.pick(victims);
      const path = hostilePath(random, project);
      const response = await examine(tally, victim, paramsFor(victim, path, random));
      const verdict = whereItLeads(victim, path, root);
      if (verdict === "outside") counts.outside++;
      if (verdict === "inside") counts.inside++;
      if (verdict === "outside" && response !== undefined && response.status !== "error") {
        tally.violation(`${victim.name} accepted ${show(path)}, which leads outside`);
      }
      if (showsDenied(response)) tally.violation(`${victim.name} shows what is denied: ${response?.text ?? ""}`);
      if (tally.attempts % 100 === 0) await compareMissing(project, victims, tally.violation);
    }
    if (counts.outside === 0 || counts.inside === 0) tally.violation("no path led outside: the attack is blunt");
    tally.note("led inside", String(counts.inside));
    tally.note("led outside", String(counts.outside));
  },
};

/** The attack itself never names a file that is denied by its own name. */
function showsDenied(answer: Answer | undefined): boolean {
  return answer !== undefined && JSON.stringify(answer.data).includes(".pem");
}

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
  const verdicts = bases.map((base) => {
    try {
      // String concatenation, not `join`: `link/..` must not be shortened before the system sees it.
      const real = realpathSync(path.startsWith("/") ? path : `${base}/${path}`);
      return real === root || real.startsWith(`${root}/`) ? "inside" : "outside";
    } catch {
      return undefined;
    }
  });
  if (verdicts.includes("inside")) return "inside";
  return verdicts.every((verdict) => verdict === "outside") ? "outside" : undefined;
}

function hostilePath(random: Random, { root, outside, paths }: Project): string {
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

const ODD_SEGMENTS = [
  ...[
    "..",
    "..",
    "..",
    ".",
    "",
    "secret.txt",
    "outside",
    "project",
    "project-evil",
    "pem-link",
    "...",
    ".. ",
    "%2e%2e",
  ],
];

function segment(random: Random, paths: readonly string[]): string {
  if (random.chance(0.35)) return random.pick(ODD_SEGMENTS);
  if (random.chance(0.3)) return `drawn-${random.integer(0, RENEWED_LINKS - 1)}`;
  return random.pick(paths);
}

/** Some links lead somewhere else each time. */
function renewLinks(random: Random, project: Project): void {
  const link = join(project.root, `drawn-${random.integer(0, RENEWED_LINKS - 1)}`);
  const target = random.chance(0.3) ? project.outside : hostilePath(random, project);
  rmSync(link, { force: true });
  if (target !== "" && !target.includes("\0")) symlinkSync(target.slice(0, 1000), link);
}

/** What is missing outside must look the same as what exists there. */
async function compareMissing(
  { root, outside }: Project,
  victims: readonly Victim[],
  complain: (what: string) => void,
): Promise<void> {
  for (const victim of victims) {
    for (const [existing, missing] of [
      [outside, `${outside}-missing`],
      ["../../outside/secret.txt", "../../outside/no-such-file"],
      [`${outside}/secret.txt`, `${outside}/no-such-file`],
      [`${root}/out-directory/secret.txt`, `${root}/out-directory/no-such-file`],
    ] as const) {
      const tell = async (path: string) => {
        const { status, error, text } = await victim.run(
          victim.parameters.includes("pattern") ? { pattern: ".*", path } : { [victim.pathParameter]: path },
        );
        return JSON.stringify({ status, error, text }).replaceAll(path, "PATH").replaceAll(/\d+ms/gu, "");
      };
      const [ofExisting, ofMissing] = [await tell(existing), await tell(missing)];
      if (ofExisting !== ofMissing) complain(`${victim.name} tells what exists outside: ${ofExisting} or ${ofMissing}`);
    }
  }
}
