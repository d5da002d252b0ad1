#!/usr/bin/env node
// @ts-check
// Builds the package in the current folder: the sources of each entry point become one file, because loading many small
// modules is what makes an import slow; dependencies stay imports, except for those that the manifest lists as "bundled", and
// what is imported lazily becomes a file of its own.
// A command is one file with its dependencies inside, since nothing else shares them. The licenses of what is inside are
// put beside it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  return Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : (target["@fstools/source"] ?? []),
  );
}

/**
 * What stays an import: everything, or the dependencies that are not to be bundled.
 *
 * @param {{ dependencies?: Record<string, string>, bundled?: string[] }} manifest
 * @returns {import("esbuild").BuildOptions}
 */
function externals({ dependencies = {}, bundled = [] }) {
  if (bundled.length === 0) return { packages: "external" };
  const names = Object.keys(dependencies).filter((name) => !bundled.includes(name));
  return { external: names.flatMap((name) => [name, `${name}/*`]) };
}

/** What a command finds beside it when it needs it: large, or with a program of its own inside. */
const LOADED_ON_USE = ["iconv-lite", "@vscode/ripgrep"];

/**
 * Puts into a command what the sources load by a `require` of their own, and of zod's translations the English one only.
 *
 * @type {import("esbuild").Plugin}
 */
const inlined = {
  name: "inlined",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]packages[\\/][\w-]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8").replaceAll(
        /createRequire\(import\.meta\.url\)\("(?!@fstools|iconv-lite)([^"]+)"\)/gu,
        'require("$1")',
      ),
    }));
    bundle.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    }));
  },
};

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

/** @type {import("esbuild").BuildOptions} */
const common = {
  outdir: "dist",
  outbase: "src",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  chunkNames: "chunks/[name]-[hash]",
  logLevel: "warning",
  metafile: true,
};

const LICENSES = "dist/THIRD-PARTY-LICENSES.txt";

/**
 * The names, versions and licenses of the packages whose code is inside what was built.
 *
 * @param {import("esbuild").Metafile[]} metafiles
 * @returns {string[]}
 */
function licensesInside(metafiles) {
  const sources = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = sources.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path) ?? []);
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const license = readdirSync(folder).find((file) => /^licen[cs]e/iu.test(file));
    if (license === undefined) throw new Error(`${name} has no license to put beside its code.`);
    return `${name} ${version}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
  });
}

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist", { recursive: true, force: true });
const built = [await build({ ...common, entryPoints: entrySources(manifest), ...externals(manifest) })];
if (existsSync(COMMAND)) {
  const command = await build({
    ...common,
    entryPoints: [COMMAND],
    conditions: ["@fstools/source"],
    external: [...LOADED_ON_USE, manifest.name],
    chunkNames: "command/[name]-[hash]",
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [inlined],
  });
  built.push(command);
}
const licenses = licensesInside(built.flatMap(({ metafile }) => metafile ?? []));
if (licenses.length > 0) writeFileSync(LICENSES, licenses.join("\n---\n\n"));
execFileSync(process.execPath, [tsc, "-p", "tsconfig.build.json", "--emitDeclarationOnly"], { stdio: "inherit" });
