#!/usr/bin/env node
// @ts-check
// Builds the package in the current folder: the sources of each entry point become one file, because loading many small
// modules is what makes an import slow; dependencies stay imports, and what is imported lazily becomes a file of its own.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

/** What a package's command runs, if it has one. */
const COMMAND = "src/bin.ts";

/**
 * The TypeScript sources that the package's entry points and command are built from.
 *
 * @param {{ exports: Record<string, string | Record<string, string>> }} manifest
 */
function entrySources({ exports }) {
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [target["@fstools/source"]],
  );
  return existsSync(COMMAND) ? [...exported, COMMAND] : exported;
}

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: entrySources(JSON.parse(readFileSync("package.json", "utf8"))),
  outdir: "dist",
  outbase: "src",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "chunks/[name]-[hash]",
  logLevel: "warning",
});
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--emitDeclarationOnly"], { stdio: "inherit" });
