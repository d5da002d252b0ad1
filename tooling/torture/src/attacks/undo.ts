import { createEditTool } from "@fstools/edit";
import { createHistory, type History } from "@fstools/sandbox";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arena, Attack } from "../attack.ts";
import { holdFor, holdUntil, killWriter, start } from "./crashes.ts";

const NAMES = Array.from({ length: 20 }, (_, index) => `${index}.txt`);
const EVENTS = ["killed in the middle", "undone", "refused"];

export const undo: Attack = {
  name: "undo",
  what: "kills (-9) a process that changes 20 files at once and undoes that, with a history; then undoes what it finished, over files that changed too",
  minimum: { full: 1000, short: 10 },
  mustSee: EVENTS,
  run: async (arena) => {
    await checkOrder(arena);
    do await kill(arena);
    while (arena.goOn());
  },
};

async function kill({ random, root, folder, tally }: Arena): Promise<void> {
  const directory = join(folder, "history");
  rmSync(directory, { recursive: true, force: true });
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true });
  for (const name of NAMES) writeFileSync(join(root, name), "0\n");
  const isInTheMiddle = () => readdirSync(join(directory, "kept")).some((name) => name.includes("-"));
  const sets = await killWriter(["sets", root, directory], async () => {
    await sleep(random.fraction() * 40);
    // A set has begun: it is being kept, or put in place.
    holdUntil(isInTheMiddle);
    holdFor(random.fraction() * 15);
  });
  tally.attempt(sets);
  const history = createHistory({ directory });
  if (isInTheMiddle()) tally.saw("killed in the middle");
  // Whatever it is: before it, what was left unfinished is put back.
  await createEditTool({ projectRoot: root, history }).run({ path: "none", old_string: "a", new_string: "b" });
  const seen = contentsOf(root);
  const others = readdirSync(root).filter((name) => !NAMES.includes(name));
  if (new Set(seen).size !== 1) tally.violation(`a killed process left a part of a set: ${seen.join()}`);
  if (others.length > 0) tally.violation(`a file was left: ${others.join()}`);
  if (history.unfinished.length > 0) tally.violation("something stayed unfinished although nothing had changed");
  await undoAll({ random, root, tally }, history);
}

async function undoAll({ random, root, tally }: Pick<Arena, "random" | "root" | "tally">, history: History) {
  const [last] = await history.changes({ limit: 1 });
  if (last === undefined) return;
  const path = join(root, random.pick(NAMES));
  const before = contentsOf(root).join();
  const own = readFileSync(path);
  writeFileSync(path, "theirs");
  const refused = await history.undo(last.id);
  if (refused.error?.code !== "CONFLICT") tally.violation(`an undo over a changed file: ${refused.text}`);
  if (!existsSync(path) || readFileSync(path, "utf8") !== "theirs")
    tally.violation("an undo destroyed somebody's work");
  tally.saw("refused");
  writeFileSync(path, own);
  const undone = await history.undo(last.id);
  if (undone.status === "error") tally.violation(`an undo was refused: ${undone.text}`);
  const seen = contentsOf(root);
  if (new Set(seen).size !== 1 || seen.join() === before)
    tally.violation(`an undo restored something else: ${seen.join()}`);
  tally.saw("undone");
}

function contentsOf(root: string): string[] {
  return NAMES.map((name) => readFileSync(join(root, name), "latin1").slice(0, 8));
}

/** What is kept, and what is going to happen, must be on the disk before anything is put in place. */
async function checkOrder({ tally, root, folder }: Arena): Promise<void> {
  writeFileSync(join(root, "a.txt"), "0".repeat(100));
  const printed = await text(start("order", root, join(folder, "order")).stdout);
  tally.attempt();
  const [before = "", after = ""] = printed.split(", link, rename, ");
  const flushes = (text: string) => text.split(", ").sort().join(", ");
  // The content gets its name. The new file, the old content, the log, and the directory of these two; then the names, and
  // that it is done.
  const expected = "rename, flush directory, flush file, flush file, flush file";
  const kept = before.replace(/^rename, (.*)$/u, (_, rest: string) => `rename, ${flushes(rest)}`);
  if (kept !== expected || !after.startsWith("flush ")) tally.violation(`the disk was asked: ${printed}`);
  if (flushes(after.split(", rename")[0] ?? "") !== "flush directory, flush file") {
    tally.violation(`the disk was asked: ${printed}`);
  }
}
