import { anthropic } from "./anthropic.ts";
import { bashTool } from "./bash-tool.ts";
import { cloudflare } from "./cloudflare.ts";
import { deepagents } from "./deepagents.ts";
import type { Dialect } from "./dialect.ts";
import { fstools } from "./fstools.ts";
import { gemini } from "./gemini.ts";
import { mastra } from "./mastra.ts";
import { mcp } from "./mcp.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";

export const DIALECTS: Readonly<Record<string, (root: string, isOneRoot: boolean) => Dialect>> = {
  fstools,
  "fstools-bare": fstools,
  mcp,
  anthropic,
  cloudflare,
  gemini,
  deepagents,
  pi,
  mastra,
  "bash-tool": bashTool,
  opencode,
};
