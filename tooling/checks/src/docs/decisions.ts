import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TITLE = /^# (?<title>.+)\n/u;

/**
 * docs/decisions/README.md, made from the titles of the pages.
 * @throws Error if a page does not begin with its title
 */
export function decisionsPage(root: string): string {
  const folder = join(root, "docs", "decisions");
  const names = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  const rows = names.sort().map((name) => {
    const title = TITLE.exec(readFileSync(join(folder, name), "utf8"))?.groups?.title;
    if (title === undefined) throw new Error(`docs/decisions/${name} should begin with "# Title".`);
    return `- [${title}](${name})`;
  });
  return `# Decisions

Choices that someone could reasonably question, by subject: what was decided, why, and the evidence that still holds. \`pnpm docs:write\` makes this list from the pages.

${rows.join("\n")}
`;
}
