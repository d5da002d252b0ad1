import { cpSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Project } from "./project.ts";
import { run } from "./run.ts";

export interface Bundler {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly start: readonly [command: string, ...args: string[]];
}

const here = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const esbuild = (format: string, script: string): Bundler => ({
  name: `esbuild, ${format}`,
  command: here("node_modules/.bin/esbuild"),
  args: ["main.js", "--bundle", "--platform=node", `--format=${format}`, `--outfile=${format}/${script}`],
  folder: format,
  start: ["node", script],
});

export const BUNDLERS: readonly Bundler[] = [
  esbuild("esm", "main.mjs"),
  esbuild("cjs", "main.cjs"),
  {
    name: "Vite, for a server",
    command: here("node_modules/.bin/vite"),
    args: ["build", "--ssr", "main.js", "--outDir", "vite", "--logLevel", "error"],
    folder: "vite",
    start: ["node", "main.mjs"],
  },
];

export const BUNDLED_PACKAGES = ["toolset", "adapters", "mcp", "remote"].map((name) => `@fstools/${name}`);

export const EXPECTED = {
  LS: {
    entries: [
      { path: "greeting.txt", type: "file" },
      { path: "numbers.txt", type: "file" },
    ],
  },
  Glob: { paths: ["greeting.txt", "numbers.txt"] },
  Grep: { matches: [{ file: "numbers.txt", line: 2, text: "two" }] },
  Read: { content: "   1 | こ\n" },
  Edit: { applied: true, replacements: 1 },
};

const answersSchema = z.record(z.string(), z.looseObject({}));

export type Answers = z.output<typeof answersSchema>;

export function parseAnswers(text: string): Answers {
  return answersSchema.parse(JSON.parse(text));
}

export function writeProgram(project: Project): void {
  cpSync(here("bundles"), project.folder, { recursive: true });
  project.write("app/layout.js", "export default ({ children }) => <html><body>{children}</body></html>;\n");
  project.write("vite.config.js", "export default { ssr: { noExternal: true } };\n");
}

/** Bundles the program and runs it in an empty folder, where no package can be found. */
export async function bundleAndRun(bundler: Bundler, project: Project, emptyFolder: string): Promise<Answers> {
  await run(bundler.command, bundler.args, { cwd: project.folder });
  const alone = mkdtempSync(join(emptyFolder, "alone-"));
  cpSync(join(project.folder, bundler.folder), alone, { recursive: true });
  const [command, ...args] = bundler.start;
  return parseAnswers(await run(command, args, { cwd: alone }));
}
