// @ts-check
/**
 * A process of its own: swaps files and directories of a project for links to outside and back, as fast as it can,
 * until its standard input closes.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [root = "", outside = "", tolerance = ""] = process.argv.slice(2);
const spare = join(root, "..", "spare");
mkdirSync(spare, { recursive: true });

let running = true;
process.stdin.on("end", () => (running = false)).resume();

/** @param {string} name */
function swapFile(name) {
  const path = join(root, name);
  symlinkSync(join(outside, "secret.txt"), join(spare, "link"));
  renameSync(join(spare, "link"), path);
  writeFileSync(join(spare, "file"), "inside\n".repeat(10));
  renameSync(join(spare, "file"), path);
}

/**
 * Puts something in the place of what is there. Where others write too, they may take the name again and again in the
 * moment when it is free; a link is removed itself, never what it leads to.
 * @param {string} path
 * @param {() => void} work
 */
function inPlaceOf(path, work) {
  for (;;) {
    try {
      rmSync(path, { recursive: tolerance === "tolerant", force: true });
      work();
      return;
    } catch (error) {
      if (tolerance !== "tolerant") throw error;
    }
  }
}

/** @param {string} name */
function swapDirectory(name) {
  const path = join(root, name);
  renameSync(path, join(spare, "directory"));
  inPlaceOf(path, () => symlinkSync(outside, path));
  inPlaceOf(path, () => renameSync(join(spare, "directory"), path));
}

/** A directory in the middle of a path: what lies below it is elsewhere from one moment to the next. */
function swapParent() {
  const path = join(root, "nest/middle");
  renameSync(path, join(spare, "middle"));
  inPlaceOf(path, () => symlinkSync(join(outside, "middle"), path));
  inPlaceOf(path, () => renameSync(join(spare, "middle"), path));
}

process.stdout.write("ready\n");
while (running) {
  for (let round = 0; round < 20; round++) {
    swapFile("victim.txt");
    swapDirectory("victim");
    swapParent();
  }
  await new Promise((resolve) => setTimeout(resolve, 0));
}
