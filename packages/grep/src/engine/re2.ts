import { tokens, type Query, type Token } from "./query.ts";

// What ripgrep's classes contain beyond ASCII.
const CLASSES: ReadonlyMap<string, string> = new Map([
  [String.raw`\d`, String.raw`\p{Nd}`],
  [String.raw`\w`, String.raw`\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}`],
  [String.raw`\s`, String.raw`\t-\r \x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`],
]);

/** The same expression in the syntax of RE2; for ASCII, where the short classes mean the same, it is unchanged. */
export function toRe2({ pattern, isMultiline }: Query, isForAscii: boolean): string {
  const isDotAll = isMultiline || /\(\?[A-Za-z]*s/u.test(pattern);
  const translate = ({ text, inClass }: Token): string => {
    // RE2 knows no line end but "\n".
    if (text === "$" && !inClass) return String.raw`(?:\r?$)`;
    if (text === "." && !inClass && !isDotAll) return String.raw`[^\r\n]`;
    if (/^\\[pP]\{/u.test(text)) return property(text);
    // Unicode is always on.
    if (/^\(\?[A-Za-z]*u/u.test(text)) return text.replace("u", "").replace("(?)", "");
    if (/^\\[<>]$/u.test(text) && !inClass) return String.raw`\b`;
    if (/^\\[uU]/u.test(text)) return String.raw`\x{${text.replaceAll(/[^\dA-Fa-f]/gu, "").replace(/^0+(?=.)/u, "")}}`;
    const members = isForAscii ? undefined : CLASSES.get(text.toLowerCase());
    if (members === undefined) return text;
    if (text === String.raw`\D`) return String.raw`\P{Nd}`;
    const isNegated = !CLASSES.has(text);
    if (inClass) return isNegated ? text : members;
    return isNegated ? `[^${members}]` : `[${members}]`;
  };
  return [...tokens(pattern)].map(translate).join("");
}

// RE2 knows the short names only.
// prettier-ignore
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["letter", "L"], ["mark", "M"], ["number", "N"], ["punctuation", "P"], ["symbol", "S"], ["separator", "Z"],
  ["uppercaseletter", "Lu"], ["lowercaseletter", "Ll"], ["decimalnumber", "Nd"], ["control", "Cc"],
]);

/** A Unicode property by the name that RE2 has for it: ripgrep takes the usual long ones as well, in any spelling. */
function property(text: string): string {
  const name = text.slice(3, -1).replace(/^(?:gc|sc|scx|general_category|script|script_extensions)=/iu, "");
  return `${text.slice(0, 3)}${CATEGORIES.get(name.toLowerCase().replaceAll(/[ _-]/gu, "")) ?? name}}`;
}

/** "w" for a character of a word, "?" and "+" for how often what is before it may occur, "." for anything else. */
function shapeOf({ text, inClass }: Token): string {
  if (!inClass && /^(?:[\p{L}\p{N}_]|\\[wd])$/u.test(text)) return "w";
  if (/^(?:[*?]|\{0.*\})$/u.test(text)) return "?";
  return /^(?:\+|\{.+\})$/u.test(text) ? "+" : ".";
}

/** A part of the pattern that means something else in RE2, without an error. */
export function unknownToRe2(pattern: string): string | undefined {
  const all = [...tokens(pattern)];
  const shape = all.map(shapeOf).join("");
  for (const [index, { text, at, inClass }] of all.entries()) {
    const before = all[index - 1];
    // Beside what can only be a character of a word they are RE2's "\b".
    const isBorder =
      text === String.raw`\<`
        ? /^(?:w\?)*w(?!\?)/u.test(shape.slice(index + 1))
        : /w\+?(?:w\?)*$/u.test(shape.slice(0, index));
    if (/^\\(?:[<>]|b\{)/u.test(text) && !(isBorder && text.length === 2))
      return `'${text}' is not supported here: use '\\b'`;
    const isSetOperation = inClass && before?.inClass === true && text === before.text && /^[&~-]$/u.test(text);
    if (isSetOperation) return `set operations in classes ('${text}${text}') are not supported`;
    const isNested = inClass && text.startsWith("[") && !/^\[:\^?[a-z]+:\]/u.test(pattern.slice(at, at + 12));
    if (isNested) return "a class inside a class is not supported: escape the inner '['";
  }
  return undefined;
}

const CLASS_OF_LINE_ENDS = /\[(\\[nr]|[\n\r])(?:\\[nr]|[\n\r])*\]/gu;

/** The line end that a pattern asks for, which only a search across lines finds; a class may offer something else too. */
export function namesLineEnd(pattern: string): string | undefined {
  for (const { text, inClass } of tokens(pattern.replaceAll(CLASS_OF_LINE_ENDS, "$1"))) {
    if (inClass) continue;
    if (/^(?:\n|\\n|\\[xuU]\{?0*a\}?)$/iu.test(text)) return String.raw`\n`;
    if (/^(?:\r|\\r|\\[xuU]\{?0*d\}?)$/iu.test(text)) return String.raw`\r`;
  }
  return undefined;
}

// So many instructions take as long to compile as one of the large classes.
const CLASS_SIZE = 50;

/** About the least size of the program, so that what is too large is not even compiled. */
export function leastSize(pattern: string): number {
  let sum = 0;
  for (const { text } of tokens(pattern)) {
    if (/^\\[wWpP]/u.test(text)) sum += CLASS_SIZE;
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
