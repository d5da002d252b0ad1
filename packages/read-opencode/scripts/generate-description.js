// @ts-check
// Writes src/description.ts from src/description.txt, so that code imports the text and no file is read at run time.
import { readFileSync, writeFileSync } from "node:fs";

const text = readFileSync(new URL("../src/description.txt", import.meta.url), "utf8");
const literal = text.replaceAll(/[\\`]|\$\{/gu, String.raw`\$&`);

writeFileSync(
  new URL("../src/description.ts", import.meta.url),
  `/** What the model is told about the tool: the text of description.txt, written here by \`pnpm generate\`. */
export const description = \`${literal}\`;
`,
);
