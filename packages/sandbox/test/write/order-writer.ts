// Replaces a file and creates one in new directories, and prints in which order the disk was asked.
// order-writer.ts <project> <file> <new file>
import { recordDiskCalls } from "@fstools/testing/disk-calls";
import { readlinkSync } from "node:fs";
import { relative } from "node:path";

const [project = "", ...paths] = process.argv.slice(2);
const asked = recordDiskCalls((descriptor) => {
  const path = relative(project, readlinkSync(`/proc/self/fd/${descriptor}`)) || ".";
  return path.replace(/\.fstools-[\da-f]{16}\.tmp/u, "temporary");
});

// Only now, since they take these functions by name when they are loaded.
const { createSandbox } = await import("../../src/sandbox.ts");
const { createFileChanger } = await import("../../src/write/changer.ts");
const change = createFileChanger(createSandbox({ projectRoot: project }), { durable: true });
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };
for (const path of paths) {
  const plan = () =>
    Promise.resolve({ operation: "update" as const, bytes: Buffer.from("new"), diff: () => Promise.resolve("") });
  await change({ tool: "Order", path, creates: true, plan }, call);
}
process.stdout.write(JSON.stringify(asked));
