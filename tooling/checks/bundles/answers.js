import { toAiSdkTools } from "@fstools/adapters/ai-sdk";
import { createServerFactory } from "@fstools/mcp";
import { connectToolset } from "@fstools/remote";
import { createToolset } from "@fstools/toolset";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What the tools answer where each asks for something that is loaded on use, or that came from CommonJS. */
const CALLS = [
  ["LS", {}],
  ["Glob", { pattern: "*.txt" }],
  ["Grep", { pattern: "tw." }],
  ["Read", { path: "greeting.txt", encoding: "shift_jis" }],
  ["Edit", { path: "numbers.txt", old_string: "two", new_string: "2" }],
];

export async function answers() {
  const projectRoot = mkdtempSync(join(tmpdir(), "fstools-bundled-"));
  writeFileSync(join(projectRoot, "numbers.txt"), "one\ntwo\n");
  writeFileSync(join(projectRoot, "greeting.txt"), Buffer.from("82b1", "hex"));
  writeFileSync(join(projectRoot, "secret.key"), "");
  try {
    const toolset = createToolset({ projectRoot, deny: ["*.key"], tools: CALLS.map(([name]) => name) });
    if (![toAiSdkTools, createServerFactory, connectToolset].every(Boolean)) throw new Error("A package is empty.");
    const data = {};
    for (const [name, params] of CALLS) data[name] = (await toolset.tool(name).run(params)).data;
    return data;
  } finally {
    rmSync(projectRoot, { recursive: true });
  }
}
