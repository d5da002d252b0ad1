/**
 * A process of its own. `write` replaces a file over and over, until it is killed, and prints a dot for each time; `sets`
 * changes 20 files at once, and undoes every other change. `order` writes and prints in which order the disk was asked.
 * crash-writer.ts <mode> <project> <bytes, or the directory of a history>
 */
import { recordDiskCalls } from "@fstools/testing/disk-calls";
import { fstatSync, rmSync } from "node:fs";
import { join } from "node:path";

const [mode = "", root = "", more = ""] = process.argv.slice(2);

const isOrder = mode === "order";
const kindOf = (descriptor: number) => (fstatSync(descriptor).isDirectory() ? "directory" : "file");
const asked = isOrder ? recordDiskCalls(kindOf) : [];

const [{ createWriteTool }, { createHistory }] = [await import("@fstools/write"), await import("@fstools/sandbox")];
const history = more.includes("/") ? createHistory({ directory: more }) : undefined;
const options = { projectRoot: root, ...(history === undefined ? {} : { history }) };
const write = createWriteTool({ ...options, requireRead: false, durable: isOrder });
if (mode === "sets") {
  const { createPatchTool } = await import("@fstools/patch");
  const tool = createPatchTool({ ...options, durable: false });
  const names = Array.from({ length: 20 }, (_, at) => at);
  for (let version = 0; ; version += 1) {
    const hunk = `@@\n-${version}\n+${version + 1}\n`;
    const files = names.map((name) => `*** Update File: ${name}.txt\n${hunk}`).join("");
    const { text, status } = await tool.run({ patch: `*** Begin Patch\n${files}*** End Patch\n` });
    if (status === "error") throw new Error(text);
    process.stdout.write(".");
    if (version % 2 === 0) continue;
    const [change] = (await history?.changes({ limit: 1 })) ?? [];
    await history?.undo(change?.id ?? "");
    await tool.run({ patch: `*** Begin Patch\n${files}*** End Patch\n` });
  }
} else if (isOrder) {
  await write.run({ path: "a.txt", content: "1" });
  const first = asked.splice(0).join(", ");
  if (history !== undefined) process.stdout.write(first);
  else {
    await write.run({ path: "b.txt", content: "1" });
    rmSync(join(root, "b.txt"));
    process.stdout.write(`${first}; ${asked.join(", ")}\n`);
  }
} else {
  for (let version = 1; ; version++) {
    await write.run({ path: "a.txt", content: String(version % 10).repeat(Number(more)) });
    process.stdout.write(".");
  }
}
