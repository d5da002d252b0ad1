import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { rivalFolder, type Rival } from "./list.ts";

const run = promisify(execFile);

/** Written last, so that an installation that was broken off is not taken for a whole one. */
const DONE = "installed.json";

export async function install(rival: Rival): Promise<void> {
  const missing = rival.needs?.find((names) => !names.split("|").some(isInstalled));
  if (missing !== undefined) throw new Error(`it needs ${missing.replace("|", " or ")}, which is not installed`);
  const folder = rivalFolder(rival);
  if (existsSync(join(folder, DONE))) return;
  console.error(`installing ${rival.package}@${rival.version} into ${folder}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const dependencies = { [rival.package]: rival.version, ...rival.with };
  const manifest = { private: true, dependencies, overrides: rival.overrides ?? {} };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  try {
    await run("npm", ["install", ...NPM_OPTIONS], { cwd: folder });
  } catch (error) {
    throw new Error(refusal(error), { cause: error });
  }
  writeFileSync(join(folder, DONE), JSON.stringify(dependencies));
}

// Some name a newer Node than they need; those that need it bring it along.
const NPM_OPTIONS = ["--ignore-scripts", "--legacy-peer-deps", "--engine-strict=false", "--no-audit", "--no-fund"];

function isInstalled(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** What npm said, in one line and without the addresses of this machine's registry. */
function refusal(error: unknown): string {
  const printed = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
  const line = printed.split("\n").find((candidate) => /npm (?:error|ERR!) (?!code)/u.test(candidate));
  return (line ?? "npm failed").replace(/npm (?:error|ERR!) /u, "").replaceAll(/https?:\S+/gu, "the registry");
}
