import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call } from "../../src/context/drivers/driver.ts";
import { fstools } from "../../src/context/drivers/fstools.ts";
import { CHANGED_LAST, shopFiles, writeFiles } from "../../src/context/fixtures.ts";
import { open } from "../../src/rivals/fstools.ts";
import type { Host } from "../../src/rivals/host.ts";
import { runTask, type Outcome } from "../../src/context/run-task.ts";
import { TASKS, type Task } from "../../src/context/tasks.ts";

const NOT_YET = ["move-file", "move-directory", "delete-file"];

const files = shopFiles();
let root: string;
let host: Host;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "fstools-context-test-"));
  writeFiles(root, files, { newest: CHANGED_LAST });
  host = await open(root);
}, 60_000);

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const call = async (...[tool, params]: Call) => ({ text: await host.call(tool, params), elapsedMs: 0 });
const outcomeOf = async (task: Task, answers = call): Promise<Outcome> =>
  runTask(task, fstools(root, true), answers, { root, files });

/** Nobody has told them of a second directory here; these have a host of their own. */
const here = TASKS.filter(({ library = false }) => !library);

// Rule: Our tools do every task of the context benchmark that they can do, and no gap in an answer goes unsaid.
test.each(here.map((task) => [task.id, task] as const))("%s", async (id, task) => {
  const { result, calls } = await outcomeOf(task);
  expect(result).toBe(NOT_YET.includes(id) ? "told" : "right");
  expect(calls).toBeLessThanOrEqual(30);
});

const question: Task = {
  id: "question",
  ask: "",
  solve: async ({ list }) => list("locales"),
  expected: () => ["other.json"],
};

test("a wrong answer about which nothing was said is silent", async () => {
  expect(await outcomeOf(question)).toMatchObject({ result: "silent", calls: 1 });
});

test("a refusal, and a notice about what is missing, are told", async () => {
  expect(await outcomeOf({ ...question, solve: async ({ list }) => list("nowhere") })).toMatchObject({
    result: "told",
    notice: expect.stringContaining("nowhere") as string,
  });
  const partial = async () =>
    Promise.resolve({ text: "1 file\n(Not searched: 2 hidden entries.)\n\na.ts", elapsedMs: 0 });
  const found = { ...question, solve: async ({ find }: Parameters<Task["solve"]>[0]) => find("**/*.ts") };
  expect(await outcomeOf(found, partial)).toMatchObject({
    result: "told",
    notice: "(Not searched: 2 hidden entries.)",
  });
});

test("a task that does not end in 30 calls is told", async () => {
  const endless: Task = {
    ...question,
    solve: async ({ list }) => {
      for (;;) await list("locales");
    },
  };
  expect(await outcomeOf(endless)).toMatchObject({ result: "told", calls: 30 });
});

test("a change is right only if the bytes are", async () => {
  const path = "edits/two.ts";
  const untouched = {
    ...question,
    changes: [path],
    solve: async () => Promise.resolve(),
    expected: () => ({ [path]: "x" }),
  };
  expect(await outcomeOf(untouched)).toMatchObject({ result: "silent", calls: 0, tokens: 0 });
});
