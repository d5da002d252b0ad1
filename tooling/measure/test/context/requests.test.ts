import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { shopFiles, type Files } from "../../src/context/fixtures.ts";
import { REQUESTS, requestFiles, shownParts } from "../../src/context/requests.ts";
import { TASKS } from "../../src/context/tasks.ts";

function digest(files: Files): string {
  const hash = createHash("sha256");
  for (const [path, content] of files) hash.update(path).update(content);
  return hash.digest("hex");
}

const countShown = (id: string, answer: string) => {
  const request = REQUESTS.find((candidate) => candidate.id === id);
  return request === undefined ? -1 : shownParts(request, answer).filter(Boolean).length;
};

test("there are at least 20 requests and 25 tasks, each of its own name", () => {
  expect(new Set(REQUESTS.map(({ id }) => id)).size).toBeGreaterThanOrEqual(20);
  expect(new Set(TASKS.map(({ id }) => id)).size).toBeGreaterThanOrEqual(25);
});

test("the files are the same every time", () => {
  expect(digest(shopFiles())).toBe(digest(shopFiles()));
  expect(digest(requestFiles())).toBe(digest(requestFiles()));
});

test.each([
  ["list-10", "Listed\n\ninvoice-0.pdf\ninvoice-1.pdf", 2],
  ["list-10", "/root/lists/10/invoice-3.pdf (0 bytes)", 1],
  ["list-10", "invoice-12.pdf", 0],
  ["list-10", JSON.stringify({ stdout: "invoice-0.pdf\ninvoice-1.pdf\n", stderr: "" }), 2],
  ["read-wide", '{"n":0,"trace":""}\n{"n":1}', 0],
  ["read-50", "1\tAlpha beta gamma delta. Item 7919 of 1.", 1],
  ["read-50", "   1→Alpha beta gamma delta. Item 7919 of 1.", 1],
  ["read-50", "Alpha beta gamma delta. Item 7919 of 1.", 0],
  ["read-50", "2: Alpha beta gamma delta. Item 7919 of 1.", 0],
  ["read-missing", "File 'text/config.ts' does not exist. Did you mean 'text/config.tsx'?", 2],
  ["read-missing", "ENOENT: no such file", 1],
  ["grep-common", "code/module-00/index.ts:2: commonWord\ncode/module-01/part-0041.ts:2: commonWord", 2 + 39],
])("%s: %j shows %i parts", (id, answer, shown) => {
  expect(countShown(id, answer)).toBe(shown);
});
