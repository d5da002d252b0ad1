import { relativePathProblem } from "../envelope.ts";

/** The rules that an answer may have a reason to break; so are all about `text`. */
const ADVICE: ReadonlySet<string> = new Set([
  "error/nonstandard-code",
  "state/partial-reason",
  "state/error-data",
  "path/windows",
]);

/** One place where an answer breaks a rule. */
export interface Violation {
  /** The rule's id: "state/truncated". */
  readonly rule: string;
  /** An error breaks the contract; a warning may be justified. */
  readonly severity: "error" | "warning";
  /** JSON pointer: "/data/entries/0/type", "" for the whole. */
  readonly path: string;
  readonly message: string;
}

export function violation(rule: string, path: string, message: string): Violation {
  const isAdvice = rule.startsWith("text/") || ADVICE.has(rule);
  return { rule, severity: isAdvice ? "warning" : "error", path, message };
}

/** The id of the rule about a field: "context/next-call". */
export function ruleName(part: string, field: string): string {
  return `${part}/${field.replaceAll("_", "-")}`;
}

/** A JSON pointer to a place below the envelope. */
export function pointer(...segments: readonly PropertyKey[]): string {
  return segments.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

const WINDOWS = /\\|^[A-Za-z]:\//u;

/** A path in an answer: POSIX, relative to the project root, normalised. */
export function* checkRelativePath(path: string, rule: string, place: string): Generator<Violation> {
  const problem = relativePathProblem(path);
  if (problem !== undefined) {
    yield violation(rule, place, `Must be a POSIX path relative to the project root, but ${problem}.`);
  } else if (WINDOWS.test(path)) {
    // Only a warning: on POSIX systems a name may hold a backslash.
    yield violation("path/windows", place, "Looks like a Windows path; a POSIX path separates with slashes.");
  }
}
