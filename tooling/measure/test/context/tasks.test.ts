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
import { rightAnswer } from "../../src/context/oracle.ts";
import { TASKS, type Task } from "../../src/context/tasks.ts";

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
  expect(result, id).toBe("right");
  expect(calls).toBeLessThanOrEqual(30);
});

test.each([
  ["list-37", expect.arrayContaining(["00.json", "36.json"])],
  ["list-hidden", expect.arrayContaining([".github/", ".npmrc.example", "src/"])],
  ["count-1000", 1000],
  ["find-brackets", ["app/(shop)/[...slug]/page.tsx", "app/(shop)/[id]/page.tsx"]],
  ["find-other-case", "README.md"],
  ["newest", "docs/guide-07.md"],
  ["search-utf16", [{ file: "legacy/report.txt", line: 2, text: "Nordwest;48151" }]],
  ["search-hidden", [".github/workflows/release.yml"]],
  ["read-encoded", "客户名称"],
  ["read-long-line", "coast-line"],
  ["read-binary", "binary"],
  ["picture-size", "317x94"],
  ["two-roots", [{ file: "../acme-lib/retry.ts", line: 1, text: "export const RETRY_LIMIT = 3;" }]],
])("what is right of %s is known", async (id, answer) => {
  expect((await rightAnswer(taskOf(id), files)).answer).toEqual(answer);
});

test.each([
  ["edit-windows", { "edits/windows.txt": "[main]\r\nport=8080\r\nhost=b\r\n\r\n[log]\r\nlevel=1\r\n" }],
  ["edit-dollars", { "edits/money.ts": 'export const price = "$& and $1 and $$";\nexport const unit = "EUR";\n' }],
  ["edit-encoded", { "edits/labels.txt": "\xb6\xa9\xb5\xa5=11\n\xbf\xcd\xbb\xa7=20\n" }],
  ["delete-file", { "edits/old/unused.ts": "missing" }],
  ["edit-escaped", { "edits/quoted.ts": expect.stringContaining('head = [\n\t"title",\n') as string }],
])("what is right after %s is known", async (id, changes) => {
  expect((await rightAnswer(taskOf(id), files)).changes).toEqual(changes);
});

const taskOf = (id: string): Task => {
  const task = TASKS.find((candidate) => candidate.id === id);
  if (task === undefined) throw new Error(`There is no task '${id}'.`);
  return task;
};

const question: Task = { id: "question", ask: "", solve: async ({ list }) => list("locales") };

/** The set lists a name less than there is. */
const forgetful = async (...[tool, params]: Call) => {
  const { text, ...rest } = await call(tool, params);
  return { ...rest, text: text.replace("00.json\n", "") };
};

test("a wrong answer about which nothing was said is silent", async () => {
  expect(await outcomeOf(question, forgetful)).toMatchObject({ result: "silent", calls: 1 });
});

test("a refusal, and a notice about what is missing, are told", async () => {
  const refused = async () => Promise.resolve({ text: "Path 'locales' is not there.", elapsedMs: 0 });
  expect(await outcomeOf(question, refused)).toMatchObject({
    result: "told",
    notice: expect.stringContaining("locales") as string,
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
  const endless = async () => Promise.resolve({ text: "[Truncated: Use offset=1 to continue.]\n\na", elapsedMs: 0 });
  expect(await outcomeOf(question, endless)).toMatchObject({ result: "told", calls: 30 });
});

test("a change is right only if the bytes are", async () => {
  writeFiles(root, files, { below: "edits/" });
  const said = async () => Promise.resolve({ text: "Edited 'edits/two.ts', lines 1, 3.", elapsedMs: 0 });
  expect(await outcomeOf(taskOf("edit-two"), said)).toMatchObject({ result: "silent", calls: 1 });
});
