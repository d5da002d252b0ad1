import { describe, expect, it } from "vitest";
import { grepOutcome } from "../src/format.ts";
import { createPage } from "../src/page.ts";
import { grepParams } from "../src/params.ts";
import type { Findings } from "../src/search.ts";

const params = grepParams().parse({ pattern: "one" });
const page = {
  ...createPage(params, 300, { due: () => false, rest: () => Promise.resolve() }),
  matches: [{ file: "a", line: 1, text: "one" }],
};
const FOUND: Findings = {
  page,
  hidden: 0,
  ignored: 0,
  partNotes: () => [],
  skipped: 0,
  searched: 1,
  timedOut: false,
  engine: "javascript",
  fallback: "rg_not_found",
};

describe("a search without ripgrep", () => {
  it.each([
    [false, ["Results are complete; install @vscode/ripgrep for speed."]],
    // Two lines that contradict each other are no help.
    [true, ["Use a more specific 'path' or 'include'.", "Install @vscode/ripgrep for speed."]],
  ])("says that its results are complete if they are (timed out: %j)", (timedOut, next) => {
    const report = { params, path: ".", isFile: false, maxDurationMs: 5000 };
    const outcome = grepOutcome({ ...report, findings: { ...FOUND, timedOut } });
    expect(outcome.discounts?.map((discount) => discount.next)).toEqual(next);
  });
});
