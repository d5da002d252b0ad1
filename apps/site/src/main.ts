import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vitepress";
import { llmsText } from "./llms.ts";
import { readSite, ROOT } from "./pages.ts";

// Builds the site into apps/site/dist: `pnpm docs:site`. A link to nothing ends it.

const folder = fileURLToPath(new URL("../.cache/pages", import.meta.url));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const { pages, pictures, deadLinks } = readSite();
if (deadLinks.length > 0) throw new Error(`Links to what is not there:\n${deadLinks.join("\n")}`);
rmSync(folder, { recursive: true, force: true });
for (const { path, markdown } of pages) {
  write(path, markdown);
  // For programs that read Markdown; llms.txt names them.
  write(join("public", path), markdown);
}
write("public/llms.txt", llmsText(pages));
for (const picture of pictures) cpSync(join(ROOT, picture), join(folder, "public", picture), { recursive: true });
const typedoc = [
  "--filter",
  "@fstools/checks",
  "--silent",
  "docs:api",
  "--out",
  join(folder, "api"),
  "--entryFileName",
  "index",
];
execFileSync("pnpm", typedoc, { stdio: "inherit" });
// VitePress looks for it there.
write(".vitepress/config.ts", 'export { default } from "../../../src/config.ts";\n');
await build(folder);
