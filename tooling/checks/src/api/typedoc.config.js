// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../../../../packages/", import.meta.url));
const SOURCE = /"@fstools\/source": "\.\/(?<file>[^"]+)"/gu;

/** The sources of what a package exports. @param {string} name */
function entryPoints(name) {
  const manifest = readFileSync(`${packages}${name}/package.json`, "utf8");
  return [...manifest.matchAll(SOURCE)].map(({ groups }) => `${packages}${name}/${groups?.["file"]}`);
}

/** @type {Partial<import("typedoc").TypeDocOptions & import("typedoc-plugin-markdown").PluginOptions>} */
export default {
  name: "fstools",
  entryPoints: readdirSync(packages).flatMap(entryPoints),
  tsconfig: "tsconfig.packages.json",
  plugin: ["typedoc-plugin-markdown", "./name-modules.js"],
  out: "../../../../docs/api",
  outputFileStrategy: "modules",
  readme: "none",
  disableSources: true,
  excludeExternals: true,
  requiredToBeDocumented: ["Class", "Enum", "Function", "Interface", "TypeAlias", "Variable"],
  validation: { notDocumented: true, invalidLink: true, notExported: false },
  treatValidationWarningsAsErrors: true,
};
