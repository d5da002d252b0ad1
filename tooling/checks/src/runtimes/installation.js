// @ts-check
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const workspace = resolve(fileURLToPath(new URL("../../../..", import.meta.url)));
const PACKAGES = "protocol sandbox text ls glob grep read read-opencode edit write patch move delete".split(" ");

// Builds and packs the packages, and installs them as a user would, with the suite beside them.
/** @returns {string} the folder */
export function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), "fstools-runtimes-"));
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  const filters = PACKAGES.map((name) => `--filter=@fstools/${name}`);
  run("pnpm", ["exec", "turbo", "run", "build", ...filters, "--output-logs=errors-only"], workspace);
  for (const name of PACKAGES) {
    run("pnpm", ["pack", "--pack-destination", tarballs], join(workspace, "packages", name));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const files = readdirSync(tarballs).map((name) => join(tarballs, name));
  run("npm", ["install", "--no-audit", "--no-fund", "--omit=optional", ...files], folder);
  copyFileSync(fileURLToPath(new URL("../../runtimes/suite.js", import.meta.url)), join(folder, "suite.js"));
  return folder;
}

/**
 * Installs a program from the registry into a folder that is kept for the next time.
 * @param {string} place the folder's name @param {string} specifier the package, with a version or without
 * @param {string} path the program's path in the package @returns {string} its absolute path
 */
export function installProgram(place, specifier, path) {
  const folder = join(tmpdir(), "fstools-runtimes", place);
  const program = join(folder, "node_modules", specifier.replace(/(?<=.)@.*$/u, ""), path);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  run("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--force", "--ignore-scripts", specifier], folder);
  return program;
}

/** @param {string} command @param {readonly string[]} parameters @param {string} cwd */
function run(command, parameters, cwd) {
  // On Windows pnpm and npm are scripts, which only a shell can start.
  const shell = process.platform === "win32";
  execFileSync(command, [...parameters], { cwd, shell, stdio: ["ignore", "ignore", "inherit"] });
}
