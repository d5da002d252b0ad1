import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fixture } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { chooseModel } from "../src/agent/model.ts";
import { openProject } from "../src/project.ts";
import { askIn } from "./support/ask.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const demo = fileURLToPath(new URL("../demo/orchard", import.meta.url));

function conversationWith(name: "demo" | "own") {
  const { root } = fixture({});
  if (name === "demo") cpSync(demo, root, { recursive: true });
  const project = openProject({ root: name === "demo" ? root : repository, writable: name === "demo" });
  return project.converse({ chosen: chooseModel({}), maxSteps: 12 });
}

/** As different people asked, before there was anything to answer them. */
const ANSWERED: readonly (readonly ["demo" | "own", string, readonly (string | RegExp)[]])[] = [
  ["own", "Show me the README of the grep package", ["`packages/grep/README.md:1-", "# @fstools/grep"]],
  ["own", "which package is the biggest?", [/`packages\/[\w-]+` is the biggest/u, /`packages\/[\w-]+` \d+ lines/u]],
  ["own", "exported functions of ls", [/`packages\/ls\/src\/tool\.ts:\d+` export function createLsTool/u]],
  [
    "own",
    "Hey, how does the truncator decide what to keep?",
    [/`packages\/protocol\/src\/truncate\/\w+\.ts` fits best/u],
  ],
  [
    "own",
    "where's createSandbox defined??",
    [/`createSandbox` is defined at `packages\/sandbox\/src\/[\w/-]+\.ts:\d+`/u],
  ],
  ["own", "How many TypeScript files do we have in packages/ls/src?", [/^Found \d files matching '\*\*\/\*\.\{ts/u]],
  ["demo", "any TODO or FIXME?", [/`docs\/pricing\.md:\d+` TODO/u]],
  ["demo", "who calls priceOf?", [/`src\/report\.ts:\d+`/u, /`src\/harvest\.ts:\d+`/u]],
  ["demo", "I'm new here. What is this project about?", ["Orchard counts fruit"]],
  ["demo", "cat src/harvest.ts", ["export function countApples"]],
  ["demo", "show lines 2 to 4 of src/prices.ts", ["`src/prices.ts:2-4`", "   3 |   apple: 0.6,"]],
  [
    "demo",
    "Could you tell me how prices are set, please?",
    ["`docs/pricing.md` fits best", "The numbers live in `src/prices.ts`"],
  ],
  ["demo", "ls src", ["`src` has 3 entries", "`src/harvest.ts`"]],
  ["demo", "find ts files", ["`src/harvest.ts`", "`src/prices.ts`"]],
  ["demo", "Find all markdown files", ["`docs/pricing.md`", "`README.md`"]],
  ["demo", "is there anything about a discount in docs", [/`docs\/pricing\.md:\d+`/u]],
  ["demo", "what did I change last?", ["Newest first: `.` has 5 entries"]],
];

/** What each changes, as its diff shows it. */
const CHANGES: readonly (readonly [string, readonly string[]])[] = [
  ["Could you please change the price of an apple to 0.75?", ["-  apple: 0.6,", "+  apple: 0.75,"]],
  ["set DISCOUNT to 0.2", ["-export const DISCOUNT = 0.1;", "+export const DISCOUNT = 0.2;"]],
  [
    "Rename countApples to countFruit in src",
    ["+export function countFruit(", '+import { countFruit, priceOf } from "./harvest.ts";'],
  ],
  ["Move src/report.ts to src/bill.ts", ["src/report.ts"]],
  ["please delete checks/report.ts", ["checks/report.ts"]],
  ["make a file notes/todo.md that says 'buy ladders'", ["+buy ladders"]],
  ['Overwrite docs/pricing.md with "Ask Ann."', ["+Ask Ann."]],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ["What's the weather in Paris?", "I can't know that"],
  ["run the tests", "I can't run anything"],
  ["should I rewrite this in Rust?", "it takes judgement"],
  ["who changed prices.ts?", "I can't see a project's history"],
  ["Fix the bug in report.ts", "it takes judgement"],
];

describe("questions in the words of different people", () => {
  it.each(ANSWERED)("answers, in %s: %s", async (project, question, expected) => {
    const { answer, errors } = await askIn(conversationWith(project), question);
    expect(errors).toEqual([]);
    for (const part of expected) expect(answer).toMatch(part);
  });

  // Rule: The agent changes a file only after the user approved the diff.
  it.each(CHANGES)("makes the change that was asked for, once it is approved: %s", async (question, expected) => {
    const { changes, answer } = await askIn(conversationWith("demo"), question, { approve: () => true });
    const diff = changes.map((change) => change.diff).join("");
    for (const line of expected) expect(diff).toContain(line);
    expect(answer).toContain("I ran no tests.");
    const declined = await askIn(conversationWith("demo"), question);
    expect(declined.changes).toHaveLength(1);
    expect(declined.answer).toBe("You declined, so nothing was changed.");
  });

  it.each(REFUSED)("refuses without a call: %s", async (question, words) => {
    const { calls, answer } = await askIn(conversationWith("demo"), question);
    expect(calls).toEqual([]);
    expect(answer).toContain(words);
    expect(answer).toContain("I am an offline agent");
  });
});
