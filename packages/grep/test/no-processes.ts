import { execFileSync } from "node:child_process";
import { createGrepTool } from "../src/index.ts";

// Run by another user than root, whom the limit would not bind. From here on no process can be started.
execFileSync("prlimit", ["--pid", String(process.pid), "--nproc=1"]);
const tool = createGrepTool({ projectRoot: process.argv[2] ?? "." });
const { data } = await tool.run({ pattern: "one" });
const { matches = [], fallback_reason = null } = data as { matches?: unknown[]; fallback_reason?: string };
process.stdout.write(JSON.stringify({ matches: matches.length, fallback_reason }));
