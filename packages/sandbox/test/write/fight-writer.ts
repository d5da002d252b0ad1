// Adds one to a number in a file, `times` times, and says how often that succeeded.
// fight-writer.ts <project> <file> <times>
import { ToolError } from "@fstools/protocol";
import { createSandbox } from "../../src/sandbox.ts";
import { createFileChanger } from "../../src/write/changer.ts";

const [project = "", path = "", times = "0"] = process.argv.slice(2);
const change = createFileChanger(createSandbox({ projectRoot: project }), { durable: false });
const call = { signal: new AbortController().signal, has: () => true, note: () => undefined, tell: () => undefined };

let made = 0;
for (let attempt = 0; attempt < Number(times); attempt += 1) {
  try {
    await change(
      {
        tool: "Fight",
        path,
        creates: false,
        plan: async (current) => {
          const bytes = Buffer.from(String(Number((await current.read()).toString()) + 1));
          return { operation: "update", bytes, diff: () => Promise.resolve("") };
        },
      },
      call,
    );
    made += 1;
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "CONFLICT") throw error;
  }
}
process.stdout.write(String(made));
