import { echo, ToolError } from "@fstools/protocol";
import { segments } from "../names/safe-path.ts";
import { compileWildcard } from "../names/wildcard.ts";

/** One of the plain patterns that a pattern with braces expands to, cut at its slashes. */
export interface Alternative {
  readonly segments: readonly Segment[];
  /** Whether it begins at the root of the file system. */
  readonly isAbsolute: boolean;
}

/** A part of a pattern between slashes. */
export interface Segment {
  readonly text: string;
  /** Whether only an entry of exactly this name is meant. */
  readonly isLiteral: boolean;
  /** Whether a name fits its wildcards. */
  readonly matches: (name: string) => boolean;
}

/** The longest pattern, in characters. */
export const MAX_PATTERN_CHARS = 4096;

/** Of all that a pattern expands to. Each name is compared with all of it: more could block the event loop. */
const LIMITS = { alternatives: 1000, characters: 65_536 };

/** Whether a pattern is not too long; a character beyond the basic plane, two units of `length`, counts as one. */
export function isShortPattern(pattern: string): boolean {
  return pattern.length <= 2 * MAX_PATTERN_CHARS && Array.from(pattern).length <= MAX_PATTERN_CHARS;
}

/** The pattern as the answer shows it: slashes instead of backslashes, no blanks around it. */
export function normalizePattern(pattern: string): string {
  return pattern.replaceAll("\\", "/").trim();
}

/** Expands and cuts a normalized pattern that was given as `parameter`. @throws ToolError INVALID_PARAM */
export function parsePattern(pattern: string, parameter: string): readonly Alternative[] {
  const expanded = expandBraces(pattern, LIMITS);
  if (typeof expanded === "string") {
    throw new ToolError("INVALID_PARAM", `${parameter} must expand to at most ${LIMITS[expanded]} ${expanded}.`, {
      hint: `Use fewer braces than in '${echo(pattern)}', or '*' in their place, or make one call for each part.`,
    });
  }
  const alternatives = [...new Set(expanded)].map((text) => cut(text, false));
  // A file may really be called `{a,b}`.
  if (expanded.length > 1) alternatives.push(cut(pattern, true));
  if (alternatives.some((alternative) => alternative.segments.some(({ text }) => text === ".."))) {
    throw new ToolError("INVALID_PARAM", `${parameter} must not contain a '..' segment.`, {
      hint: `Pass the directory to search as 'path', and in '${parameter}' only what is below it (you passed '${echo(pattern)}').`,
    });
  }
  return alternatives;
}

const WILDCARD = /[*?[]/u;
const BRACE = /[{}]/u;

/** Whether a path or pattern begins at the root of the file system, here or on Windows. */
export function isAbsolute(path: string): boolean {
  return /^(?:[a-z]:)?[\\/]/iu.test(path);
}

function cut(text: string, hasLiteralBraces: boolean): Alternative {
  const isLiteral = (name: string) => !WILDCARD.test(name) || (hasLiteralBraces && BRACE.test(name));
  return { segments: segments(text).map((name) => createSegment(name, isLiteral(name))), isAbsolute: isAbsolute(text) };
}

/** A segment of a pattern; a literal one means only this name. */
export function createSegment(text: string, isLiteral: boolean): Segment {
  if (isLiteral) return { text, isLiteral, matches: (name) => name === text };
  // Compiled on first use: a walk never gets to most segments of a long pattern.
  let compiled: ((name: string) => boolean) | undefined;
  return { text, isLiteral, matches: (name) => (compiled ??= compileWildcard(text, "glob"))(name) };
}

/** Expands `{a,b}`, also nested; other braces are characters. Returns the name of a limit that would be exceeded. */
export function expandBraces(pattern: string, limits: typeof LIMITS): readonly string[] | keyof typeof LIMITS {
  const groups = findGroups(pattern);
  const closes = new Set(groups.values());
  /** The groups that are open: what was built before each, and its alternatives so far. */
  const open: { readonly before: readonly string[]; readonly finished: string[] }[] = [];
  let built: readonly string[] = [""];
  for (let index = 0; index < pattern.length; index += 1) {
    const innermost = open.at(-1);
    let [left, right] = [built, [pattern.charAt(index)]];
    if (groups.has(index)) {
      open.push({ before: built, finished: [] });
      built = [""];
      continue;
    } else if (innermost !== undefined && pattern[index] === ",") {
      innermost.finished.push(...built);
      built = [""];
      continue;
    } else if (innermost !== undefined && closes.has(index)) {
      open.pop();
      [left, right] = [innermost.before, [...innermost.finished, ...built]];
    }
    if (left.length * right.length > limits.alternatives) return "alternatives";
    if (right.length * lengthOf(left) + left.length * lengthOf(right) > limits.characters) return "characters";
    built = left.flatMap((start) => right.map((end) => start + end));
  }
  return built;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** Where each group opens and closes; found in one pass, so that unbalanced braces cost nothing. */
function findGroups(pattern: string): ReadonlyMap<number, number> {
  const groups = new Map<number, number>();
  const open: { readonly index: number; hasComma: boolean }[] = [];
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index];
    const innermost = open.at(-1);
    if (character === "{") open.push({ index, hasComma: false });
    else if (innermost === undefined) continue;
    else if (character === ",") innermost.hasComma = true;
    else if (character === "}") {
      open.pop();
      if (innermost.hasComma) groups.set(innermost.index, index);
    }
  }
  return groups;
}
