import { echo, ToolError } from "@fstools/protocol";
import type { GrepParams } from "../params.ts";

/** What an engine looks for. */
export interface Query {
  readonly pattern: string;
  readonly isCaseSensitive: boolean;
  /** Matches may span lines, and "." matches line ends. */
  readonly isMultiline: boolean;
  /** A text is searched as a whole, not line by line: where matches may span lines, or where anchors mean its ends. */
  readonly isWhole: boolean;
  /** Only the first match of each text is wanted. */
  readonly isFirstEnough: boolean;
}

/** What the parameters ask for. @throws ToolError INVALID_PARAM */
export function queryOf(params: GrepParams): Query {
  const { pattern, literal, case_sensitive: isCaseSensitive, multiline, output_mode: mode } = params;
  const isFirstEnough = mode === "files";
  if (!literal) {
    assertGroupsOpened(pattern);
    const isWhole = multiline || hasTextAnchor(pattern);
    return { pattern: escapeStrayBraces(pattern), isCaseSensitive, isMultiline: multiline, isWhole, isFirstEnough };
  }
  // With line breaks it can only be meant to span lines, whatever ends them.
  const lines = pattern
    .split(/\r\n|\r|\n/u)
    .map((line) => line.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/gu, String.raw`\$&`));
  const isMultiline = multiline || lines.length > 1;
  const escaped = lines.join(String.raw`(?:\r\n|\r|\n)`);
  return { pattern: escaped, isCaseSensitive, isMultiline, isWhole: isMultiline, isFirstEnough };
}

/** A piece of a regular expression, as far as its spelling goes. */
export interface Token {
  readonly text: string;
  readonly at: number;
  readonly inClass: boolean;
}

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|[pP][A-Za-z]|[xuU]\{[^}]*\}|b\{[^}]*\}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[^])|\[\^?\]?|\{\d+(?:,\d*)?\}|\(\?(?:P?<[^>]*>|[^:)]*[:)])|[^]/gu;

/** The pieces of a regular expression, in Rust's syntax. */
export function* tokens(pattern: string): Generator<Token> {
  let depth = 0;
  for (const { 0: text, index: at } of pattern.matchAll(TOKEN)) {
    const inClass = depth > 0;
    if (text.startsWith("[")) depth += 1;
    else if (text === "]" && depth > 0) depth -= 1;
    yield { text, at, inClass };
  }
}

/** Refuses a ")" that closes nothing: ripgrep puts a pattern into a group, which `)(` would leave. @throws ToolError */
export function assertGroupsOpened(pattern: string): void {
  // There, what follows "#" is a comment.
  if (/\(\?[A-Za-z]*x/u.test(pattern)) return;
  let depth = 0;
  for (const { text, inClass } of tokens(pattern)) {
    if (inClass) continue;
    if (text.startsWith("(") && !text.endsWith(")")) depth += 1;
    if (text === ")") depth -= 1;
    if (depth < 0) throw invalidPattern(pattern, "unopened group");
  }
}

/** The pattern with its stray braces escaped: in most dialects `interface Foo {` is literal; here "{" must begin a number. */
export function escapeStrayBraces(pattern: string): string {
  return [...tokens(pattern)].map(({ text, inClass }) => (text === "{" && !inClass ? String.raw`\{` : text)).join("");
}

/** Whether a pattern has an anchor at the beginning or the end of a text, whatever its lines. */
export function hasTextAnchor(pattern: string): boolean {
  return [...tokens(pattern)].some(({ text }) => /^(?:\\[Az]|\(\?[A-Za-z]*-[A-Za-z]*m)/u.test(text));
}

const LITERAL_HINT = "To search for it as it stands, set literal=true.";
const MULTILINE_HINT = "To match line ends, set multiline=true.";

/** `details` is the engine's own reason. */
export function invalidPattern(pattern: string, details: string): ToolError {
  const message = `Invalid regex pattern: ${echo(unsupportedPart(pattern) ?? details)}`;
  const hint = /"\\[nr]" is not allowed/u.test(details) ? MULTILINE_HINT : LITERAL_HINT;
  return new ToolError("INVALID_PARAM", message, { hint });
}

/** A part of the pattern that other dialects have, but no linear-time engine. */
function unsupportedPart(pattern: string): string | undefined {
  const bare = pattern.replaceAll(/\\[^1-9k]|\[\^?\]?(?:\\.|[^\]\\])*\]/gu, "_");
  if (/\(\?(?:[=!]|<[=!])/u.test(bare)) return "look-around (look-ahead and look-behind) is not supported";
  if (/\\(?:[1-9]|k[<{'])/u.test(bare)) return "back-references are not supported";
  return undefined;
}
