import { echo, ToolError } from "@fstools/protocol";
import { compileWildcard } from "../names/wildcard.ts";
import { expandBraces, type BraceLimits } from "./braces.ts";

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

const LIMITS: BraceLimits = {
  maxAlternatives: 1000,
  // Each name is compared with what is left of every alternative: past this, a single name could block the event loop.
  maxCharacters: 65_536,
};

const UNITS = { maxAlternatives: "alternatives", maxCharacters: "characters" } as const;

/** Whether a pattern is not too long; a character beyond the basic plane, two units of `length`, counts as one. */
export function isShortPattern(pattern: string): boolean {
  return pattern.length <= 2 * MAX_PATTERN_CHARS && Array.from(pattern).length <= MAX_PATTERN_CHARS;
}

/** The pattern as the answer shows it: slashes instead of backslashes, no blanks around it. */
export function normalizePattern(pattern: string): string {
  return pattern.replaceAll("\\", "/").trim();
}

/**
 * Expands and cuts a normalized pattern that was given as `parameter`.
 * @throws ToolError INVALID_PARAM
 */
export function parsePattern(pattern: string, parameter: string): readonly Alternative[] {
  const expanded = expandBraces(pattern, LIMITS);
  if (typeof expanded === "string") throw expandsTooFar(pattern, parameter, expanded);
  const alternatives = [...new Set(expanded)].map((text) => cut(text, false));
  // A file may really be called `{a,b}`.
  if (expanded.length > 1) alternatives.push(cut(pattern, true));
  if (alternatives.some(({ segments }) => segments.some(({ text }) => text === "..")))
    throw leavesSearchRoot(pattern, parameter);
  return alternatives;
}

const WILDCARD = /[*?[]/u;
const BRACE = /[{}]/u;

/** Whether a path or pattern begins at the root of the file system, here or on Windows. */
export function isAbsolute(path: string): boolean {
  return /^(?:[a-z]:)?[\\/]/iu.test(path);
}

function cut(text: string, hasLiteralBraces: boolean): Alternative {
  const segments = text
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .map((segment) => createSegment(segment, !WILDCARD.test(segment) || (hasLiteralBraces && BRACE.test(segment))));
  return { segments, isAbsolute: isAbsolute(text) };
}

/** A segment of a pattern; a literal one means only this name. */
export function createSegment(text: string, isLiteral: boolean): Segment {
  if (isLiteral) return { text, isLiteral, matches: (name) => name === text };
  // Compiled on first use: a walk never gets to most segments of a long pattern.
  let compiled: ((name: string) => boolean) | undefined;
  return { text, isLiteral, matches: (name) => (compiled ??= compileWildcard(text, { dialect: "glob" }))(name) };
}

function expandsTooFar(pattern: string, parameter: string, limit: keyof BraceLimits): ToolError {
  return new ToolError("INVALID_PARAM", `${parameter} must expand to at most ${LIMITS[limit]} ${UNITS[limit]}.`, {
    hint: `Use fewer braces than in '${echo(pattern)}', or '*' in their place, or make one call for each part.`,
  });
}

function leavesSearchRoot(pattern: string, parameter: string): ToolError {
  return new ToolError("INVALID_PARAM", `${parameter} must not contain a '..' segment.`, {
    hint: `Pass the directory to search as 'path', and in '${parameter}' only what is below it (you passed '${echo(pattern)}').`,
  });
}
