// @ts-check
/**
 * A process of its own: makes, moves, fills and removes directories and files below a project as fast as it can,
 * until its standard input closes. Names begin with "churn".
 */
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [root = ""] = process.argv.slice(2);
let running = true;
process.stdin.on("end", () => (running = false)).resume();
process.stdout.write("ready\n");

for (let turn = 0; running; turn++) {
  const directory = join(root, `keep-${turn % 10}`, `churn-${turn % 7}`);
  mkdirSync(join(directory, "churn-deep"), { recursive: true });
  for (let file = 0; file < 20; file++) writeFileSync(join(directory, `churn-${file}.txt`), "line\n".repeat(50));
  writeFileSync(join(directory, "churn-deep", "churn.txt"), "line\n");
  appendFileSync(join(root, "churn.log"), "line\n".repeat(100));
  if (turn % 50 === 0) truncateSync(join(root, "churn.log"), 0);
  const moved = `${directory}-moved`;
  renameSync(directory, moved);
  rmSync(moved, { recursive: true, force: true });
  if (turn % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
