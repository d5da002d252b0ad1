/**
 * A process of its own. `write` replaces a file over and over, until it is killed, and prints a dot for each time;
 * `order` writes twice and prints in which order the disk was asked.
 */
import { recordDiskCalls } from "@fstools/testing/disk-calls";
import { fstatSync, rmSync } from "node:fs";
import { join } from "node:path";

const [mode = "", root = "", size = "0"] = process.argv.slice(2);

const isOrder = mode === "order";
const kindOf = (descriptor: number) => (fstatSync(descriptor).isDirectory() ? "directory" : "file");
const asked = isOrder ? recordDiskCalls(kindOf) : [];

const { createWriteTool } = await import("@fstools/write");
const write = createWriteTool({ projectRoot: root, requireRead: false, durable: isOrder });
if (isOrder) {
  await write.run({ path: "a.txt", content: "1" });
  const first = asked.splice(0).join(", ");
  await write.run({ path: "b.txt", content: "1" });
  rmSync(join(root, "b.txt"));
  process.stdout.write(`${first}; ${asked.join(", ")}\n`);
} else {
  for (let version = 1; ; version++) {
    await write.run({ path: "a.txt", content: String(version % 10).repeat(Number(size)) });
    process.stdout.write(".");
  }
}
