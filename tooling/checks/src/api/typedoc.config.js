// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../../../packages/", import.meta.url));
const TYPES = /"types": "\.\/(?<file>[^"]+)"/gu;

/** What a package exports, as it was built: the sources take three times as long. @param {string} name */
function entryPoints(name) {
  const manifest = readFileSync(`${packages}${name}/package.json`, "utf8");
  const files = new Set(Array.from(manifest.matchAll(TYPES), ({ groups }) => groups?.["file"]));
  return Array.from(files, (file) => `${packages}${name}/${file}`);
}

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
export default {
  name: "fstools",
  entryPoints: readdirSync(packages).flatMap(entryPoints),
  tsconfig: "tsconfig.packages.json",
  plugin: ["typedoc-plugin-markdown", "./modules.js"],
  out: "../../../../docs/api",
  outputFileStrategy: "modules",
  readme: "none",
  disableSources: true,
  excludeExternals: true,
  validation: { notDocumented: false, invalidLink: true, notExported: false },
  treatValidationWarningsAsErrors: true,
};
