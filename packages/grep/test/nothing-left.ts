import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { createGrepTool } from "../src/index.ts";

const [root = ".", what = ""] = process.argv.slice(2);
const tool = createGrepTool({ projectRoot: root });
// Loads what is loaded on use.
await tool.run({ pattern: "one" });
await createGrepTool({ projectRoot: root, ripgrepPath: false }).run({ pattern: "one" });
if (what === "processes") execFileSync("prlimit", ["--pid", String(process.pid), "--nproc=1"]);
else takeDescriptors();
const { data } = await tool.run({ pattern: "one" });
const { matches = [], fallback_reason = null } = data as { matches?: unknown[]; fallback_reason?: string };
process.stdout.write(JSON.stringify({ fallback_reason, matches: matches.length }));

/** All but four, which is enough to walk and read, and too little for a process. */
function takeDescriptors(): void {
  execFileSync("prlimit", ["--pid", String(process.pid), "--nofile=256"]);
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    for (const descriptor of taken.slice(-4)) closeSync(descriptor);
  }
}
