import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fixture } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filesIn } from "./files-in.ts";
import { apply, writeFiles } from "./support.ts";

type Files = Record<string, { content: string; isRun?: boolean }>;

// Few words, so that many lines are alike.
const word = fc.constantFrom("a", "a", "b", "}", "", "  x", "-- sql", "++ c", "\ttab", "é漢😀", "@@ -1 +1 @@", "\\ No");
const lineEnd = fc.constantFrom("\n", "\n", "\n", "\n", "\n", "\n", "\r\n");
const line = fc.tuple(fc.oneof(word, fc.nat(99).map(String)), lineEnd).map((parts) => parts.join(""));
const lines = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(
      fc.oneof(word, fc.nat(99).map(String)).map((text) => `${text}\n`),
      { maxLength: 30 },
    ),
  },
  { weight: 1, arbitrary: fc.array(line, { maxLength: 20 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom("a\r\n", "b\r\n", "c\r\n"), { maxLength: 20 }) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom("a\n", "b\r", "c\r\n", "d\r\r\n"), { maxLength: 12 }) },
);
const name = fc.constantFrom("a", "b.txt", "dir/c d.txt", "é.txt", 'quo"te', "tab\tname", "a.d/b", "x -> y");

interface Change {
  readonly at: number;
  readonly remove: number;
  readonly insert: readonly string[];
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(30),
  remove: fc.nat(3),
  insert: fc.array(line, { maxLength: 3 }),
});

const file = fc.record({
  name,
  lines,
  isRun: fc.boolean(),
  isEnded: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
  changes: fc.array(change, { maxLength: 3 }),
  fate: fc.constantFrom("keep", "keep", "keep", "keep", "delete", "rename", "mode", "empty"),
  unends: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

const scenario = fc.record({
  files: fc.uniqueArray(file, { minLength: 1, maxLength: 5, selector: ({ name: own }) => own }),
  added: fc.uniqueArray(fc.record({ name: name.map((own) => `new/${own}`), lines, isRun: fc.boolean() }), {
    maxLength: 2,
    selector: ({ name: own }) => own,
  }),
  context: fc.constantFrom(1, 2, 3, 3, 3, 5),
  drift: fc.array(change, { maxLength: 2 }),
  hasDrift: fc.boolean(),
});

function changed(all: readonly string[], changes: readonly Change[]): string[] {
  const result = [...all];
  for (const { at, remove, insert } of changes) result.splice(Math.min(at, result.length), remove, ...insert);
  return result;
}

const joined = (all: readonly string[], isEnded: boolean) =>
  isEnded ? all.join("") : all.join("").replace(/\r?\n$/u, "");

/** The files before and after, and those to which the diff is applied. */
function trees({ files, added, drift, hasDrift }: typeof scenario extends fc.Arbitrary<infer Value> ? Value : never) {
  const [before, after, base]: [Files, Files, Files] = [{}, {}, {}];
  for (const { name: path, lines: all, isRun, isEnded, changes, fate, unends } of files) {
    before[path] = { content: joined(all, isEnded), isRun };
    base[path] = { content: joined(hasDrift ? changed(all, drift) : all, isEnded), isRun };
    if (fate === "delete") continue;
    const content = fate === "empty" ? "" : joined(changed(all, changes), isEnded && !unends);
    after[fate === "rename" ? `moved/${path}` : path] = { content, isRun: fate === "mode" ? !isRun : isRun };
  }
  for (const { name: path, lines: all, isRun } of added) after[path] = { content: joined(all, true), isRun };
  return { before, after, base };
}

const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CEILING_DIRECTORIES: "/" };

function gitDiff(root: string, context: number): string {
  const args = ["diff", "--no-index", "--text", "-M", `-U${context}`, "old", "new"];
  const { stdout } = spawnSync("git", args, { cwd: root, env, encoding: "utf8" });
  // The names as they are within one tree.
  return stdout.replaceAll(/^(?:diff --git |--- |\+\+\+ |rename (?:from|to) ).*$/gmu, (header) =>
    header.replaceAll(
      /((?:^rename \w+ | |^)"?)(?:([ab])\/)?(?:old|new)\//gu,
      (_, lead: string, side?: string) => lead + (side === undefined ? "" : `${side}/`),
    ),
  );
}

describe("a diff of git", () => {
  // Rule: What git diff writes, Patch applies as git apply does, or refuses it; it never does anything else.
  it("does to random trees what git apply does, or is refused as ambiguous", async () => {
    const seen = { equal: 0, ambiguous: 0, refusedByBoth: 0, refused: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const { root, path, cleanup } = fixture();
        const { before, after, base } = trees(given);
        writeFiles(path("old"), { ...before, keep: { content: "" } });
        writeFiles(path("new"), { ...after, keep: { content: "" } });
        const diff = gitDiff(root, given.context);
        if (diff === "") return;
        writeFiles(path("git"), { ...base, keep: { content: "" } });
        writeFiles(path("ours"), { ...base, keep: { content: "" } });
        writeFileSync(path("diff"), diff);
        const git = spawnSync("git", ["apply", "--whitespace=nowarn", path("diff")], {
          cwd: path("git"),
          env,
          encoding: "utf8",
        });
        const untouched = filesIn(path("ours"));
        const response = await apply(path("ours"), diff);
        const ours = filesIn(path("ours"));
        if (response.status === "error") {
          expect(ours).toEqual(untouched);
          const message = response.error.message.replaceAll(/'.*'/gu, "''");
          if (git.status !== 0) seen.refusedByBoth += 1;
          else if (message.includes("fits in ")) seen.ambiguous += 1;
          else seen.refused.add(message);
          // Without a drift git's numbers are right, so that only lines that end in different ways are ambiguous.
          if (!given.hasDrift && git.status === 0) expect(message).toMatch(/fits in |mark/u);
        } else if (git.status === 0) {
          expect({ diff, ours }).toEqual({ diff, ours: filesIn(path("git")) });
          seen.equal += 1;
        }
        cleanup();
      }),
      { numRuns: 300 },
    );
    console.log(seen);
    expect(seen.equal).toBeGreaterThan(150);
  }, 300_000);
});

describe("a diff of diff -u", () => {
  it("makes the new file of the old one, or is refused as ambiguous", async () => {
    let equal = 0;
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom(1, 3), async ({ lines: all, isEnded, changes, unends }, context) => {
        const { root, path, cleanup } = fixture();
        const [before, after] = [joined(all, isEnded), joined(changed(all, changes), isEnded && !unends)];
        writeFiles(root, { "a/f": { content: before }, "b/f": { content: after } });
        const { stdout: diff } = spawnSync("diff", [`-U${context}`, "--text", "a/f", "b/f"], {
          cwd: root,
          encoding: "utf8",
        });
        if (diff === "") return;
        writeFiles(path("ours"), { f: { content: before } });
        const response = await apply(path("ours"), diff);
        const isEqual = response.status !== "error";
        const { f: ours } = filesIn(path("ours"));
        expect({ diff, ours }).toEqual({ diff, ours: Buffer.from(isEqual ? after : before).toString("latin1") });
        if (!isEqual) expect(response.error.message).toMatch(/fits in /u);
        else equal += 1;
        cleanup();
      }),
      { numRuns: 100 },
    );
    expect(equal).toBeGreaterThan(20);
  }, 120_000);
});
