#!/usr/bin/env node
// @ts-check
// Builds the package in the current folder: the sources of each entry point become one file, because loading many small
// modules is what makes an import slow. What the manifest lists under "dependencies" stays an import, unless "bundled" names
// it too; other packages go inside. What is imported lazily becomes a file of its own. A command is one file with its
// dependencies inside, since nothing else shares them. What "workers" names are files that run in threads of their own. The
// licenses of what is inside are put beside it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const COMMAND = "src/bin.ts";

// The TypeScript sources that the package's entry points and command are built from.
/** @param {{ exports: Record<string, string | Record<string, string>> }} manifest */
function entrySources({ exports }) {
  return Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : (target["@fstools/source"] ?? []),
  );
}

// What stays an import.
/** @param {{ name: string, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>, bundled?: string[] }} manifest */
function externals({ name, dependencies = {}, peerDependencies = {}, bundled = [] }) {
  const names = Object.keys({ [name]: "", ...dependencies, ...peerDependencies });
  return names.filter((one) => !bundled.includes(one)).flatMap((one) => [one, `${one}/*`]);
}

/** What stands for the parts of Node that a CommonJS package inside an ES module asks for; `require` is not there. */
const STAND_INS = new Map([
  ["buffer", 'export { Buffer } from "node:buffer";'],
  ["string_decoder", 'export { StringDecoder } from "node:string_decoder";'],
  // iconv-lite does without it where nobody asks for its streams.
  ["stream", "export {};"],
  // The real one takes milliseconds to set up, and most hosts have no rule that needs it.
  ["picomatch", 'export default { makeRe: (...all) => require("picomatch").makeRe(...all) };'],
]);

/** @type {import("esbuild").Plugin} */
const standIns = {
  name: "stand-ins",
  setup(bundle) {
    bundle.onResolve({ filter: new RegExp(`^(${[...STAND_INS.keys()].join("|")})$`) }, ({ path, kind, resolveDir }) => {
      const isMeant = kind === (path === "picomatch" ? "import-statement" : "require-call");
      return isMeant ? { path, namespace: "stand-in", pluginData: resolveDir } : undefined;
    });
    bundle.onLoad({ filter: /./, namespace: "stand-in" }, ({ path, pluginData }) => {
      return { contents: STAND_INS.get(path) ?? "", resolveDir: pluginData };
    });
  },
};

/** Of zod's translations the English one only. @type {import("esbuild").Plugin} */
const englishOnly = {
  name: "english-only",
  setup(bundle) {
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
  target: "node20.19",
  // esbuild would make constructors of the regular expressions that name properties of Unicode.
  supported: { "regexp-unicode-property-escapes": true },
  chunkNames: "chunks/[name]-[hash]",
  charset: "utf8",
  // Less to load, with names and short lines for stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  metafile: true,
  plugins: [standIns],
};

// The names, versions and licenses of the packages whose code is inside what was built.
/** @param {import("esbuild").Metafile[]} metafiles @returns {string[]} */
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
const built = [await build({ ...common, entryPoints: entrySources(manifest), external: externals(manifest) })];
// An entry point would load esbuild's helpers for its chunks before it needs one.
for (const path of Object.keys(built[0]?.metafile?.outputs ?? {}))
  writeFileSync(path, readFileSync(path, "utf8").replace(/^import"\.[^"]+";/u, ""));
if (manifest.workers !== undefined) built.push(await build({ ...common, entryPoints: manifest.workers }));
if (existsSync(COMMAND)) {
  const command = await build({
    ...common,
    entryPoints: [COMMAND],
    conditions: ["@fstools/source"],
    external: [`${manifest.name}/*`],
    chunkNames: "command/[name]-[hash]",
    plugins: [standIns, englishOnly],
  });
  built.push(command);
}
const licenses = licensesInside(built.flatMap(({ metafile }) => metafile ?? []));
if (licenses.length > 0) writeFileSync("dist/THIRD-PARTY-LICENSES.txt", licenses.join("\n---\n\n"));
const declarations = ["-p", "tsconfig.build.json", "--emitDeclarationOnly", "--declarationMap", "false"];
execFileSync(process.execPath, [tsc, ...declarations], { stdio: "inherit" });
