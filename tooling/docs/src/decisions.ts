import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FILE = /^(?<number>\d{4})-[a-z\d-]+\.md$/u;
const HEAD = /^# (?<number>\d+)\. (?<title>.+)\n\n(?<date>\d{4}-\d\d-\d\d)(?:, changed \d{4}-\d\d-\d\d)?\./u;

/**
 * docs/decisions/README.md, made from the records themselves.
 * @throws Error if a record has no number, title and date, or if a number is missing
 */
export function decisionsPage(root: string): string {
  const folder = join(root, "docs", "decisions");
  const names = readdirSync(folder).filter((name) => FILE.test(name));
  const rows = names.sort().map((name, index) => {
    const { number, title, date } = HEAD.exec(readFileSync(join(folder, name), "utf8"))?.groups ?? {};
    if (Number(number) !== index + 1 || !name.startsWith(String(number).padStart(4, "0"))) {
      throw new Error(
        `docs/decisions/${name} should be number ${index + 1} and begin with "# ${index + 1}. Title", then a date.`,
      );
    }
    return `${number}. [${title}](${name}), ${date}`;
  });
  return `# Decisions

Choices that someone could reasonably question, and why they were made. \`pnpm docs:write\` makes this page from the records.

${rows.join("\n")}
`;
}
