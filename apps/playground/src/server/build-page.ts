import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const app = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(app, "dist");

/** Builds the page with Vite unless there is one of the same sources; returns where it is. */
export async function buildPage(): Promise<string> {
  const name = `page-${sourceHash().slice(0, 16)}`;
  const folder = join(dist, name);
  if (existsSync(folder)) return folder;
  // Built beside its place and then moved, so that two processes at once cannot spoil each other's work.
  const draft = join(dist, `draft-${process.pid}`);
  await runVite(draft);
  removeOldPages();
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function runVite(outputFolder: string): Promise<void> {
  const vite = join(app, "node_modules", "vite", "bin", "vite.js");
  const options = [
    "--config",
    join(app, "vite.config.ts"),
    "--outDir",
    outputFolder,
    "--emptyOutDir",
    "--logLevel",
    "warn",
  ];
  // In a process of its own: the tests' NODE_ENV would put React's development build into the page.
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)(process.execPath, [vite, "build", ...options], { cwd: app, env });
}

function removeOldPages(): void {
  const old = existsSync(dist) ? readdirSync(dist).filter((name) => name.startsWith("page-")) : [];
  for (const name of old) rmSync(join(dist, name), { recursive: true, force: true });
}

/** A hash over everything that ends up in the page. */
function sourceHash(): string {
  const protocol = fileURLToPath(new URL("src", import.meta.resolve("@fstools/protocol/package.json")));
  const files = [join(app, "src"), protocol].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort(),
  );
  const hash = createHash("sha256");
  for (const file of [...files, join(app, "vite.config.ts"), join(app, "package.json")]) {
    hash.update(file.slice(app.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}
