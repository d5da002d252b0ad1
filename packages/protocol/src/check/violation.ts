import { relativePathProblem } from "../envelope.ts";

/** Every rule that `checkResponse` knows, and how bad it is to break it. */
const RULES = {
  "envelope/not-an-object": "error",
  "envelope/unreadable": "error",
  "envelope/not-json": "error",
  "envelope/missing-key": "error",
  "envelope/unknown-key": "error",
  "envelope/status": "error",
  "envelope/data": "error",
  "envelope/text": "error",
  "envelope/stats": "error",
  "envelope/context": "error",
  "error/unexpected": "error",
  "error/missing": "error",
  "error/shape": "error",
  "error/nonstandard-code": "warning",
  "stats/time-ms": "error",
  "stats/value": "error",
  "context/cwd": "error",
  "context/params-input": "error",
  "context/path-resolved": "error",
  "context/truncation-skip": "error",
  "context/next-call": "error",
  "context/suggestions": "error",
  "state/truncated": "error",
  "state/truncated-type": "error",
  "state/diff-truncated": "error",
  "state/fallback": "error",
  "state/fallback-encoding": "error",
  "state/failed-items": "error",
  "state/not-applied": "error",
  "state/aborted": "error",
  "state/partial-reason": "warning",
  "state/error-data": "warning",
  "text/truncation-notice": "warning",
  "text/error-message": "warning",
  "text/next-step": "warning",
  "text/control-character": "warning",
  "data/missing-field": "error",
  "data/shape": "error",
  "data/path": "error",
  "path/windows": "warning",
  "truncation/shape": "error",
  "truncation/counts": "error",
  "truncation/limits": "error",
  "truncation/text": "error",
} as const satisfies Record<string, "error" | "warning">;

/** The id of a rule of the envelope. */
export type RuleId = keyof typeof RULES;

/** One place where an answer breaks a rule. */
export interface Violation {
  readonly rule: RuleId;
  /** An error breaks the contract; a warning may be justified. */
  readonly severity: "error" | "warning";
  /** JSON pointer: "/data/entries/0/type", "" for the whole. */
  readonly path: string;
  readonly message: string;
}

/** A violation with its rule's own severity. */
export function violation(rule: RuleId, path: string, message: string): Violation {
  return { rule, severity: RULES[rule], path, message };
}

/** A JSON pointer to a place below the envelope. */
export function pointer(...segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const WINDOWS = /\\|^[A-Za-z]:\//u;

/** A path in an answer: POSIX, relative to the project root, normalised. */
export function* checkRelativePath(path: unknown, rule: RuleId, place: string): Generator<Violation> {
  const problem = relativePathProblem(path);
  if (problem !== undefined) {
    yield violation(rule, place, `Must be a POSIX path relative to the project root, but ${problem}.`);
  } else if (typeof path === "string" && WINDOWS.test(path)) {
    // Only a warning: on POSIX systems a name may hold a backslash.
    yield violation("path/windows", place, "Looks like a Windows path; a POSIX path separates with slashes.");
  }
}
