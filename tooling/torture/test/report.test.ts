import { expect, it } from "vitest";
import { background } from "../src/attacks/index.ts";
import { mutations } from "../src/mutants.ts";
import { attackSection, mutantSection } from "../src/report.ts";

const facts = { minutes: 3, seed: "7", elapsedMs: 90_000 };

it("writes a row for each attack and their sum", () => {
  const summary = { attempts: 1200, violationCount: 1, violations: ["x"], notes: { p99: "5 ms", "a|b": "ü" } };
  const section = attackSection(
    [
      { attack: background, summary },
      { attack: background, summary },
    ],
    facts,
  );
  expect(section).toMatch(/^`pnpm torture --minutes 3`, seed 7, on .*It took 1\.5 minutes/u);
  expect(section.split("\n\n")[1]).toBe(
    [
      "| attack | attempts | violations | seen            |",
      "| ------ | -------- | ---------- | --------------- |",
      "| load   | 1,200    | 1          | p99 5 ms; a/b ? |",
      "| load   | 1,200    | 1          | p99 5 ms; a/b ? |",
      "| all    | 2,400    | 2          |                 |",
    ].join("\n"),
  );
});

it("says which attack found each mutant, or that it survived", () => {
  const [first, second] = mutations;
  if (first === undefined || second === undefined) throw new Error("There are no mutations.");
  const section = mutantSection(
    [
      { mutation: first, found: "something" },
      { mutation: second, found: undefined },
    ],
    facts,
  );
  expect(section).toContain("1 of 2 found, in 1.5 minutes.");
  expect(section).toMatch(new RegExp(`\\| ${first.attack} +\\| ${first.name} `, "u"));
  expect(section).toMatch(new RegExp(`\\| \\*\\*survived\\*\\* \\| ${second.name} `, "u"));
});
