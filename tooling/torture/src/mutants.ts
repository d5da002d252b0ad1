import { spawn } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { programArguments } from "./processes.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));
/** A race is not lost every time. */
const MAX_ROUNDS = 3;
const TOOLING = ["torture", "testing", "measure", "presets"];

export interface Mutation {
  readonly name: string;
  readonly what: string;
  readonly attack: string;
  /** A part of what it must say, where the attack could also notice something else first. */
  readonly sign: string;
  /** Files below `packages`, each with one place in it, and what that is replaced by. */
  readonly edits: readonly { readonly file: string; readonly search: string; readonly replacement: string }[];
}

/** All of mutations.txt: a line `attack | name | what it does | sign`, then files, each with lines to remove and to add. */
export const mutations: readonly Mutation[] = readFileSync(new URL("../mutations.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((block) => {
    const [head = "", ...lines] = block.split("\n");
    const [attack = "", name = "", what = "", sign = ""] = head.split(" | ");
    return { attack, name, what, sign, edits: editsIn(lines) };
  });

function editsIn(lines: readonly string[]): Mutation["edits"] {
  const edits: { file: string; removed: string[]; added: string[] }[] = [];
  let file = "";
  for (const line of lines) {
    const last = edits.at(-1);
    if (line.startsWith("+")) last?.added.push(line.slice(1));
    else if (!line.startsWith("-")) {
      file = line;
      edits.push({ file, removed: [], added: [] });
    } else if (last === undefined || last.added.length > 0) edits.push({ file, removed: [line.slice(1)], added: [] });
    else last.removed.push(line.slice(1));
  }
  return edits.map(({ file, removed, added }) => ({ file, search: removed.join("\n"), replacement: added.join("\n") }));
}

export interface Hunt {
  readonly mutation: Mutation;
  readonly found: string | undefined;
}

/** Breaks a copy of the code in one place after the other. @throws if an attack finds something in the copy as it is */
export async function runMutants({ seed, only }: { seed: string; only: readonly string[] }): Promise<Hunt[]> {
  const chosen = mutations.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
  for (const attack of new Set(chosen.map((mutation) => mutation.attack))) {
    const [complaint] = await inCopy((copy) => attackCopy(copy, ["--short", "--seed", seed, "--only", attack]));
    if (complaint !== undefined) throw new Error(`Without any mutant: ${complaint}`);
  }
  const hunts: Hunt[] = [];
  for (const mutation of chosen) {
    const found = await hunt(mutation, seed);
    hunts.push({ mutation, found });
    const { name, what } = mutation;
    console.log(found === undefined ? `SURVIVED ${name}: nothing noticed that ${what}` : `found    ${name}: ${found}`);
  }
  return hunts;
}

async function hunt(mutation: Mutation, seed: string): Promise<string | undefined> {
  return inCopy(async (copy) => {
    mutate(copy, mutation);
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      const { attack, sign } = mutation;
      const args = ["--short", "--minutes", "0.2", "--seed", `${seed}-${round}`, "--only", attack];
      const found = (await attackCopy(copy, args)).find((violation) => violation.includes(sign));
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

async function inCopy<Result>(work: (copy: string) => Promise<Result>): Promise<Result> {
  const copy = mkdtempSync(join(tmpdir(), "fstools-mutant-"));
  try {
    // Some attacks drop root's privileges and then load something.
    chmodSync(copy, 0o755);
    copyWorkspace(copy);
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function attackCopy(copy: string, args: readonly string[]): Promise<string[]> {
  const main = join(copy, "tooling/torture/src/main.ts");
  const child = spawn(process.execPath, [...programArguments(main), ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const printed = await text(child.stdout);
  if ((await ended) === 0) return [];
  const violations = printed.split("\n").filter((line) => line.startsWith("  "));
  if (violations.length === 0) throw new Error(`The attack could not be started: ${args.join(" ")}`);
  return violations.map((line) => line.trim().slice(0, 160));
}

/** The packages and the torture itself, with the links of their installed dependencies as they are. */
function copyWorkspace(copy: string): void {
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  for (const data of ["mutations.txt", "tables.json"])
    cpSync(join(repository, "tooling/torture", data), join(copy, "tooling/torture", data));
  const packages = readdirSync(join(repository, "packages")).map((name) => `packages/${name}`);
  for (const folder of [...packages, ...TOOLING.map((name) => `tooling/${name}`), "apps/playground"]) {
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
  for (const { file, search, replacement } of edits) {
    const path = join(workspace, "packages", file);
    const source = readFileSync(path, "utf8");
    if (source.split(search).length !== 2) throw new Error(`${name}: '${search}' must occur once in ${file}.`);
    writeFileSync(
      path,
      source.replace(search, () => replacement),
    );
  }
}
