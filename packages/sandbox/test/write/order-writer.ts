// Replaces a file and creates one in new directories, and prints in which order the disk was asked.
// order-writer.ts <project> <file> <new file>
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative } from "node:path";

const [project = "", ...paths] = process.argv.slice(2);
const asked: string[] = [];
const { fsync, renameSync, linkSync } = fs;

const place = (descriptor: number) => relative(project, fs.readlinkSync(`/proc/self/fd/${descriptor}`)) || ".";

Object.assign(fs, {
  fsync: (descriptor: number, done: fs.NoParamCallback) => {
    asked.push(`flush ${place(descriptor).replace(/\.fstools-[\da-f]{16}\.tmp/u, "temporary")}`);
    fsync(descriptor, done);
  },
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

// Only now, since they take these functions by name when they are loaded.
const { createSandbox } = await import("../../src/sandbox.ts");
const { createFileChanger } = await import("../../src/write/change-file.ts");
const change = createFileChanger(createSandbox({ projectRoot: project }), { durable: true });
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined };
for (const path of paths) {
  const plan = () =>
    Promise.resolve({ operation: "update" as const, bytes: Buffer.from("new"), diff: () => Promise.resolve("") });
  await change({ tool: "Order", path, creates: true, reader: "Read", plan }, call);
}
process.stdout.write(JSON.stringify(asked));
