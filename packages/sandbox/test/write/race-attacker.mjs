// Swaps a file and a directory of a project for links to outside and back, as fast as it can, until it is stopped.
// Whoever writes into the project may make the directory anew in the moment when it is gone: then it is removed again.
// node race-attacker.mjs <project> <outside>
import { renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SWAPS_PER_BURST = 16;

const [project = "", outside = ""] = process.argv.slice(2);
const file = join(project, "file.txt");
const directory = join(project, "directory");
const spareFile = join(project, "spare-file");
const spareDirectory = join(project, "spare-directory");
const clock = new Int32Array(new SharedArrayBuffer(4));

function linkFile() {
  symlinkSync(join(outside, "file.txt"), spareFile);
  renameSync(spareFile, file);
}

function restoreFile() {
  writeFileSync(spareFile, "inside");
  renameSync(spareFile, file);
}

function linkDirectory() {
  renameSync(directory, spareDirectory);
  persistently(() => symlinkSync(outside, directory));
}

function restoreDirectory() {
  persistently(() => renameSync(spareDirectory, directory));
}

/** Until nobody has taken the name in between. */
function persistently(work) {
  for (;;) {
    try {
      // A link is removed itself, never what it leads to.
      rmSync(directory, { recursive: true, force: true });
      work();
      return;
    } catch (error) {
      if (!["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(error.code)) throw error;
    }
  }
}

function rest() {
  Atomics.wait(clock, 0, 0, 1);
}

process.stdout.write("ready\n");
for (;;) {
  for (let swap = 0; swap < SWAPS_PER_BURST; swap += 1) {
    linkFile();
    restoreFile();
    linkDirectory();
    restoreDirectory();
  }
  rest();
  linkFile();
  linkDirectory();
  rest();
  restoreFile();
  restoreDirectory();
}
