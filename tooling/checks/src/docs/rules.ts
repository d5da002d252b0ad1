import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Rule {
  readonly text: string;
  readonly file: string;
}

const COMMENT = /^\s*\/\/ Rule: (?<text>.+)$/u;
const CONTINUED = /^\s*\/\/ (?!Rule: )(?<text>.+)$/u;
const TEST = /^\s*(?:it|test|describe)(?:\.\w+)*[<(]/u;

/**
 * The rules that a test file says it holds: comments `// Rule: …` right above a test.
 * @throws Error if no test follows
 */
export function rulesIn(file: string, source: string): Rule[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    const first = COMMENT.exec(line)?.groups?.text;
    if (first === undefined) return [];
    const words = [first];
    let next = index + 1;
    for (; ; next += 1) {
      const more = CONTINUED.exec(lines[next] ?? "")?.groups?.text;
      if (more === undefined) break;
      words.push(more);
    }
    while (COMMENT.test(lines[next] ?? "") || CONTINUED.test(lines[next] ?? "")) next += 1;
    if (!TEST.test(lines[next] ?? "")) throw new Error(`${file}: no test follows the rule '${first}'.`);
    return [{ text: words.join(" "), file }];
  });
}

/** docs/rules.md, made from the tests that git knows. */
export function rulesPage(root: string): string {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const rules = files
    .split("\n")
    .filter((file) => file !== "")
    .flatMap((file) => rulesIn(file, readFileSync(join(root, file), "utf8")));
  const owners = new Map<string, Rule[]>();
  for (const rule of rules) {
    const owner = rule.file.split("/").slice(0, 2).join("/");
    owners.set(owner, [...(owners.get(owner) ?? []), rule]);
  }
  const parts = [...owners].map(([owner, held]) => `## ${owner}\n\n${held.map(ruleLine).join("\n")}\n`);
  return `# Rules

Each links to the test that fails when it is broken, where it is a comment; \`pnpm docs:write\` makes this page from them.

${parts.join("\n")}`;
}

function ruleLine({ text, file }: Rule): string {
  return `- [${text}](../${file})`;
}
