import { echo } from "@fstools/protocol";
import { passedPartNotes, type Remainder } from "@fstools/sandbox";
import type { SearchReport } from "./format.ts";

/** Says why a pattern finds less than it names, and what to change. */
export function patternHints({ findings, pattern, params, remainders }: SearchReport): string[] {
  const foundNothing = findings.paths.length + findings.matchesBefore === 0;
  const { include_hidden: includeHidden, include_ignored: includeIgnored } = params;
  const ignoredByGit = foundNothing ? findings.ignoredByGit : undefined;
  const scope = { includeHidden, includeIgnored, mayEndInFile: !foundNothing, ignoredByGit };
  const passed = passedPartNotes({ parameter: "pattern", remainders, ...scope });
  const isRoot = remainders.some(isSearchRoot);
  const onlyDirectories = foundNothing && (findings.fitsDirectories || isRoot);
  const isExplained = passed.length > 0 || isRoot;
  const staysHere = foundNothing && !isExplained && !pattern.includes("/") && pattern !== "**";
  return [
    remainders.length === 0 && ABSOLUTE,
    ...passed,
    onlyDirectories && ONLY_DIRECTORIES,
    staysHere && `[Note: '*' does not cross directories. Use '**/${echo(pattern)}' to search below.]`,
  ].filter((hint) => hint !== false);
}

const ABSOLUTE =
  "[Note: The absolute 'pattern' does not lead into 'path'. Leave 'path' out, or make 'pattern' relative to it.]";
const ONLY_DIRECTORIES =
  "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]";

/** Nothing is left to match: the pattern names the directory where the search starts. */
function isSearchRoot({ segment }: Remainder): boolean {
  return segment === undefined;
}
