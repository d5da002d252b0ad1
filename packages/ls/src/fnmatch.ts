import { compileWildcard } from "@fstools/sandbox";

/**
 * Builds the test for `ignore` patterns in one directory, whose path is relative to the project root.
 * Patterns follow Python's `fnmatch`: one without a slash matches an entry's name, one with a slash (or backslash)
 * its path relative to the project root or to the directory. A backslash stands for itself or for a slash.
 */
export function createIgnoreFilter(patterns: readonly string[], directory: string): (name: string) => boolean {
  const spellings = [...new Set(patterns.flatMap((pattern) => [pattern, pattern.replaceAll("\\", "/")]))];
  const forName = spellings.filter((pattern) => !pattern.includes("/")).map((pattern) => compileWildcard(pattern));
  const forPath = spellings
    .filter((pattern) => pattern.includes("/"))
    .flatMap(withZeroLevels)
    .map((pattern) => compileWildcard(pattern));
  const prefix = directory === "." ? "" : `${directory}/`;
  return (name) =>
    forName.some((matches) => matches(name)) || forPath.some((matches) => matches(name) || matches(prefix + name));
}

/** In plain fnmatch a leading double star would need its slash. */
function withZeroLevels(pattern: string): string[] {
  const rest = pattern.replace(/^(?:\*\*\/)+/u, "");
  return rest === pattern ? [pattern] : [`**/${rest}`, rest];
}
