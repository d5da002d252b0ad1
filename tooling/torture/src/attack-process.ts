/** A process of its own per attack: what dies, leaks or never ends there is a finding, not the end of the run. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attacks, background } from "./attacks/index.ts";
import type { Order } from "./campaign.ts";
import { createRandom } from "./random.ts";
import { createTally, type Summary } from "./tally.ts";
import { createTools } from "./tools.ts";

/** How much longer an attack may try that has not seen what it must. */
const MORE_MS = 30_000;

async function carryOut({ name, seed, seconds, extent }: Order): Promise<Summary> {
  const attack = [...attacks, background].find((candidate) => candidate.name === name);
  if (attack === undefined) throw new Error(`There is no attack '${name}'.`);
  const tally = createTally();
  process.on("unhandledRejection", (error) => tally.violation(`unhandled rejection: ${String(error)}`));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fstools-torture-")));
  chmodSync(folder, 0o755);
  const root = join(folder, "project");
  mkdirSync(root);
  const end = performance.now() + seconds * 1000;
  const { minimum, mustSee = [] } = attack;
  const isUnseen = (what: string) => !tally.hasSeen(what);
  const goOn = () =>
    !tally.isHopeless &&
    (tally.attempts < minimum[extent] || performance.now() < end + (mustSee.some(isUnseen) ? MORE_MS : 0));
  const repeat = async (atOnce: number, work: (turn: number) => Promise<void>) => {
    let turn = 0;
    const worker = async () => {
      while (goOn()) await work(turn++);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  try {
    const tools = (options = {}) => createTools({ projectRoot: root, ...options }, tally);
    await attack.run({ random: createRandom(`${seed} ${name}`), folder, root, tally, tools, goOn, repeat });
    const unseen = tally.summary().notes.skipped === undefined ? mustSee.filter(isUnseen) : [];
    if (unseen.length > 0) tally.violation(`the attack is blunt: not seen: ${unseen.join(", ")}`);
  } finally {
    // Deeper than Node's own removal goes.
    execFileSync("rm", ["-rf", folder]);
  }
  return tally.summary();
}

process.once("message", (order: Order) => {
  void carryOut(order)
    .then((summary) => process.send?.({ summary }))
    .catch((error: unknown) => {
      process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      process.exitCode = 1;
    })
    .finally(() => process.disconnect());
});
