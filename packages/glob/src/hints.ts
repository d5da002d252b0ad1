import { echo } from "@fstools/protocol";
import { GLOB_IGNORED_NAMES, type Remainder } from "@fstools/sandbox";
import type { SearchReport } from "./format.ts";

/** Says why a pattern finds less than it names, and what to change. */
export function patternHints({ findings, pattern, params, remainders }: SearchReport): string[] {
  const foundNothing = findings.paths.length + findings.matchesBefore === 0;
  // At the end of a pattern it may be a file's name, as long as there is such a file.
  const isIgnored = (text: string, isLast: boolean) => GLOB_IGNORED_NAMES.has(text) && (foundNothing || !isLast);
  const hidden = params.include_hidden ? undefined : findSegment(remainders, isHidden);
  const ignored = params.include_ignored ? undefined : findSegment(remainders, isIgnored);
  const isRoot = remainders.some(isSearchRoot);
  const onlyDirectories = foundNothing && (findings.fitsDirectories || isRoot);
  const isExplained = hidden !== undefined || ignored !== undefined || isRoot;
  const staysHere = foundNothing && !isExplained && !pattern.includes("/") && pattern !== "**";
  return [
    remainders.length === 0 && ABSOLUTE,
    hidden !== undefined && `[Note: '${echo(hidden)}' in 'pattern' is hidden. Set include_hidden=true to find it.]`,
    ignored !== undefined &&
      `[Note: '${echo(ignored)}' in 'pattern' is an ignored directory. Set include_ignored=true to search it.]`,
    onlyDirectories && ONLY_DIRECTORIES,
    staysHere && `[Note: '*' does not cross directories. Use '**/${echo(pattern)}' to search below.]`,
  ].filter((hint) => hint !== false);
}

const ABSOLUTE =
  "[Note: The absolute 'pattern' does not lead into 'path'. Leave 'path' out, or make 'pattern' relative to it.]";
const ONLY_DIRECTORIES =
  "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]";

function findSegment(
  remainders: readonly Remainder[],
  test: (text: string, isLast: boolean) => boolean,
): string | undefined {
  for (const remainder of remainders) {
    for (let rest: Remainder | undefined = remainder; rest?.segment !== undefined; rest = rest.next) {
      if (test(rest.segment.text, rest.next?.segment === undefined)) return rest.segment.text;
    }
  }
  return undefined;
}

/** Nothing is left to be matched: the pattern names the directory where the search starts. */
function isSearchRoot({ segment }: Remainder): boolean {
  return segment === undefined;
}

function isHidden(text: string): boolean {
  return text.startsWith(".");
}
