import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Arena, Attack } from "../attack.ts";
import { NODE_ARGUMENTS } from "../script.ts";

const TEMPORARY = /^\.fstools-[\da-f]{16}\.tmp$/u;

/** A process that is killed while it writes: the file is the old or the new one, whole; and the disk is asked in order. */
export const crashes: Attack = {
  name: "crashes",
  what: "kill -9 at random moments of writes of all sizes, and the order in which the disk is asked",
  minimum: 100,
  run: async (arena) => {
    const root = join(arena.folder, "project");
    mkdirSync(root);
    await checkOrder(arena, root);
    do await kill(arena, root);
    while (arena.goOn() && !arena.tally.isHopeless);
  },
};

async function kill({ random, tally }: Arena, root: string): Promise<void> {
  const size = random.pick([3000, 200_000, 3_000_000]);
  const file = join(root, "a.txt");
  writeFileSync(file, "0".repeat(size));
  const writer = start("write", root, String(size));
  let writes = 0;
  writer.stdout.on("data", (data: Buffer) => (writes += data.length));
  while (writes < 3) await once(writer.stdout, "data");
  await sleep(random.fraction() * 40);
  const closed = once(writer, "close");
  writer.kill("SIGKILL");
  await closed;
  tally.attempt(writes);
  const text = readFileSync(file, "latin1");
  if (text.length !== size || text !== (text[0] ?? "").repeat(size)) {
    tally.violation(`a killed process left ${text.length} bytes of ${size}, or bytes of two writes`);
  }
  const others = readdirSync(root).filter((name) => name !== "a.txt");
  if (others.length > 1) tally.violation(`${others.length} files were left: ${others.join(", ")}`);
  for (const name of others) {
    if (!TEMPORARY.test(name)) tally.violation(`a file was left that does not tell what it is: ${name}`);
    rmSync(join(root, name));
  }
}

/** First the new file must be on the disk, then get its name, then the directory must be on the disk. */
async function checkOrder({ tally }: Arena, root: string): Promise<void> {
  writeFileSync(join(root, "a.txt"), "0".repeat(100));
  const writer = start("order", root, "100");
  let printed = "";
  writer.stdout.on("data", (data: Buffer) => (printed += data.toString()));
  await once(writer, "close");
  tally.attempt();
  const expected = "flush file, rename, flush directory; flush file, link, flush directory";
  if (printed.trim() !== expected) tally.violation(`the disk was asked in this order: ${printed}`);
}

function start(...args: readonly string[]) {
  const script = fileURLToPath(new URL("../crash-writer.ts", import.meta.url));
  return spawn(process.execPath, [...NODE_ARGUMENTS, script, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}
