import { ErrorCode } from "../error.ts";
import { checkRelativePath } from "./check-path.ts";
import { isRecord } from "../record.ts";
import { pointer, type RuleId, type Violation, violation } from "./violation.ts";

const REQUIRED = ["status", "data", "text", "stats", "context"];
const KNOWN: ReadonlySet<string> = new Set([...REQUIRED, "error"]);
const STATUSES: ReadonlySet<unknown> = new Set(["success", "partial", "error"]);
const STANDARD_CODES: ReadonlySet<string> = new Set(Object.values(ErrorCode));

/** The structure: which keys there are, and what each one is. */
export function* checkEnvelope(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  yield* checkKeys(response);
  const { status, text } = response;
  if ("status" in response && !STATUSES.has(status)) {
    yield violation("envelope/status", "/status", 'status must be "success", "partial" or "error".');
  }
  if ("text" in response && (typeof text !== "string" || text === "")) {
    yield violation("envelope/text", "/text", "text must be a string that says something.");
  }
  yield* checkError(response);
  if ("data" in response && !isRecord(response.data)) {
    yield violation("envelope/data", "/data", "data must be an object.");
  }
  yield* checkPart(response, "stats", "envelope/stats", checkStats);
  yield* checkPart(response, "context", "envelope/context", checkContext);
}

function* checkKeys(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  for (const key of REQUIRED) {
    if (!(key in response)) yield violation("envelope/missing-key", pointer(key), `${key} is missing.`);
  }
  for (const key of Object.keys(response)) {
    if (!KNOWN.has(key)) {
      yield violation("envelope/unknown-key", pointer(key), "Only data, stats and context may carry further fields.");
    }
  }
}

function* checkPart(
  response: Readonly<Record<string, unknown>>,
  key: string,
  rule: RuleId,
  check: (part: Readonly<Record<string, unknown>>) => Generator<Violation>,
): Generator<Violation> {
  if (!(key in response)) return;
  const part = response[key];
  if (isRecord(part)) yield* check(part);
  else yield violation(rule, pointer(key), `${key} must be an object.`);
}

function* checkError(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const { status, error } = response;
  if (status !== "error") {
    if ("error" in response) yield violation("error/unexpected", "/error", "error exists only if the status is error.");
    return;
  }
  if (!("error" in response))
    yield violation("error/missing", "/error", "An error needs error.code and error.message.");
  else if (isRecord(error)) yield* checkFailure(error);
  else yield violation("error/shape", "/error", "error must be an object with code and message.");
}

function* checkFailure(error: Readonly<Record<string, unknown>>): Generator<Violation> {
  for (const key of ["code", "message"]) {
    if (typeof error[key] !== "string" || error[key] === "") {
      yield violation("error/shape", pointer("error", key), `error.${key} must be a string that says something.`);
    }
  }
  for (const key of Object.keys(error)) {
    if (key !== "code" && key !== "message") {
      yield violation("error/shape", pointer("error", key), "error holds code and message, nothing else.");
    }
  }
  if (typeof error.code === "string" && !STANDARD_CODES.has(error.code)) {
    yield violation("error/nonstandard-code", "/error/code", "Not one of the ten standard error codes.");
  }
}

function* checkStats(stats: Readonly<Record<string, unknown>>): Generator<Violation> {
  const { time_ms: time } = stats;
  if (!Number.isSafeInteger(time) || Number(time) < 0) {
    yield violation("stats/time-ms", "/stats/time_ms", "time_ms must be a whole number of milliseconds.");
  }
  for (const [key, value] of Object.entries(stats)) {
    if (key !== "time_ms" && typeof value !== "string" && !Number.isFinite(value)) {
      yield violation("stats/value", pointer("stats", key), "A figure must be a number or a string.");
    }
  }
}

function* checkContext(context: Readonly<Record<string, unknown>>): Generator<Violation> {
  if (!("cwd" in context)) yield violation("context/cwd", "/context/cwd", "cwd is missing.");
  else yield* checkRelativePath(context.cwd, "context/cwd", "/context/cwd");
  if (context.params_input === undefined) {
    yield violation("context/params-input", "/context/params_input", "params_input is missing.");
  }
  if ("path_resolved" in context) {
    yield* checkRelativePath(context.path_resolved, "context/path-resolved", "/context/path_resolved");
  }
  if ("truncation_skip" in context && typeof context.truncation_skip !== "boolean") {
    yield violation("context/truncation-skip", "/context/truncation_skip", "truncation_skip must be a boolean.");
  }
}
