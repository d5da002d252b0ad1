import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { mutations, type Mutation } from "./mutations.ts";
import { NODE_ARGUMENTS } from "./script.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
/** A race is not lost every time. */
const MAX_ROUNDS = 3;
const PACKAGES = ["protocol", "sandbox", "text", "ls", "glob", "grep", "read", "read-opencode", "edit", "write"];

/** Breaks a copy of the code in one place after the other; true if an attack found each. */
export async function runMutants({ seed, only }: { seed: string; only: readonly string[] }): Promise<boolean> {
  const chosen = mutations.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  let survivors = 0;
  for (const mutation of chosen) {
    const found = await hunt(mutation, seed);
    if (found === undefined) survivors++;
    console.log(
      `${found === undefined ? "SURVIVED" : "found   "} ${mutation.name}: ${found ?? `nothing noticed that ${mutation.what}`}`,
    );
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} mutants found; seed ${seed}`);
  return survivors === 0;
}

/** What the attack says about the broken copy, or undefined if it noticed nothing. */
async function hunt(mutation: Mutation, seed: string): Promise<string | undefined> {
  const copy = mkdtempSync(join(tmpdir(), "fstools-mutant-"));
  try {
    // Some attacks drop root's privileges and then load something.
    chmodSync(copy, 0o755);
    copyWorkspace(copy);
    mutate(copy, mutation);
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const found = await attackCopy(copy, [
        "--short",
        "--minutes",
        "0.2",
        "--seed",
        `${seed}-${round}`,
        "--only",
        mutation.attack,
      ]);
      if (found !== undefined) return found;
    }
    return undefined;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function attackCopy(copy: string, args: readonly string[]): Promise<string | undefined> {
  const main = join(copy, "tooling/torture/src/main.ts");
  const child = spawn(process.execPath, [...NODE_ARGUMENTS, main, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const printed = await text(child.stdout);
  return (await ended) === 1 ? firstFinding(printed) : undefined;
}

function firstFinding(printed: string): string | undefined {
  return printed
    .split("\n")
    .find((line) => line.startsWith("  "))
    ?.trim()
    .slice(0, 160);
}

/** The packages and the torture itself, with the links of their installed dependencies as they are. */
function copyWorkspace(copy: string): void {
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  for (const folder of [...PACKAGES.map((name) => `packages/${name}`), "tooling/torture"]) {
    mkdirSync(join(copy, folder), { recursive: true });
    for (const part of ["package.json", "src", "node_modules"]) {
      cpSync(join(repository, folder, part), join(copy, folder, part), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !/node_modules\/\.(?:bin|vite)/u.test(path),
      });
    }
  }
}

/** @throws if a place to break is not there exactly once: the code has moved on, and the mutation must follow */
export function mutate(workspace: string, { name, edits }: Mutation): void {
  for (const { file, search, replace } of edits) {
    const path = join(workspace, file);
    const source = readFileSync(path, "utf8");
    if (source.split(search).length !== 2) throw new Error(`${name}: '${search}' must occur once in ${file}.`);
    writeFileSync(
      path,
      source.replace(search, () => replace),
    );
  }
}
