// Swaps a file and a directory of a project for links to outside and back, as fast as it can, until it is stopped.
// Between bursts it sleeps for a moment, in turn with both links in place and with none: so it strikes at any
// point of what others do, even if they share one core with it.
// A test that writes may create the directory while it is gone: then that one is removed again.
// node race-attacker.mjs <project> <outside> <swaps per burst>
import { renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [project = "", outside = "", swapsPerBurst = ""] = process.argv.slice(2);
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
  takeDirectory(() => symlinkSync(outside, directory));
}

function restoreDirectory() {
  unlinkSync(directory);
  takeDirectory(() => renameSync(spareDirectory, directory));
}

/** Repeats until no other process has taken the name in between. */
function takeDirectory(work) {
  for (let isTaken = false; ; isTaken = true) {
    try {
      if (isTaken) rmSync(directory, { recursive: true, force: true });
      work();
      return;
    } catch (error) {
      if (!["EEXIST", "ENOTEMPTY", "ENOTDIR"].includes(error.code)) throw error;
    }
  }
}

function burst() {
  for (let swap = 0; swap < Number(swapsPerBurst); swap += 1) {
    linkFile();
    restoreFile();
    linkDirectory();
    restoreDirectory();
  }
}

function rest() {
  Atomics.wait(clock, 0, 0, 1);
}

process.stdout.write("ready\n");
for (;;) {
  burst();
  rest();
  linkFile();
  linkDirectory();
  rest();
  restoreFile();
  restoreDirectory();
}
