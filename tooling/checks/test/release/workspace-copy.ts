import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolders, readManifest, writeManifest } from "./manifest.ts";
import type { Registry } from "./registry.ts";
import { run } from "./run.ts";

export const WORKSPACE = fileURLToPath(new URL("../../../../", import.meta.url)).replace(/\/$/u, "");

/** A copy of the repository in which a release can be made without a trace in the original. */
export interface WorkspaceCopy {
  readonly folder: string;
  version(): Promise<void>;
  /** By changesets, as a release does it, or by pnpm alone, which is quicker. */
  publish(by?: "pnpm"): Promise<void>;
  addChangeset(bumps: Readonly<Record<string, "patch" | "minor">>): void;
}

export async function copyWorkspace(folder: string, registry: Registry): Promise<WorkspaceCopy> {
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: WORKSPACE });
  for (const file of listed.split("\0")) copy(file, folder);
  for (const source of packageFolders(WORKSPACE)) {
    const relative = source.slice(WORKSPACE.length + 1);
    if (!existsSync(join(source, "dist"))) throw new Error(`${relative} is not built; run \`pnpm build\`.`);
    copy(join(relative, "dist"), folder);
    // pnpm reads the versions behind `workspace:^` from these links, which lead to the other packages of the copy.
    copy(join(relative, "node_modules"), folder);
    withoutProvenance(join(folder, relative));
  }
  symlinkSync(join(WORKSPACE, "node_modules"), join(folder, "node_modules"));
  await commitAll(folder);
  return release(folder, registry);
}

function copy(relative: string, folder: string): void {
  const source = join(WORKSPACE, relative);
  if (relative === "" || !existsSync(source)) return;
  mkdirSync(dirname(join(folder, relative)), { recursive: true });
  cpSync(source, join(folder, relative), { recursive: true, verbatimSymlinks: true });
}

// Provenance is signed with the identity of a CI job, and here there is no such job.
function withoutProvenance(folder: string): void {
  const { publishConfig, ...manifest } = readManifest(folder);
  writeManifest(folder, { ...manifest, publishConfig: { ...publishConfig, provenance: false } });
}

// changesets looks into git's history, and tags what it publishes.
async function commitAll(cwd: string): Promise<void> {
  const identity = ["-c", "user.name=release", "-c", "user.email=release@localhost", "-c", "commit.gpgsign=false"];
  await run("git", ["init", "--quiet", "--initial-branch=main"], { cwd });
  await run("git", ["add", "--all"], { cwd });
  await run("git", [...identity, "commit", "--quiet", "--message=Release proof"], { cwd });
}

function release(folder: string, registry: Registry): WorkspaceCopy {
  const changesets = join(WORKSPACE, "node_modules", "@changesets", "cli", "bin.js");
  const npmrc = join(folder, ".npmrc");
  writeFileSync(npmrc, `${registry.url.replace(/^http:/u, "")}:_authToken=${registry.token}\n`);
  const env = {
    npm_config_registry: registry.url,
    npm_config_userconfig: npmrc,
    GIT_AUTHOR_NAME: "release",
    GIT_AUTHOR_EMAIL: "release@localhost",
    GIT_COMMITTER_NAME: "release",
    GIT_COMMITTER_EMAIL: "release@localhost",
  };
  const changeset = (command: string) => run(process.execPath, [changesets, command], { cwd: folder, env });
  return {
    folder,
    version: async () => {
      await changeset("version");
    },
    publish: async (by) => {
      if (by === undefined) await changeset("publish");
      else await run("pnpm", ["--recursive", "publish", "--no-git-checks"], { cwd: folder, env });
    },
    addChangeset: (bumps) => {
      const lines = Object.entries(bumps).map(([name, bump]) => `"${name}": ${bump}`);
      const text = ["---", ...lines, "---", "", "Something new.", ""].join("\n");
      writeFileSync(join(folder, ".changeset", "proof.md"), text);
    },
  };
}
