import { isToolError, type ToolError } from "@fstools/protocol";
import { explainPathErrors, parsePattern, remaindersAt, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { globParams } from "../src/params.ts";
import { globOutcome, globPathWords, type Findings, type SearchReport } from "../src/format.ts";

const FOUND: Findings = {
  paths: ["a.ts"],
  matchesBefore: 0,
  visited: 3,
  hidden: 0,
  ignored: 0,
  skipped: [],
  stoppedBy: undefined,
  ignoredByGit: undefined,
  fitsDirectories: false,
};

const HERE = remaindersAt({ relative: ".", spellings: [], roots: [] }, parsePattern("**/*.ts", "pattern"));

function report(findings: Partial<Findings> = {}, more: Partial<SearchReport> = {}): SearchReport {
  const found = { ...FOUND, ...findings };
  const params = globParams().parse({ pattern: "*.ts" });
  const defaults = { path: ".", isList: false, pattern: "**/*.ts", remainders: HERE, params, maxDurationMs: 2000 };
  return { findings: found, ...defaults, ...more };
}

function failure(searchReport: SearchReport): ToolError {
  try {
    globOutcome(searchReport);
  } catch (error) {
    if (isToolError(error)) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}

describe("globOutcome", () => {
  it("shows what was found, relative to the project root", () => {
    const outcome = globOutcome(report({ paths: ["a.ts", "b/c.ts"] }, { path: "src", pattern: "**/*.ts" }));
    expect(outcome.summary(7)).toEqual(["Found 2 files matching '**/*.ts' in 'src'", "(Scanned 3 items in 7ms)"]);
    expect(outcome.body).toBe("src/a.ts\nsrc/b/c.ts");
    expect(outcome.data).toEqual({ paths: ["src/a.ts", "src/b/c.ts"], truncated: false });
    expect(outcome.discounts).toEqual([]);
    expect(outcome.stats).toEqual({ matched: 2, visited: 3 });
  });

  it("says that nothing was found, and why that may be", () => {
    const outcome = globOutcome(report({ paths: [] }, { pattern: "*.ts" }));
    expect(outcome.summary(7)).toEqual(["No files found matching '*.ts' in '.'", "(Scanned 3 items in 7ms)"]);
    expect(outcome.notes).toEqual(["[Note: '*' does not cross directories. Use '**/*.ts' to search below.]"]);
    expect(outcome.body).toBe("");
  });

  it.each([
    [0, 1, "Showing matches 1-1.", 1],
    [50, 2, "Showing matches 51-52.", 52],
  ])("says how to go on from offset %i with %i matches", (offset, count, reason, next) => {
    const params = globParams().parse({ pattern: "*.ts", offset });
    const paths = Array.from({ length: count }, (_, index) => `${String(index)}.ts`);
    const outcome = globOutcome(report({ paths, matchesBefore: offset, stoppedBy: "enough" }, { params }));
    expect(outcome.discounts).toEqual([
      {
        label: "Truncated",
        reason,
        next: `Use offset=${String(next)} to continue, or narrow 'pattern' or 'path'.`,
        change: { offset: next },
      },
    ]);
    expect(outcome.data).toEqual({ paths, truncated: true });
  });

  it.each([
    [3, 0, "(Not searched: 3 hidden entries.)"],
    [0, 1, "(Not searched: 1 ignored entries.)"],
    [3, 1, "(Not searched: 3 hidden, 1 ignored entries.)"],
  ])("says that %i hidden and %i ignored entries were not searched", (hidden, ignored, note) => {
    expect(globOutcome(report({ hidden, ignored })).notes).toEqual([note]);
  });

  it("says that an offset is past the end, unless the search did not get there", () => {
    const params = globParams().parse({ pattern: "*.ts", offset: 9 });
    expect(globOutcome(report({ paths: [], matchesBefore: 4 }, { params })).notes).toEqual([
      "[offset=9 is past the end: 4 matches.]",
    ]);
    const skipped = report({ paths: [], matchesBefore: 4, stoppedBy: "aborted" }, { params });
    expect(globOutcome(skipped).notes).toEqual([]);
  });

  it.each([
    [2000, "2"],
    [500, "0.5"],
    [1, "0.001"],
  ])("names the time limit of %i ms in seconds", (maxDurationMs, seconds) => {
    const outcome = globOutcome(report({ stoppedBy: "time_limit" }, { maxDurationMs }));
    expect(outcome.discounts).toMatchObject([
      { label: "Partial", reason: `Search timed out (>${seconds}s). Results are incomplete.`, nextOnOwnLine: true },
    ]);
    expect(outcome.data).toEqual({ paths: ["a.ts"], truncated: false, aborted_reason: "time_limit" });
  });

  it("counts a search that had to skip a directory as finished", () => {
    const skipped = [{ path: "d", reason: "permission" }] as const;
    expect(globOutcome(report({ skipped })).discounts?.[0]).not.toHaveProperty("stoppedEarly");
  });

  it("says that a breaker stopped the count", () => {
    const outcome = globOutcome(report({ stoppedBy: "count_limit" }));
    expect(outcome.discounts).toEqual([
      {
        label: "Partial",
        reason: "Search stopped early (scanned too many items).",
        next: "Use a more specific 'path'.",
        stoppedEarly: true,
      },
    ]);
    expect(outcome.data).toEqual({ paths: ["a.ts"], truncated: false, aborted_reason: "count_limit" });
  });

  it("names no breaker after an abort", () => {
    const outcome = globOutcome(report({ stoppedBy: "aborted" }));
    expect(outcome.data).toEqual({ paths: ["a.ts"], truncated: false });
    expect(outcome.discounts).toMatchObject([
      { label: "Partial", reason: "Aborted by the caller. Results are incomplete." },
    ]);
  });

  it("names the first directories that were skipped, and why", () => {
    const skipped = [
      { path: "a\n", reason: "permission" },
      { path: "b", reason: "unnameable" },
      { path: "c", reason: "unreadable" },
      { path: "d", reason: "permission" },
    ] as const;
    const outcome = globOutcome(report({ skipped }));
    expect(outcome.stats).toEqual({ matched: 1, visited: 3, skipped: 4 });
    expect(outcome.discounts).toMatchObject([
      {
        label: "Partial",
        reason: String.raw`Skipped 4 directories that could not be read: 'a\n' (permission denied), 'b' (name is not valid UTF-8), 'c' (read error), 1 more.`,
      },
    ]);
  });

  it("names them relative to the project root", () => {
    const skipped = [{ path: "d", reason: "permission" }] as const;
    expect(globOutcome(report({ skipped }, { path: "src" })).discounts).toMatchObject([
      { reason: "Skipped 1 directory that could not be read: 'src/d' (permission denied)." },
    ]);
  });

  it.each([
    ["time_limit", "TIMEOUT", "Search timed out (>2s) without finding results."],
    ["count_limit", "INTERNAL_ERROR", "Search aborted (scanned too many items without results)."],
  ] as const)("makes an error of the breaker %s without results", (stoppedBy, code, message) => {
    const error = failure(report({ paths: [], stoppedBy, visited: 20_001 }, { path: "src", pattern: "*.ts" }));
    expect(error).toMatchObject({ code, message });
    expect(error.report?.data).toEqual({ paths: [], truncated: false, aborted_reason: stoppedBy });
    expect(error.report?.stats).toEqual({ matched: 0, visited: 20_001 });
    expect(error.report?.text?.(12)).toBe(
      `No files found matching '*.ts' in 'src'\n(Scanned 20001 items in 12ms)\n[Error: ${message} Use a more specific 'path' or 'pattern'.]`,
    );
  });

  it("escapes and clips what is shown", () => {
    const outcome = globOutcome(
      report({ paths: ["a\n[Error: x]"] }, { path: "b\u202e", pattern: `\u001b${"x".repeat(300)}` }),
    );
    expect(outcome.body).toBe(String.raw`b\u202e/a\n[Error: x]`);
    expect(outcome.summary(0)[0]).toMatch(/^Found 1 files matching '\\u001bx{100,200}…' in 'b\\u202e'$/u);
    expect(outcome.data.paths).toEqual(["b\u202e/a\n[Error: x]"]);
  });
});

function explain(reason: SandboxReason): string {
  const error = new SandboxError({ reason, path: "a/b", osError: "EIO: i/o error" });
  const explained = explainPathErrors(globPathWords)(error, { path: "a/b" }, { has: () => true });
  return isToolError(explained) ? `${explained.code}: ${explained.message}` : "not explained";
}

describe("the words of Glob", () => {
  it.each<[SandboxReason, string]>([
    ["missing", "NOT_FOUND: Search root 'a/b' does not exist."],
    ["outside", "ACCESS_DENIED: Access denied. Path must be within project root."],
    ["not_directory", "INVALID_PARAM: Search root 'a/b' is not a directory."],
    ["permission", "PERMISSION_DENIED: Permission denied reading 'a/b'."],
  ])("for %s: %s", (reason, expected) => {
    expect(explain(reason)).toBe(expected);
  });
});
