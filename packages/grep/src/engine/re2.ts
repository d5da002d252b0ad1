import type { Query } from "./engine.ts";
import { tokens, type Token } from "./dialect.ts";

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
  if (/^\\[pP]\{/u.test(text)) return property(text);
  if (/^\(\?[a-zA-Z]*u/u.test(text)) return withoutUnicodeFlag(text);
  if (/^\\[uU]/u.test(text)) return String.raw`\x{${text.replaceAll(/[^\dA-Fa-f]/gu, "").replace(/^0+(?=.)/u, "")}}`;
  if (text === String.raw`\<` || text === String.raw`\>`) return String.raw`\b`;
  if (isForAscii) return text;
  const members = CLASSES.get(text);
  if (members !== undefined) return inClass ? members : `[${members}]`;
  const others = NEGATED.get(text);
  return others === undefined || inClass ? text : `[^${others}]`;
}

// The long names of general categories, and the short ones that RE2 knows.
const CATEGORIES: ReadonlyMap<string, string> = new Map(
  (
    "letter=L uppercaseletter=Lu lowercaseletter=Ll titlecaseletter=Lt modifierletter=Lm otherletter=Lo " +
    "mark=M nonspacingmark=Mn spacingmark=Mc enclosingmark=Me number=N decimalnumber=Nd letternumber=Nl " +
    "othernumber=No punctuation=P connectorpunctuation=Pc dashpunctuation=Pd openpunctuation=Ps " +
    "closepunctuation=Pe initialpunctuation=Pi finalpunctuation=Pf otherpunctuation=Po symbol=S mathsymbol=Sm " +
    "currencysymbol=Sc modifiersymbol=Sk othersymbol=So separator=Z spaceseparator=Zs lineseparator=Zl " +
    "paragraphseparator=Zp other=C control=Cc format=Cf privateuse=Co surrogate=Cs"
  )
    .split(" ")
    .map((pair) => {
      const [long = "", short = ""] = pair.split("=");
      return [long, short];
    }),
);

/** A Unicode property by the name that RE2 has for it: ripgrep takes others as well, in any spelling. */
function property(text: string): string {
  const name = text.slice(3, -1).replace(/^(?:gc|sc|scx|general_category|script|script_extensions)=/iu, "");
  return `${text.slice(0, 3)}${CATEGORIES.get(name.toLowerCase().replaceAll(/[ _-]/gu, "")) ?? name}}`;
}

/** Unicode is always on. */
function withoutUnicodeFlag(group: string): string {
  const rest = group.replace("u", "");
  return rest === "(?)" ? "" : rest;
}

/** The one kind of class inside a class that RE2 knows. */
const POSIX_CLASS = /\[:\^?[a-z]+:\]/uy;

function isPosixClass(pattern: string, at: number): boolean {
  POSIX_CLASS.lastIndex = at;
  return POSIX_CLASS.test(pattern);
}

/** A part of the pattern that means something else in RE2, without an error, or nothing. */
export function unknownToRe2(pattern: string): string | undefined {
  const all = [...tokens(pattern)];
  for (const [index, { text, at, inClass }] of all.entries()) {
    const before = all[index - 1];
    if (text.startsWith(String.raw`\b{`)) return `'${text}' is not supported`;
    if (/^\(\?[A-Za-z]*-[A-Za-z]*u/u.test(text)) return `'${text}' is not supported`;
    if (text === String.raw`\<` && !startsWithWord(all.slice(index + 1))) return wordBorder(text, "before");
    if (text === String.raw`\>` && !startsWithWord(backwards(all.slice(0, index)))) return wordBorder(text, "after");
    const isSetOperation = inClass && before?.inClass === true && text === before.text && /^[&~-]$/u.test(text);
    if (isSetOperation) return `set operations in classes ('${text}${text}') are not supported`;
    const isNested = inClass && text.startsWith("[");
    if (isNested && !isPosixClass(pattern, at)) return "a class inside a class is not supported: escape the inner '['";
  }
  return undefined;
}

function wordBorder(text: string, where: "before" | "after"): string {
  return `'${text}' is only supported ${where} a letter, a digit, '_' or '\\w'`;
}

/** The same tokens from the end, each quantifier still behind what it counts. */
function backwards(all: readonly Token[]): Token[] {
  const reversed: Token[] = [];
  for (const token of all) reversed.splice(QUANTIFIER.test(token.text) && reversed.length > 0 ? 1 : 0, 0, token);
  return reversed;
}

const QUANTIFIER = /^(?:[*+?]|\{.+\})$/u;

/** Whether what comes first can only be a character of a word: then `\b` means the same as `\<`. */
function startsWithWord([first, second, ...rest]: readonly Token[]): boolean {
  if (first === undefined || first.inClass || !/^(?:[\p{L}\p{N}_]|\\[wd])$/u.test(first.text)) return false;
  if (second === undefined || !QUANTIFIER.test(second.text)) return true;
  const isOptional = /^(?:[*?]|\{0)/u.test(second.text);
  return !isOptional || startsWithWord(rest);
}

const CLASS_OF_LINE_ENDS = /\[(\\[nr]|[\n\r])(?:\\[nr]|[\n\r])*\]/gu;

/** The line end that a pattern asks for, which only a search across lines finds; a class may offer something else too. */
export function namesLineEnd(pattern: string): string | undefined {
  for (const { text, inClass } of tokens(pattern.replaceAll(CLASS_OF_LINE_ENDS, "$1"))) {
    const lineEnd = inClass ? undefined : lineEndIn(text);
    if (lineEnd !== undefined) return lineEnd;
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
