// Writes one file again and again, each time with completely different content, until it is killed.
// crash-writer.ts <project> <file> <bytes of a content> <durable>
import { createSandbox } from "../../src/sandbox.ts";
import { createFileChanger } from "../../src/write/changer.ts";

const [project = "", path = "", size = "0", durable = "false"] = process.argv.slice(2);
const change = createFileChanger(createSandbox({ projectRoot: project }), { durable: durable === "true" });
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };

process.stdout.write("ready\n");
for (let version = 1; ; version += 1) {
  const bytes = Buffer.alloc(Number(size), String(version % 10));
  await change(
    {
      tool: "Crash",
      path,
      creates: true,
      plan: () => Promise.resolve({ operation: "update", bytes, diff: () => Promise.resolve("") }),
    },
    call,
  );
  process.stdout.write(".");
}
