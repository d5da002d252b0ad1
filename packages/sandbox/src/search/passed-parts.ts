import { echo } from "@fstools/protocol";
import { GLOB_IGNORED_NAMES } from "../names/ignored-names.ts";
import { isEnd, type Remainder } from "./position.ts";
import type { SearchScope } from "./search-rules.ts";

/** A pattern, and the search that it is for. */
export interface ScopedPattern extends SearchScope {
  /** The parameter that holds the pattern. */
  readonly parameter: string;
  readonly remainders: readonly Remainder[];
  /** Whether the name at its end may well be that of a file, though directories of that name are ignored. */
  readonly mayEndInFile: boolean;
  /** The first entry that the pattern spells out and git ignores. */
  readonly ignoredByGit?: string | undefined;
}

/** Says how many entries a search skipped although the pattern could match there. */
export function passedCountNotes({ hidden, ignored }: { readonly hidden: number; readonly ignored: number }): string[] {
  const parts = [...(hidden > 0 ? [`${hidden} hidden`] : []), ...(ignored > 0 ? [`${ignored} ignored`] : [])];
  return parts.length === 0 ? [] : [`(Not searched: ${parts.join(", ")} entries.)`];
}

/** Says which parts of a pattern name entries that the search skips, and what to set to reach them. */
export function passedPartNotes(pattern: ScopedPattern): string[] {
  const { parameter, remainders, mayEndInFile, ignoredByGit } = pattern;
  const isIgnored = (text: string, isLast: boolean) => GLOB_IGNORED_NAMES.has(text) && !(isLast && mayEndInFile);
  const hidden = pattern.includeHidden ? undefined : findPart(remainders, (text) => text.startsWith("."));
  const ignored = pattern.includeIgnored ? undefined : findPart(remainders, isIgnored);
  return [
    hidden !== undefined &&
      `[Note: '${echo(hidden)}' in '${parameter}' is hidden. Set include_hidden=true to find it.]`,
    ignored !== undefined &&
      `[Note: '${echo(ignored)}' in '${parameter}' is an ignored directory. Set include_ignored=true to search it.]`,
    ignoredByGit !== undefined &&
      `[Note: '${echo(ignoredByGit)}' in '${parameter}' is ignored by git. Set include_ignored=true to find it.]`,
  ].filter((note) => note !== false);
}

function findPart(
  remainders: readonly Remainder[],
  test: (text: string, isLast: boolean) => boolean,
): string | undefined {
  for (const remainder of remainders) {
    for (let rest: Remainder | undefined = remainder; rest?.segment !== undefined; rest = rest.next) {
      if (test(rest.segment.text, rest.next !== undefined && isEnd(rest.next))) return rest.segment.text;
    }
  }
  return undefined;
}
