// @ts-check
/**
 * A process of its own: swaps files and directories of a project for links to outside and back, as fast as it can,
 * until its standard input closes.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";

const [root = "", outside = ""] = process.argv.slice(2);
const spare = `${root}-spare`;
mkdirSync(spare, { recursive: true });

let running = true;
process.stdin.on("end", () => (running = false)).resume();

/** @param {string} name */
function swapFile(name) {
  symlinkSync(`${outside}/secret.txt`, `${spare}/link`);
  renameSync(`${spare}/link`, `${root}/${name}`);
  writeFileSync(`${spare}/file`, "inside\n".repeat(3));
  renameSync(`${spare}/file`, `${root}/${name}`);
}

/** @param {string} name @param {string} target */
function swapDirectory(name, target) {
  renameSync(`${root}/${name}`, `${spare}/directory`);
  symlinkSync(target, `${root}/${name}`);
  rmSync(`${root}/${name}`);
  renameSync(`${spare}/directory`, `${root}/${name}`);
}

process.stdout.write("ready\n");
while (running) {
  for (let round = 0; round < 20; round++) {
    swapFile("victim.txt");
    swapDirectory("victim", outside);
    swapDirectory("nest/middle", `${outside}/middle`);
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
}
