import type * as z from "../zod.ts";
import { envelopeSchema } from "../envelope.ts";
import { ErrorCode, isErrorCode } from "../error.ts";
import { isRecord } from "../json.ts";
import { checkRelativePath, pointer, ruleName, type Violation, violation } from "./violation.ts";

export function* checkEnvelope(response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const { status, error, context } = response;
  for (const issue of envelopeSchema().safeParse(response).error?.issues ?? []) {
    yield* schemaViolations(issue, response);
  }
  if (status === "error" && error === undefined) {
    yield violation("error/missing", "/error", "An error needs error.code and error.message.");
  }
  if (status !== "error" && "error" in response) {
    yield violation("error/unexpected", "/error", "error exists only if the status is error.");
  }
  if (isRecord(error) && typeof error.code === "string" && error.code !== "" && !isErrorCode(error.code)) {
    yield violation("error/nonstandard-code", "/error/code", "Not one of the ten standard error codes.");
  }
  if (!isRecord(context)) return;
  const { cwd, path_resolved: path } = context;
  if (typeof cwd === "string" && cwd !== "") yield* checkRelativePath(cwd, "context/cwd", "/context/cwd");
  if (typeof path === "string") yield* checkRelativePath(path, "context/path-resolved", "/context/path_resolved");
  const mayGoOn = status === "partial" || (isRecord(error) && error.code === ErrorCode.CONFLICT);
  if ("next_call" in context && !mayGoOn) {
    yield violation("context/next-call", "/context/next_call", "Only a partial answer or a conflict has a next call.");
  }
  if ("suggestions" in context && status !== "error") {
    yield violation("context/suggestions", "/context/suggestions", "Only an error has suggestions.");
  }
}

function* schemaViolations(issue: z.core.$ZodIssue, response: Readonly<Record<string, unknown>>): Generator<Violation> {
  const [key, field] = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    for (const name of issue.keys) {
      yield key === undefined
        ? violation("envelope/unknown-key", pointer(name), "Only data, stats and context may carry further fields.")
        : violation(ruleOf(key, field), pointer(...issue.path, name), `${key} holds no ${name}.`);
    }
  } else if (key !== undefined && !(key in response)) {
    yield violation("envelope/missing-key", pointer(key), `${key} is missing.`);
  } else if (key !== undefined && !(key === "error" && response.status !== "error")) {
    yield violation(ruleOf(key, field), pointer(...issue.path), issue.message);
  }
}

function ruleOf(key: string, field: string | undefined): string {
  if (key === "error") return "error/shape";
  if (key === "stats" && field !== undefined && field !== "time_ms") return "stats/value";
  return field === undefined ? ruleName("envelope", key) : ruleName(key, field);
}
