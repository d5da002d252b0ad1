import { isAbsolute, type Alternative } from "./pattern.ts";
import { advance, toRemainder, type Remainder } from "./position.ts";

/** Where a search starts, and how that may be spelled at the front of an absolute pattern. */
export interface SearchRoot {
  /** Relative to the project root, "." for the root itself. */
  readonly relative: string;
  /** Paths that mean the search root; relative ones do not count. */
  readonly spellings: readonly string[];
  /** Paths that mean the project root; relative ones do not count. */
  readonly rootSpellings: readonly string[];
}

/** What is left of a pattern at the search root; an absolute one is first taken relative to where it points. */
export function remaindersAt(searchRoot: SearchRoot, alternatives: readonly Alternative[]): readonly Remainder[] {
  const spellings = searchRoot.spellings.filter(isAbsolute).map(toSegments);
  const rootSpellings = searchRoot.rootSpellings.filter(isAbsolute).map(toSegments);
  return alternatives.flatMap((alternative) => {
    const fromStart = lengthOfPrefix(alternative, spellings);
    if (fromStart !== undefined) return toRemainder(alternative.segments.slice(fromStart));
    const fromRoot = lengthOfPrefix(alternative, rootSpellings);
    if (fromRoot === undefined) return toRemainder(alternative.segments);
    return descend([toRemainder(alternative.segments.slice(fromRoot))], searchRoot.relative);
  });
}

function descend(remainders: readonly Remainder[], directory: string): readonly Remainder[] {
  return directory === "." ? remainders : directory.split("/").reduce(advance, remainders);
}

/** How many segments of an absolute pattern spell one of these directories; undefined if none. */
function lengthOfPrefix(alternative: Alternative, spellings: readonly (readonly string[])[]): number | undefined {
  if (!alternative.isAbsolute) return undefined;
  const { segments } = alternative;
  return spellings.find((spelling) => spelling.every((name, index) => segments[index]?.text === name))?.length;
}

function toSegments(absolute: string): string[] {
  return absolute
    .replaceAll("\\", "/")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
}
