// Builds a bundle that Claude Desktop and others install with a click: the server in one file, and what to ask the user.
// Usage: node packages/mcp/scripts/mcpb.mjs fstools.mcpb
import { build } from "esbuild";
import { strToU8, zipSync } from "fflate";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version, description, license, repository, homepage } = JSON.parse(readFileSync(here("package.json"), "utf8"));

const { outputFiles } = await build({
  entryPoints: [here("src/bin.ts")],
  bundle: true,
  minify: true,
  write: false,
  platform: "node",
  target: "node20",
  format: "esm",
  conditions: ["@fstools/source"],
  // What is CommonJS inside asks for Node's modules.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

const manifest = {
  manifest_version: "0.3",
  name: "fstools",
  display_name: "fstools",
  version,
  description,
  author: { name: "fstools", url: "https://github.com/fstools" },
  repository: { type: "git", url: repository.url.replace("git+", "") },
  homepage,
  license,
  server: {
    type: "node",
    entry_point: "server.mjs",
    mcp_config: { command: "node", args: ["${__dirname}/server.mjs", "${user_config.directories}"], env: {} },
  },
  tools_generated: true,
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=20.19.0" } },
  user_config: {
    directories: {
      type: "directory",
      title: "Directories",
      description: "What the tools may look into",
      multiple: true,
      required: true,
    },
  },
};

const [file = "fstools.mcpb"] = process.argv.slice(2);
const [server] = outputFiles;
writeFileSync(
  file,
  zipSync({
    "manifest.json": strToU8(JSON.stringify(manifest, null, 2)),
    "server.mjs": server?.contents ?? new Uint8Array(),
  }),
);
process.stdout.write(`${file}: ${Math.round((server?.contents.length ?? 0) / 1024)} KB, version ${version}\n`);
