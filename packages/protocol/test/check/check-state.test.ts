import { expect, it } from "vitest";
import { checkResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const { batch, dryRun, edit, failure, glob, globBreaker, grep, ls, read, readReplaced } = ENVELOPES;
const success = "success";
const { message } = failure.error;

it.each<[string, unknown, string]>([
  ["a truncated success", { ...ls, status: success }, "error state/truncated /data/truncated"],
  ["a success by a fallback", { ...grep, status: success }, "error state/fallback /data/fallback"],
  [
    "a success in a fallback encoding",
    { ...readReplaced, status: success },
    "error state/fallback-encoding /data/fallback_encoding",
  ],
  ["a success with failed items", { ...batch, status: success }, "error state/failed-items /data/failed_items"],
  ["a success that applied nothing", { ...dryRun, status: success }, "error state/not-applied /data/applied"],
  ["a success that was stopped", { ...glob, status: success }, "error state/aborted /data/aborted_reason"],
  [
    "truncated that is not a boolean",
    { ...edit, data: { ...edit.data, truncated: "yes" } },
    "error state/truncated-type /data/truncated",
  ],
  ["a partial answer without a reason", { ...edit, status: "partial" }, "warning state/partial-reason /text"],
  ["a fallback that text does not mention", { ...grep, text: "Found 1 match." }, "warning state/partial-reason /text"],
  [
    "brackets that explain nothing",
    { ...grep, text: "Found 1 match for 'truncated' (in 3ms) [src]\n\nfail.ts" },
    "warning state/partial-reason /text",
  ],
  [
    "a cut diff in a success",
    { ...edit, data: { applied: true, diff_truncated: true } },
    "error state/diff-truncated /data/diff_truncated",
  ],
  [
    "a breaker with results",
    { ...globBreaker, data: { ...globBreaker.data, paths: ["a"] } },
    "warning state/error-data /data",
  ],
  [
    "a failed edit with more",
    { ...failure, data: { failed_index: 1, applied: true } },
    "warning state/error-data /data",
  ],
  [
    "failed items without a message",
    { ...failure, data: { failed_items: [{ path: "a" }] } },
    "warning state/error-data /data",
  ],
  [
    "a hunk that is not valid",
    { ...failure, data: { failed_items: [{ path: "a", hunk: 0, message: "No." }] } },
    "warning state/error-data /data",
  ],
  ["an index that is not valid", { ...failure, data: { failed_index: -1 } }, "warning state/error-data /data"],
  ["a dry run that text does not mention", { ...dryRun, text: "Done." }, "warning state/partial-reason /text"],
  ["failed items that text does not mention", { ...batch, text: "Done." }, "warning state/partial-reason /text"],
  [
    "a truncated answer without a next step",
    { ...ls, text: "Listed 2 entries in '.' (truncated)." },
    "warning text/next-step /text",
  ],
  [
    "a truncated answer that does not say so",
    { ...ls, text: "Listed 2 entries in '.'" },
    "warning text/truncation-notice /text",
  ],
  [
    "a truncated answer where only a name says so",
    { ...ls, text: "Listed 2 entries in 'truncated'. Use offset=2." },
    "warning text/truncation-notice /text",
  ],
  [
    "a truncated answer where only the list says so",
    { ...ls, text: "Listed 2 entries in '.'\n\ntruncate.ts\nuse-next.ts" },
    "warning text/truncation-notice /text",
  ],
  [
    "a truncated answer where only the list has a next step",
    { ...ls, text: "Listed 2 entries in 'use' (truncated).\n\nnext.config.js" },
    "warning text/next-step /text",
  ],
  ["an error with data", { ...failure, data: { entry: 1 } }, "warning state/error-data /data"],
  ["an error with another beginning", { ...failure, text: "Sorry. Try LS." }, "warning text/error-message /text"],
  ["an error without a next step", { ...failure, text: message }, "warning text/next-step /text"],
  ["an escape sequence in text", { ...read, text: "Read \u001b[31m" }, "warning text/control-character /text"],
  ["a bidi control in text", { ...read, text: "Read a\u202egpj.exe" }, "warning text/control-character /text"],
  [
    "a control in the message",
    { ...failure, text: "a\u0007b Try LS.", error: { code: "NOT_FOUND", message: "a\u0007b" } },
    "warning text/control-character /text,warning text/control-character /error/message",
  ],
  [
    "an error truncated by a tool",
    { ...globBreaker, data: { ...globBreaker.data, truncated: true } },
    "error state/truncated /data/truncated",
  ],
])("reports %s", (_, value, expected) => {
  const found = checkResponse(value).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
  expect(found.join(",")).toBe(expected);
});

it.each([
  "Results truncated to first 100 items. Use 'offset' 参数查看更多。",
  "Found 100 matches for 'TODO' in 'src/' (truncated to first 100). Try narrowing the path or pattern.",
  "Listed 2 entries in 'src' (truncated from 500 total). Consider using 'search_code' or increasing 'limit'.",
  "结果已截断，可增大 limit 查看更多。",
])("takes the next step of a truncated answer from %j", (text) => {
  expect(checkResponse({ ...ls, text })).toEqual([]);
});

it("knows what an error may carry: an empty search and its breaker, the edit that failed", () => {
  const matches = { matches: [], truncated: false, aborted_reason: "time_limit", fallback: "javascript" };
  expect(checkResponse({ ...globBreaker, data: matches }, { category: "grep" })).toEqual([]);
  expect(checkResponse({ ...failure, data: { failed_index: 0 } }, { category: "edit" })).toEqual([]);
  const items = [
    { path: "a", hunk: 1, message: "No." },
    { path: "b", message: "No." },
  ];
  expect(checkResponse({ ...failure, data: { failed_items: items } }, { category: "edit" })).toEqual([]);
});

it("lets a note on a parameter stand between the paragraphs of a message", () => {
  const error = { code: "NOT_FOUND", message: "File not found: a\n\nDid you mean one of these?\nab" };
  const text = "File not found: a\nNote: 'path' was taken as 'filePath'.\n\nDid you mean one of these?\nab\n\nTry LS.";
  expect(checkResponse({ ...failure, error, text })).toEqual([]);
});

it("lets a partial answer explain itself in text alone", () => {
  const text = "Found 2 files.\n[Partial: The search was aborted. Repeat it to see the rest.]";
  expect(checkResponse({ ...edit, status: "partial", text })).toEqual([]);
});
