import { bashTool } from "./bash-tool.ts";
import { deepagents } from "./deepagents.ts";
import type { Kit } from "./driver.ts";
import { fstools } from "./fstools.ts";
import { gemini } from "./gemini.ts";
import { mastra } from "./mastra.ts";
import { mcp } from "./mcp.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** The driver of each set of tools, by its id. */
export const KITS: Readonly<Record<string, Kit>> = {
  fstools,
  mcp,
  gemini,
  qwen,
  deepagents,
  pi,
  mastra,
  "bash-tool": bashTool,
  opencode,
};
