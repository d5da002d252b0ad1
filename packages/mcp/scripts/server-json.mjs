// Writes the package's version into server.json, which the MCP registry reads. `pnpm version-packages` runs it.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version } = JSON.parse(readFileSync(here("package.json"), "utf8"));
const text = readFileSync(here("server.json"), "utf8");
writeFileSync(here("server.json"), text.replaceAll(/"version": "[^"]*"/gu, `"version": "${version}"`));
