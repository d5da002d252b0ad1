import { expect, it } from "vitest";
import { checkResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const { failure, ls, read } = ENVELOPES;

function without(key: string, envelope: object): object {
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => name !== key));
}

it.each<[string, unknown, string]>([
  ["a missing key", without("status", read), "error envelope/missing-key /status"],
  ["a key of its own", { ...read, version: "1" }, "error envelope/unknown-key /version"],
  ["a key with a slash", { ...read, "a/b~c": 1 }, "error envelope/unknown-key /a~1b~0c"],
  ["an unknown status", { ...read, status: "ok" }, "error envelope/status /status"],
  ["data: null", { ...read, data: null }, "error envelope/data /data"],
  ["a list as data", { ...read, data: [] }, "error envelope/data /data"],
  ["an empty text", { ...read, text: "" }, "error envelope/text /text"],
  ["no text", { ...read, text: 5 }, "error envelope/text /text"],
  ["stats: null", { ...read, stats: null }, "error envelope/stats /stats"],
  ["a list as context", { ...read, context: [] }, "error envelope/context /context"],
  ["error: null on a success", { ...read, error: null }, "error error/unexpected /error"],
  ["error: undefined on a success", { ...read, error: undefined }, "error error/unexpected /error"],
  ["an error on a success", { ...read, error: failure.error }, "error error/unexpected /error"],
  ["no error on an error", without("error", failure), "error error/missing /error"],
  ["a string as error", { ...failure, error: "Error: boom" }, "error error/shape /error"],
  [
    "an error without a code",
    { ...failure, error: { message: failure.error.message } },
    "error error/shape /error/code",
  ],
  ["an error without a message", { ...failure, error: { code: "NOT_FOUND" } }, "error error/shape /error/message"],
  ["more in an error", { ...failure, error: { ...failure.error, stack: "" } }, "error error/shape /error/stack"],
  [
    "a code of its own",
    { ...failure, error: { ...failure.error, code: "RATE_LIMITED" } },
    "warning error/nonstandard-code /error/code",
  ],
  ["no time_ms", { ...read, stats: {} }, "error stats/time-ms /stats/time_ms"],
  ["a fractional time_ms", { ...read, stats: { time_ms: 0.5 } }, "error stats/time-ms /stats/time_ms"],
  ["a negative time_ms", { ...read, stats: { time_ms: -1 } }, "error stats/time-ms /stats/time_ms"],
  ["a time_ms in a string", { ...read, stats: { time_ms: "1" } }, "error stats/time-ms /stats/time_ms"],
  ["a list among the stats", { ...read, stats: { time_ms: 1, seen: [] } }, "error stats/value /stats/seen"],
  ["no cwd", { ...read, context: { params_input: {} } }, "error context/cwd /context/cwd"],
  ["an absolute cwd", { ...read, context: { cwd: "/home", params_input: {} } }, "error context/cwd /context/cwd"],
  ["a cwd outside", { ...read, context: { cwd: "../x", params_input: {} } }, "error context/cwd /context/cwd"],
  ["no params_input", { ...read, context: { cwd: "." } }, "error context/params-input /context/params_input"],
  [
    "an absolute path_resolved",
    { ...read, context: { cwd: ".", params_input: {}, path_resolved: "/x" } },
    "error context/path-resolved /context/path_resolved",
  ],
  [
    "a truncation_skip that is not a boolean",
    { ...read, context: { cwd: ".", params_input: {}, truncation_skip: "yes" } },
    "error context/truncation-skip /context/truncation_skip",
  ],
  [
    "a next call without a tool",
    { ...ls, context: { ...ls.context, next_call: { params: {} } } },
    "error context/next-call /context/next_call/tool",
  ],
  [
    "a next call with an extra key",
    { ...ls, context: { ...ls.context, next_call: { tool: "LS", params: {}, why: 1 } } },
    "error context/next-call /context/next_call/why",
  ],
  [
    "a next call of a success",
    { ...read, context: { ...read.context, next_call: { tool: "LS", params: {} } } },
    "error context/next-call /context/next_call",
  ],
  [
    "a next call of an error that is no conflict",
    { ...failure, context: { ...failure.context, next_call: { tool: "LS", params: {} } } },
    "error context/next-call /context/next_call",
  ],
  [
    "suggestions that are not a list",
    { ...failure, context: { ...failure.context, suggestions: "a" } },
    "error context/suggestions /context/suggestions",
  ],
  [
    "suggestions of a success",
    { ...read, context: { ...read.context, suggestions: ["a"] } },
    "error context/suggestions /context/suggestions",
  ],
])("reports %s", (_, value, expected) => {
  const found = checkResponse(value).map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
  expect(found).toEqual([expected]);
});
