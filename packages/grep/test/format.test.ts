import { describe, expect, it } from "vitest";
import { grepOutcome } from "../src/format.ts";
import { grepParams } from "../src/params.ts";
import type { Findings } from "../src/search.ts";

const params = grepParams().parse({ pattern: "one" });
const FOUND: Findings = {
  matches: [{ file: "a", line: 1, text: "one" }],
  truncated: false,
  binary: 0,
  shown: [],
  hidden: 0,
  ignored: 0,
  partNotes: () => [],
  skipped: 0,
  searched: 1,
  timedOut: false,
  engine: "javascript",
  fallback: "rg_not_found",
};

const REPORT = { params, path: ".", isFile: false, maxDurationMs: 5000 };

describe("a search without ripgrep", () => {
  // Rule: What ripgrep's absence means is said in one exact sentence, and no model is told to install anything.
  it.each([
    ["rg_not_found", false, "ripgrep is not available; used a slower search in JavaScript. Results are complete."],
    ["rg_failed", false, "ripgrep failed; used a slower search in JavaScript. Results are complete."],
    // Two lines that contradict each other are no help.
    ["rg_failed", true, "ripgrep failed; used a slower search in JavaScript. Use a more specific 'path' or 'include'."],
  ] as const)(
    "says so after %s, and that its results are complete if they are (timed out: %j)",
    (fallback, timedOut, said) => {
      const outcome = grepOutcome({ ...REPORT, findings: { ...FOUND, fallback, timedOut } });
      const { label, reason, next } = outcome.discounts?.at(-1) ?? {};
      expect(`[${label}: ${reason} ${next}]`).toBe(`[Warning: ${said}]`);
    },
  );
});
