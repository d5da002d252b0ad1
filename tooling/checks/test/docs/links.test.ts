import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((name) => name !== "" && existsSync(join(root, name)));

const LINK = /\]\(([^)\s#]+)(?:#[^)]*)?\)/gu;

describe("documents", () => {
  it.each(documents)("every relative link in %s leads to a file", (document) => {
    const prose = readFileSync(join(root, document), "utf8").replaceAll(/```[^]*?```|`[^`\n]*`/gu, "");
    const targets = [...prose.matchAll(LINK)].map(([, target = ""]) => target);
    const local = targets.filter((target) => !/^[a-z]+:/u.test(target));
    expect(local.filter((target) => !existsSync(join(root, dirname(document), target)))).toEqual([]);
  });

  it.each(documents)("%s stands alone: nothing outside the repository is referred to", (document) => {
    expect(readFileSync(join(root, document), "utf8")).not.toMatch(/\.\.\/shared|DESIGN\.md|\/work\//u);
  });
});
