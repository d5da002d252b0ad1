import { echo, ToolError } from "@fstools/protocol";
import type { Query } from "./engine.ts";

/** A piece of a regular expression, as far as its spelling goes. */
interface Token {
  readonly text: string;
  readonly at: number;
  readonly inClass: boolean;
}

const TOKEN =
  /\\(?:[pP]\{[^}]*\}|[pP][A-Za-z]|[xuU]\{[^}]*\}|b\{[^}]*\}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[^])|\[\^?\]?|\{\d+(?:,\d*)?\}|\(\?(?:P?<[^>]*>|[^:)]*[:)])|[^]/gu;

function* tokens(pattern: string): Generator<Token> {
  let depth = 0;
  for (const { 0: text, index: at } of pattern.matchAll(TOKEN)) {
    const inClass = depth > 0;
    if (text.startsWith("[")) depth += 1;
    else if (text === "]" && depth > 0) depth -= 1;
    yield { text, at, inClass };
  }
}

/**
 * The pattern with its stray braces escaped: in most dialects `interface Foo {` is literal, and only here a "{" must
 * begin a number of repetitions.
 */
export function escapeStrayBraces(pattern: string): string {
  return [...tokens(pattern)].map(({ text, inClass }) => (text === "{" && !inClass ? String.raw`\{` : text)).join("");
}

// What ripgrep's classes contain beyond ASCII.
const WORD = String.raw`\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`;
const SPACE = String.raw`\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`;
const CLASSES: ReadonlyMap<string, string> = new Map([
  [String.raw`\d`, String.raw`\p{Nd}`],
  [String.raw`\D`, String.raw`\P{Nd}`],
  [String.raw`\w`, WORD],
  [String.raw`\s`, SPACE],
]);
const NEGATED: ReadonlyMap<string, string> = new Map([
  [String.raw`\W`, WORD],
  [String.raw`\S`, SPACE],
]);

/** The same expression in the syntax of RE2; for ASCII, where the short classes mean the same, it is unchanged. */
export function toRe2({ pattern, isMultiline, isWhole }: Query, isForAscii: boolean): string {
  const isDotAll = isMultiline || /\(\?[A-Za-z]*s/u.test(pattern);
  const toToken = (token: Token): string => {
    // RE2 knows no line end but "\n"; where lines are searched one by one, they have none.
    if (isWhole && token.text === "$" && !token.inClass) return String.raw`(?:\r?$)`;
    if (isWhole && token.text === "." && !token.inClass && !isDotAll) return String.raw`[^\r\n]`;
    return translate(token, isForAscii);
  };
  return [...tokens(pattern)].map(toToken).join("");
}

function translate({ text, inClass }: Token, isForAscii: boolean): string {
  if (/^\\[uU]/u.test(text)) return String.raw`\x{${text.replaceAll(/[^\dA-Fa-f]/gu, "").replace(/^0+(?=.)/u, "")}}`;
  if (text === String.raw`\<` || text === String.raw`\>`) return String.raw`\b`;
  if (isForAscii) return text;
  const members = CLASSES.get(text);
  if (members !== undefined) return inClass ? members : `[${members}]`;
  const others = NEGATED.get(text);
  return others === undefined || inClass ? text : `[^${others}]`;
}

/** The one kind of class inside a class that RE2 knows. */
const POSIX_CLASS = /\[:\^?[a-z]+:\]/uy;

function isPosixClass(pattern: string, at: number): boolean {
  POSIX_CLASS.lastIndex = at;
  return POSIX_CLASS.test(pattern);
}

/** A part of the pattern that means something else in RE2, without an error. */
export function unknownToRe2(pattern: string): string | undefined {
  let before: Token | undefined;
  for (const token of tokens(pattern)) {
    const { text, at, inClass } = token;
    if (text.startsWith(String.raw`\b{`)) return `'${text}' is not supported`;
    const isSetOperation = inClass && before?.inClass === true && text === before.text && /^[&~-]$/u.test(text);
    if (isSetOperation) return `set operations in classes ('${text}${text}') are not supported`;
    const isNested = inClass && text.startsWith("[");
    if (isNested && !isPosixClass(pattern, at)) return "a class inside a class is not supported: escape the inner '['";
    before = token;
  }
  return undefined;
}

/** Whether a pattern has an anchor at the beginning or the end of a text, whatever its lines. */
export function hasTextAnchor(pattern: string): boolean {
  return [...tokens(pattern)].some(({ text }) => /^(?:\\[Az]|\(\?[A-Za-z]*-[A-Za-z]*m)/u.test(text));
}

/** The line end that a pattern asks for, which only a search across lines finds; a class may offer something else too. */
export function namesLineEnd(pattern: string): string | undefined {
  let inThisClass: string | undefined;
  let hasOthers = false;
  for (const { text, inClass } of tokens(pattern)) {
    const lineEnd = lineEndIn(text);
    if (text.startsWith("[")) {
      inThisClass = undefined;
      hasOthers = text !== "[";
    } else if (!inClass) {
      if (lineEnd !== undefined) return lineEnd;
    } else if (text === "]") {
      if (!hasOthers && inThisClass !== undefined) return inThisClass;
    } else if (lineEnd === undefined) hasOthers = true;
    else inThisClass ??= lineEnd;
  }
  return undefined;
}

function lineEndIn(token: string): string | undefined {
  if (/^(?:\n|\\n|\\[xuU]\{?0*a\}?)$/iu.test(token)) return String.raw`\n`;
  return /^(?:\r|\\r|\\[xuU]\{?0*d\}?)$/iu.test(token) ? String.raw`\r` : undefined;
}

/** The sum of the most repetitions that counted repetitions ask for: a program is at least about as large. */
export function mostRepetitions(pattern: string): number {
  let sum = 0;
  for (const { text } of tokens(pattern)) {
    const { least = "0", most = least } = /^\{(?<least>\d+)(?:,(?<most>\d+))?/u.exec(text)?.groups ?? {};
    sum += Math.max(Number(least), Number(most));
  }
  return sum;
}

const MIN_LITERAL_CHARS = 2;

/** The longest text that every match must contain; undefined if none is certain, or if it is too short to help. */
export function requiredLiteral(pattern: string): string | undefined {
  let best = "";
  let run = "";
  let group = 0;
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = "";
  };
  for (const { text, inClass } of tokens(pattern)) {
    if (text === "|" && !inClass && group === 0) return undefined;
    // Flags may change what a letter means.
    if (/^\(\?[^:)]*[a-z-]/u.test(text) && !/^\(\?P?</u.test(text)) return undefined;
    if (inClass || text.startsWith("[")) end();
    else if (text.startsWith("(")) {
      end();
      if (!text.endsWith(")")) group += 1;
    } else if (text === ")") {
      end();
      group -= 1;
    } else if (group > 0) {
      continue;
    } else if (/^(?:[*?]|\{.+\})$/u.test(text)) {
      // The last character may be missing.
      run = Array.from(run).slice(0, -1).join("");
      end();
    } else if (text === "+") end();
    else if (/^\\[^\dA-Za-z<>]/u.test(text)) run += text.slice(1);
    else if (text.startsWith("\\") || /^[.^$]$/u.test(text)) end();
    else run += text;
  }
  end();
  return best.length >= MIN_LITERAL_CHARS ? best : undefined;
}

const LITERAL_HINT = "To search for it as it stands, set literal=true.";
const MULTILINE_HINT = "To match line ends, set multiline=true.";

/** The engine does not accept the pattern; `details` is the engine's own reason. */
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
