// Swaps a file and a directory of a project for links to outside and back, as fast as it can, until it is stopped.
// node race-attacker.mjs <project> <outside>
import { renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [project = "", outside = ""] = process.argv.slice(2);
const file = join(project, "file.txt");
const directory = join(project, "directory");
const spare = join(project, "spare");

function swapFile() {
  symlinkSync(join(outside, "file.txt"), spare);
  renameSync(spare, file);
  writeFileSync(spare, "inside");
  renameSync(spare, file);
}

function swapDirectory() {
  renameSync(directory, spare);
  symlinkSync(outside, directory);
  unlinkSync(directory);
  renameSync(spare, directory);
}

process.stdout.write("ready\n");
for (;;) {
  swapFile();
  swapDirectory();
}
