import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arena, Attack } from "../attack.ts";
import { programArguments, scriptPath } from "../processes.ts";
import type { Random } from "../random.ts";

const PATCHED = 20;
const PADDING = "unchanged\n".repeat(1000);
const TEMPORARY = /^\.fstools-[\da-f]{16}\.tmp$/u;

/** A process that is killed while it writes: the file is the old or the new one, whole; and the disk is asked in order. */
export const crashes: Attack = {
  name: "crashes",
  what: "kills (-9) at random moments of writes of all sizes, and looks at the order in which the disk is asked",
  minimum: { full: 100, short: 5 },
  run: async (arena) => {
    do await (arena.random.chance(0.5) ? kill(arena) : killPatch(arena));
    while (arena.goOn());
    await checkOrder(arena);
  },
};

async function kill({ random, root, tally }: Arena): Promise<void> {
  const size = random.pick([3000, 200_000, 3_000_000, 12_000_000]);
  const file = join(root, "a.txt");
  writeFileSync(file, "0".repeat(size));
  const writes = await killWriter(["write", root, String(size)], async () => {
    await sleep(random.fraction() * 20);
    random.pick(MOMENTS)(root, random);
  });
  tally.attempt(writes);
  const left = readFileSync(file, "latin1");
  if (left.length !== size || left !== (left[0] ?? "").repeat(size)) {
    const seen = `${left.length} bytes of ${size}, from ${left[0]} to ${left.at(-1)}`;
    tally.violation(`a killed process left half a file: ${seen}`);
  }
  const others = readdirSync(root).filter((name) => name !== "a.txt");
  if (others.length > 1) tally.violation(`${others.length} files were left: ${others.join(", ")}`);
  for (const name of others) {
    if (!TEMPORARY.test(name)) tally.violation(`a file was left that does not tell what it is: ${name}`);
    rmSync(join(root, name));
  }
}

/** Kills a process that writes when it has written a few times and `moment` has come; returns how often it has written. */
export async function killWriter(args: readonly string[], moment: () => Promise<void>): Promise<number> {
  const writer = start(...args);
  const closed = once(writer, "close");
  let writes = 0;
  writer.stdout.on("data", (data: Buffer) => (writes += data.length));
  while (writes < 3 && writer.exitCode === null) await sleep(1);
  if (writer.exitCode !== null) throw new Error(`the writer ended by itself, with code ${writer.exitCode}`);
  await moment();
  writer.kill("SIGKILL");
  await closed;
  return writes;
}

/** Each file is the old or the new one, and what a set has replaced is still there until all of it is done. */
async function killPatch({ random, folder, tally }: Arena): Promise<void> {
  const root = join(folder, `patched-${random.integer(0, 1e9)}`);
  mkdirSync(root);
  for (let file = 0; file < PATCHED; file++) writeFileSync(join(root, `${file}.txt`), `0\n${PADDING}`);
  await killWriter(["sets", root, "0"], async () => {
    await sleep(random.fraction() * 50);
    holdUntil(() => random.chance(0.01) || readdirSync(root).some((name) => name.endsWith(".old")));
  });
  tally.attempt();
  const [files, others] = [new Map<string, string>(), [] as string[]];
  for (const name of readdirSync(root)) {
    const content = readFileSync(join(root, name), "utf8");
    if (/^\d+\.txt$/u.test(name)) files.set(name, content);
    else if (name.endsWith(".old")) others.push(content);
    else if (!TEMPORARY.test(name)) tally.violation(`a file was left that does not tell what it is: ${name}`);
  }
  const versionOf = (content: string) => Number(/^(\d+)\n$/u.exec(content.slice(0, -PADDING.length))?.[1]);
  const versions = [...files.values()].map(versionOf);
  const [oldest, newest] = [Math.min(...versions), Math.max(...versions)];
  if (versions.length !== PATCHED || Number.isNaN(newest)) tally.violation(`a killed patch left ${versions.join()}`);
  const done = versions.filter((version) => version === newest).length;
  const kept = others.filter((content) => content === `${oldest}\n${PADDING}`).length;
  if (newest > oldest + 1 || (newest > oldest && kept < done)) {
    tally.violation(`a killed patch left ${versions.join()} and kept ${kept} of ${done} old files`);
  }
  rmSync(root, { recursive: true });
}

/** What to wait for before the kill, without a turn of the event loop: a moment lasts for less than a millisecond. */
const MOMENTS: readonly ((root: string, random: Random) => void)[] = [
  // A temporary file was made: it is being written, or about to get its name.
  (root, random) => {
    holdUntil(() => readdirSync(root).length > 1);
    holdFor(random.fraction() * 5);
  },
  // The file itself is another one, or is being written.
  (root) => {
    const version = () => statSync(join(root, "a.txt"), { bigint: true });
    const { ino, mtimeNs } = version();
    holdUntil(() => version().ino !== ino || version().mtimeNs !== mtimeNs);
  },
];

export function holdUntil(isTrue: () => boolean): void {
  const end = performance.now() + 2000;
  while (!isTrue() && performance.now() < end);
}

export function holdFor(ms: number): void {
  const end = performance.now() + ms;
  holdUntil(() => performance.now() >= end);
}

/** First the new file must be on the disk, then get its name, then the directory must be on the disk. */
async function checkOrder({ tally, root }: Arena): Promise<void> {
  writeFileSync(join(root, "a.txt"), "0".repeat(100));
  const printed = await text(start("order", root, "100").stdout);
  tally.attempt();
  const expected = "flush file, rename, flush directory; flush file, link, flush directory";
  if (printed.trim() !== expected) tally.violation(`the disk was asked in this order: ${printed}`);
}

export function start(...args: readonly string[]) {
  const script = programArguments(scriptPath("./crash-writer.ts"));
  return spawn(process.execPath, [...script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}
