import type * as Esbuild from "esbuild";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";

// `pnpm test` builds all packages first and says so: to load what is built takes Node a sixth of the time.
const isBuilt = process.env.FSTOOLS_BUILT !== undefined;
const programs = new Map<string, string>();

/** Options with which Node runs TypeScript: from the packages' sources, or from what was built of them. */
export const NODE_OPTIONS: readonly string[] = [
  ...(isBuilt ? [] : ["--conditions=@fstools/source"]),
  "--import",
  import.meta.resolve("tsx"),
];

/** The arguments with which Node runs one of our programs, which may be the source of a published one. */
export function nodeArguments(entry: string): string[] {
  if (!isBuilt) return [...NODE_OPTIONS, entry];
  if (entry.endsWith(".mjs")) return [entry];
  const folder = packageOf(entry);
  const published = join(folder, "dist", relative(join(folder, "src"), entry).replace(/\.ts$/u, ".js"));
  if (existsSync(published)) return [published];
  if (!programs.has(entry)) programs.set(entry, bundled(entry, folder));
  return [programs.get(entry) ?? ""];
}

/** In a folder of its package beside the sources, so that it finds what that depends on, and what lies beside those. */
function bundled(entry: string, folder: string): string {
  const outdir = join(folder, `.programs-${process.pid}`);
  process.once("exit", () => {
    rmSync(outdir, { recursive: true, force: true });
  });
  // Most tests start no program.
  const { buildSync } = createRequire(import.meta.resolve("@fstools/testing"))("esbuild") as typeof Esbuild;
  buildSync({
    entryPoints: [entry],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // What a program imports later must not be loaded earlier.
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Everything but sources of which nothing was built.
    external: [...dependencies(folder), "tsx", "esbuild"],
  });
  return join(outdir, `${basename(entry, ".ts")}.mjs`);
}

function dependencies(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, object>;
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const names = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}));
  return names.filter((name) => name !== "@fstools/testing" && name !== "@fstools/measure");
}

function packageOf(path: string): string {
  const folder = dirname(path);
  return existsSync(join(folder, "package.json")) ? folder : packageOf(folder);
}
