import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { parseArguments } from "../../../../packages/mcp/src/arguments.ts";

/** What is wrong with the commands of a `sh` block: they may use what the repository has, and nothing else. */
export function shellProblems(root: string, code: string): string[] {
  return code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(?:^|\s)#.*$/u, "").trim())
    .filter((line) => line !== "")
    .flatMap((line) => commandProblems(root, line.split(/\s+/u)));
}

function commandProblems(root: string, words: readonly string[]): string[] {
  const [command = "", ...rest] = words;
  if (/^[A-Z_]+=/u.test(command)) return commandProblems(root, rest);
  if (command === "npm" && (rest[0] === "i" || rest[0] === "install")) return installProblems(root, rest.slice(1));
  if (command === "git" && rest[0] === "clone") return cloneProblems(root, rest.slice(1));
  if (command === "cd") return rest.length === 1 ? [] : ["cd takes one folder"];
  if (command === "pnpm") return scriptProblems(root, rest);
  if (command === "npx") return npxProblems(root, rest);
  // An agent's own command, which ends in the one that it will run.
  if (["claude", "codex"].includes(command) && rest.includes("--"))
    return commandProblems(root, rest.slice(rest.indexOf("--") + 1));
  return [`nothing checks this command: ${words.join(" ")}`];
}

function npxProblems(root: string, words: readonly string[]): string[] {
  const [name = "", ...args] = words.filter((word) => word !== "-y");
  if (name.startsWith("pnpm@")) return [...pnpmProblems(root, name.slice(5)), ...scriptProblems(root, args)];
  if (name !== "@fstools/mcp") return [`nothing checks this command: npx ${name}`];
  try {
    parseArguments(args.map((argument) => argument.replaceAll(/^'|'$/gu, "")));
    return [];
  } catch (error) {
    return [String(error)];
  }
}

const manifestSchema = z.object({ packageManager: z.string(), scripts: z.record(z.string(), z.string()) });

function readRootManifest(root: string) {
  return manifestSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
}

function pnpmProblems(root: string, version: string): string[] {
  return readRootManifest(root).packageManager.startsWith(`pnpm@${version}+`)
    ? []
    : [`not the pnpm of this repository: ${version}`];
}

function scriptProblems(root: string, [script = "", ...args]: readonly string[]): string[] {
  if (script === "run") return scriptProblems(root, args);
  return script === "install" || script in readRootManifest(root).scripts ? [] : [`no such script: ${script}`];
}

function cloneProblems(root: string, words: readonly string[]): string[] {
  const manifest = readFileSync(join(root, "packages", "protocol", "package.json"), "utf8");
  return words.length === 1 && manifest.includes(`git+${words[0] ?? ""}"`)
    ? []
    : [`not this repository: ${words.join(" ")}`];
}

/** Not installed here: one needs a later Node, and a script of packages/adapters tries it there; the other an API key. */
const TRIED_ELSEWHERE: ReadonlySet<string> = new Set(["@langchain/anthropic", "@mastra/core"]);

function installProblems(root: string, names: readonly string[]): string[] {
  const catalog = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  const known = (name: string) =>
    TRIED_ELSEWHERE.has(name) ||
    (name.startsWith("@fstools/")
      ? existsSync(join(root, "packages", name.slice(9), "package.json"))
      : catalog.includes(`\n  ${name}: `) || catalog.includes(`\n  "${name}": `));
  return names.filter((name) => !known(name)).map((name) => `no such package: ${name}`);
}
