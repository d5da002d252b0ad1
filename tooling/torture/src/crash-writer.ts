/**
 * A process of its own. `write` replaces a file over and over, until it is killed, and prints a dot for each time;
 * `order` writes twice and prints in which order the disk was asked.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [mode = "", root = "", size = "0"] = process.argv.slice(2);

const asked: string[] = [];
const { fsync, renameSync, linkSync } = fs;
if (mode === "order") {
  // The tools take these by name when they are loaded, which is why they are loaded afterwards.
  const flush = (descriptor: number, done: fs.NoParamCallback): void => {
    asked.push(fs.fstatSync(descriptor).isDirectory() ? "flush directory" : "flush file");
    fsync(descriptor, done);
  };
  Object.assign(fs, {
    fsync: flush,
    renameSync: (from: string, to: string) => {
      asked.push("rename");
      renameSync(from, to);
    },
    linkSync: (from: string, to: string) => {
      asked.push("link");
      linkSync(from, to);
    },
  });
  syncBuiltinESMExports();
}

const { createWriteTool } = await import("@fstools/write");
const isDurable = mode === "order";
const write = createWriteTool({ projectRoot: root, requireRead: false, durable: isDurable });
if (mode === "order") {
  await write.run({ path: "a.txt", content: "1" });
  const first = asked.splice(0).join(", ");
  await write.run({ path: "b.txt", content: "1" });
  fs.rmSync(join(root, "b.txt"));
  process.stdout.write(`${first}; ${asked.join(", ")}\n`);
} else {
  for (let version = 1; ; version++) {
    await write.run({ path: "a.txt", content: String(version % 10).repeat(Number(size)) });
    process.stdout.write(".");
  }
}
