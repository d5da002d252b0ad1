import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const rules = readFileSync(new URL("docs/rules.md", root), "utf8");
const rows = rules.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:rule|-+) /u.test(line));
const NAMED_TEST = /`(?<file>[^`]+\.test\.tsx?)` › `(?<title>[^`]+)`/gu;

/** What a title looks like in a test file's source: quotes and backslashes may stand escaped. */
function has(source: string, title: string): boolean {
  return source.includes(title) || source.includes(title.replaceAll(/["\\]/gu, String.raw`\$&`));
}

function missing(row: string): string[] {
  const named = [...row.matchAll(NAMED_TEST)];
  if (named.length === 0) return [`names no test: ${row}`];
  return named.flatMap(({ groups = {} }) => {
    const { file = "", title = "" } = groups;
    const path = fileURLToPath(new URL(file, root));
    if (!existsSync(path)) return [`no such file: ${file}`];
    return has(readFileSync(path, "utf8"), title) ? [] : [`no such test: ${file} › ${title}`];
  });
}

describe("docs/rules.md", () => {
  it("names tests that exist", () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.flatMap(missing)).toEqual([]);
  });

  it("would notice a test that is gone", () => {
    expect(missing("| x | `packages/protocol/test/gone.test.ts` › `y` |")).toHaveLength(1);
    expect(missing("| x | `tooling/docs/test/rules.test.ts` › `" + "no such" + " title` |")).toHaveLength(1);
    expect(missing("| x | soon |")).toHaveLength(1);
  });
});
