import { relativePathProblem } from "../relative-path.ts";
import { type RuleId, type Violation, violation } from "./violation.ts";

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
