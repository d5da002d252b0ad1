import { expect, test } from "vitest";
import { compared } from "../../src/context/measure.ts";
import { chart, sections } from "../../src/context/report.ts";
import {
  type Results,
  type ToolsetResult,
  cheapestSame,
  isCheapEnough,
  scoreOf,
  sharedCost,
} from "../../src/context/score.ts";
import type { Outcome } from "../../src/context/run-task.ts";

const outcome = (task: string, result: Outcome["result"], tokens: number): Outcome => ({
  task,
  result,
  tokens,
  calls: 2,
  elapsedMs: 5,
});

const toolset = (id: string, tokens: number, outcomes: readonly Outcome[], showsOurs = true): ToolsetResult => ({
  id,
  title: id,
  version: "1.0.0",
  tools: ["read"],
  definitionTokens: 100,
  requests: [{ request: "list-10", tokens, shown: 10, showsOurs }],
  outcomes,
});

const ours = toolset("fstools", 78, [outcome("list-37", "right", 10), outcome("read-log", "right", 1000)]);
const cheap = toolset("cheap", 40, [outcome("list-37", "right", 20), outcome("read-log", "silent", 1)], false);
const same = toolset("same", 60, [outcome("list-37", "told", 30), outcome("read-log", "right", 900)]);

test("tasks are summed up by how they came out", () => {
  expect(scoreOf(cheap)).toEqual({ right: 1, told: 0, silent: 1, calls: 4, tokens: 21 });
});

test("costs are compared over what both did right", () => {
  expect(sharedCost(ours, cheap)).toMatchObject({ tasks: 1, ours: 110, theirs: 120, cheaper: 0 });
  expect(sharedCost(ours, same)).toMatchObject({ tasks: 1, ours: 1100, theirs: 1000, cheaper: 1 });
  expect(sharedCost(ours, same, ["read-log"])).toMatchObject({ tasks: 0, ours: 100, theirs: 100, cheaper: 0 });
});

test("in the mean over tasks each counts the same", () => {
  const other = toolset("other", 60, [outcome("list-37", "right", 40), outcome("read-log", "right", 250)]);
  expect(sharedCost(ours, other).mean).toBeCloseTo(1);
  expect(sharedCost(ours, other, ["read-log"]).mean).toBeCloseTo(4);
});

test("the cheapest rival is one that shows the same", () => {
  expect(cheapestSame("list-10", [cheap, same])?.rival.id).toBe("same");
  expect(cheapestSame("list-10", [cheap])).toBeUndefined();
});

test.each([
  [10, 0, true],
  [11, 0, false],
  [210, 200, true],
  [420, 400, true],
  [421, 400, false],
])("%i tokens beside %i: cheap enough is %j", (own, cheapest, expected) => {
  expect(isCheapEnough(own, cheapest)).toBe(expected);
});

test("an answer shows the same if it shows all that ours shows, or more", () => {
  const shown = (...parts: boolean[]) => ({ request: "list-10", tokens: 1, parts });
  expect(compared(shown(true, true), shown(true, false))).toMatchObject({ shown: 2, showsOurs: true });
  expect(compared(shown(false, true), shown(true, false))).toMatchObject({ shown: 1, showsOurs: false });
});

test("the document names what is dearer, and by how much", () => {
  const machine = {
    date: "2026-01-01",
    mode: "full",
    node: "v20",
    system: "Linux",
    processor: "x",
    memory: "1 GiB",
  } as const;
  const results: Results = {
    machine,
    toolsets: [ours, cheap, same],
    absent: [{ title: "gone", version: "2", reason: "E404" }],
  };
  const parts = sections(results);
  expect(parts.requests).toContain("**1.30x**");
  expect(parts.absent).toBe("- gone 2 did not take part: E404");
  expect(parts.goals).toContain("- First in right answers: met");
  expect(parts.goals).toContain("  - list 10 files: 78 tokens, same 60;");
  expect(parts.goals).toContain("- In the mean over tasks no rival is cheaper: missed (same).");
  expect(parts.headline).toContain("| **fstools** | **2**");
  expect(chart(results)).toContain("1 right, 0 told, 1 silent");
});
