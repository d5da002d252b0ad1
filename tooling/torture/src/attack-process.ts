/** A process of its own per attack: what dies, leaks or never ends there is a finding, not the end of the run. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTally } from "./attack.ts";
import { attacks, background } from "./attacks/index.ts";
import { createRandom } from "./random.ts";
import type { Order } from "./run-attack.ts";

/** How much longer an attack that has not struck yet may try. */
const MORE_MS = 30_000;

async function carryOut({ name, seed, seconds, extent }: Order): Promise<void> {
  const attack = [...attacks, background].find((candidate) => candidate.name === name);
  if (attack === undefined) throw new Error(`There is no attack '${name}'.`);
  const tally = createTally();
  process.on("unhandledRejection", (error) => {
    tally.violation(`unhandled rejection: ${String(error)}`);
  });
  const progress = setInterval(() => process.send?.({ attempts: tally.attempts }), 1000);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "fstools-torture-")));
  chmodSync(folder, 0o755);
  try {
    const end = performance.now() + seconds * 1000;
    const minimum = attack.minimum[extent];
    await attack.run({
      random: createRandom(`${seed} ${name}`),
      folder,
      tally,
      goOn: (hasStruck = true) =>
        !tally.isHopeless && (tally.attempts < minimum || performance.now() < end + (hasStruck ? 0 : MORE_MS)),
    });
  } finally {
    clearInterval(progress);
    // Deeper than Node's own removal goes.
    execFileSync("rm", ["-rf", folder]);
  }
  process.send?.({ summary: tally.summary() });
}

process.once("message", (order: Order) => {
  void carryOut(order).then(
    () => {
      process.disconnect();
    },
    (error: unknown) => {
      process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      process.exitCode = 1;
      process.disconnect();
    },
  );
});
