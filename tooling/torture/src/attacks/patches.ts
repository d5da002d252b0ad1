import { createFileVersions } from "@fstools/sandbox";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack } from "../attack.ts";
import type { Random } from "../random.ts";
import { lay } from "../project.ts";
import type { Tools } from "../tools.ts";

const TEMPORARY = /^\.fstools-[\da-f]{16}\.(?:tmp|old)$/u;
const WORDS = ["a", "a", "b", "}", "", "  c", "漢😀", "-- d", "++ e", "@@ f"];
const THEIRS = "saved by somebody else\n";

export const patches: Attack = {
  name: "patches",
  what: "patches several files at random, most lines of which are alike, while another program saves one of them",
  minimum: { full: 5000, short: 100 },
  mustSee: ["made", "refused", "kept theirs"],
  run: async (arena) => {
    const { call } = arena.tools({ versions: createFileVersions() });
    // A directory of its own each time: of a name it had the tools would know that it changed.
    await arena.repeat(4, (turn) => strike(arena, `d-${turn}`, call));
  },
};

interface Section {
  readonly name: string;
  readonly before: readonly string[];
  readonly lines: readonly string[];
  readonly after?: readonly string[];
  readonly to?: string;
  readonly isRefused: boolean;
}

async function strike({ random, root, tally }: Arena, folder: string, call: Tools["call"]): Promise<void> {
  const sections = Array.from({ length: random.integer(1, 6) }, (_, index) => section(random, `${folder}/f-${index}`));
  // A file, and one in a directory of its name: that shows only when the files before them are in place.
  if (random.chance(0.2))
    for (const name of ["both", "both/deep"]) sections.push(added(`${folder}/${name}`, ["x"], true));
  mkdirSync(join(root, folder));
  for (const { name, before } of sections) if (before.length > 0) lay(root, [name], text(before));
  const patch = ["*** Begin Patch", ...sections.flatMap(({ lines }) => lines), "*** End Patch"].join("\n");
  const complain = (problem: string) => {
    tally.violation(`${problem}: ${JSON.stringify(patch)} of ${JSON.stringify(sections.map(({ before }) => before))}`);
  };
  const answering = call("Patch", { patch });
  const victim = random.chance(0.4) ? sections.findLast(({ before }) => before.length > 0) : undefined;
  if (victim !== undefined) {
    for (let turn = random.integer(0, 6); turn > 0; turn--) await new Promise(setImmediate);
    const path = join(root, victim.name);
    writeFileSync(`${path}.theirs`, THEIRS);
    renameSync(`${path}.theirs`, path);
  }
  const isDone = (await answering)?.status !== "error";
  const found = filesIn(join(root, folder), folder);
  const expected = new Map<string, string>();
  for (const { name, before, after, to } of sections) {
    if (!isDone && before.length > 0) expected.set(name, text(before));
    if (isDone && after !== undefined) expected.set(to ?? name, text(after));
  }
  if (victim === undefined && isDone === sections.some(({ isRefused }) => isRefused)) {
    complain(isDone ? "took a place by chance" : "refused what has one place");
  }
  tally.saw(isDone ? "made" : "refused");
  for (const [name, content] of found) {
    const isTheirs = content === THEIRS && name === victim?.name;
    if (isTheirs) tally.saw("kept theirs");
    if (TEMPORARY.test(name.slice(folder.length + 1))) complain("left a temporary file");
    else if (!isTheirs && expected.get(name) !== content) complain(`left half a patch: ${name} has '${content}'`);
  }
  for (const name of expected.keys()) if (!found.has(name)) complain(`lost ${name}`);
  rmSync(join(root, folder), { recursive: true, force: true });
}

function section(random: Random, name: string): Section {
  const before = Array.from({ length: random.integer(1, 30) }, () => random.pick(WORDS));
  const kind = random.pick(["change", "change", "change", "create", "delete", "move"]);
  if (kind === "create") return added(name, before);
  if (kind === "delete") return { name, before, lines: [`*** Delete File: ${name}`], isRefused: false };
  const [start, context] = [random.integer(0, before.length - 1), random.integer(0, 3)];
  const removed = before.slice(start, start + random.integer(1, 3));
  const [head, tail] = [
    before.slice(Math.max(0, start - context), start),
    before.slice(start + removed.length, start + removed.length + context),
  ];
  const fresh = [`new ${random.integer(0, 1e6)}`];
  const hunk = [...signed(" ", head), ...signed("-", removed), ...signed("+", fresh), ...signed(" ", tail)];
  const to = kind === "move" ? `${name}-moved/deep` : undefined;
  const moves = to === undefined ? [] : [`*** Move to: ${to}`];
  return {
    name,
    before,
    after: before.toSpliced(start, removed.length, ...fresh),
    lines: [`*** Update File: ${name}`, ...moves, "@@", ...hunk],
    ...(to !== undefined && { to }),
    isRefused: placesOf(before, [...head, ...removed, ...tail]) !== 1,
  };
}

function added(name: string, after: readonly string[], isRefused = false): Section {
  return { name, before: [], after, lines: [`*** Add File: ${name}`, ...signed("+", after)], isRefused };
}

function placesOf(lines: readonly string[], wanted: readonly string[]): number {
  return lines.filter((_, start) => wanted.every((line, index) => lines[start + index] === line)).length;
}

function signed(sign: string, lines: readonly string[]): string[] {
  return lines.map((line) => sign + line);
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function filesIn(directory: string, folder: string): Map<string, string> {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.map((path) => [folder + path.slice(directory.length), readFileSync(path, "utf8")]));
}
