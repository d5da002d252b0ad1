/** What the site shows, in the order of its sidebar: files of the repository, or of `apps/site/pages`. */
export const CHAPTERS: Readonly<Record<string, readonly string[]>> = {
  Start: [
    "README.md",
    "apps/site/pages/recipes.md",
    "apps/site/pages/coming-from.md",
    "apps/site/pages/faq.md",
    "apps/site/pages/troubleshooting.md",
    "apps/site/pages/complaints.md",
    "SECURITY.md",
  ],
  Use: ["toolset", "adapters", "mcp", "remote"].map(readme),
  Tools: ["ls", "glob", "grep", "read", "read-opencode", "edit", "write", "patch", "move", "delete"].map(readme),
  Build: ["protocol", "sandbox", "text"].map(readme),
  "How it works": [
    "docs/architecture.md",
    "docs/protocol.md",
    "docs/rules.md",
    "docs/reliability.md",
    "docs/context-economy.md",
    "docs/benchmarks.md",
    "docs/scaling.md",
    "docs/decisions/README.md",
    "CONTRIBUTING.md",
  ],
};

function readme(name: string): string {
  return `packages/${name}/README.md`;
}
