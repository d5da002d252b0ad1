/** "fnmatch" is Python's; in the others `[^x]` negates like `[!x]`, and `[[:alpha:]]` and the like have their meaning. */
type Dialect = "fnmatch" | "glob" | "git";

/** A part of a wildcard: any characters, or one that it accepts. */
export type Token =
  { readonly type: "star" } | { readonly type: "one"; readonly accepts: (codePoint: number) => boolean };

/** Any number of characters, also none. */
export const STAR: Token = { type: "star" };
const ANY: Token = { type: "one", accepts: () => true };

/**
 * Compiles `*`, `?` and `[a-z]`, `[!a]` into a test of whole names, by code point; any other character is literal.
 * No regular expression is built, so a hostile pattern costs at most its length times the name's.
 */
export function compileWildcard(pattern: string, dialect: Dialect = "fnmatch"): (name: string) => boolean {
  if (!/[*?[]/u.test(pattern)) return (name) => name === pattern;
  const [prefix = "", suffix, ...more] = pattern.split("*");
  if (suffix !== undefined && more.length === 0 && !/[?[]/u.test(pattern)) return frame(prefix, suffix);
  const tokens = tokenize(Array.from(pattern), dialect);
  return (name) => matchTokens(tokens, name);
}

/** `prefix*suffix`, the everyday pattern. */
function frame(prefix: string, suffix: string): (name: string) => boolean {
  const minLength = prefix.length + suffix.length;
  return (name) => name.length >= minLength && name.endsWith(suffix) && name.startsWith(prefix);
}

/** Whether a whole name fits the tokens, among which no two stars are adjacent. */
export function matchTokens(tokens: readonly Token[], name: string): boolean {
  // Only the last star is ever retried: whatever more an earlier one could take, the last one can take as well.
  let token = 0;
  let index = 0;
  let tokenAfterStar = -1;
  let retryIndex = 0;
  while (index < name.length) {
    const current = tokens[token];
    const codePoint = name.codePointAt(index) ?? 0;
    if (current?.type === "star") {
      token += 1;
      tokenAfterStar = token;
      retryIndex = index;
    } else if (current?.accepts(codePoint) === true) {
      token += 1;
      index += width(codePoint);
    } else if (tokenAfterStar >= 0) {
      token = tokenAfterStar;
      retryIndex += width(name.codePointAt(retryIndex) ?? 0);
      index = retryIndex;
    } else {
      return false;
    }
  }
  while (tokens[token]?.type === "star") token += 1;
  return token === tokens.length;
}

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

function tokenize(characters: readonly string[], dialect: Dialect): Token[] {
  const tokens: Token[] = [];
  const lastBracket = characters.lastIndexOf("]");
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? "";
    const found = character === "[" && index < lastBracket ? parseClass(characters, index + 1, dialect) : undefined;
    if (found !== undefined) {
      tokens.push(found.token);
      index = found.end;
    } else if (character !== "*") {
      tokens.push(character === "?" ? ANY : literal(character));
    } else if (tokens.at(-1) !== STAR) {
      tokens.push(STAR);
    }
  }
  return tokens;
}

/** The one character that is meant. */
export function literal(character: string): Token {
  const expected = character.codePointAt(0);
  return { type: "one", accepts: (codePoint) => codePoint === expected };
}

/**
 * Reads a class from after its `[`, and says where its `]` is; undefined if nothing closes it, or if git would not take
 * it. Right at the start a "]" is a member.
 */
export function parseClass(pattern: ArrayLike<string>, start: number, dialect: Dialect) {
  const isNegated = pattern[start] === "!" || (pattern[start] === "^" && dialect !== "fnmatch");
  const tests: ((codePoint: number) => boolean)[] = [];
  /** What a range may begin with. */
  let previous: number | undefined;
  let end = isNegated ? start + 1 : start;
  for (let isFirst = true; isFirst || pattern[end] !== "]"; isFirst = false) {
    const named = dialect === "fnmatch" ? undefined : namedClassAt(pattern, end);
    if (named?.accepts !== undefined) {
      tests.push(named.accepts);
      previous = undefined;
      end = named.end;
      continue;
    }
    if (named !== undefined && dialect === "git") return undefined;
    const isRange = pattern[end] === "-" && previous !== undefined && ![undefined, "]"].includes(pattern[end + 1]);
    if (isRange) end += 1;
    // Git also takes the first one by itself, if the range is empty.
    if (isRange && dialect !== "git") tests.pop();
    if (dialect === "git" && pattern[end] === "\\") end += 1;
    const high = pattern[end]?.codePointAt(0);
    if (high === undefined) return undefined;
    const low = isRange ? (previous ?? high) : high;
    tests.push((codePoint) => low <= codePoint && codePoint <= high);
    previous = isRange ? undefined : high;
    end += 1;
  }
  const accepts = (codePoint: number) => tests.some((test) => test(codePoint)) !== isNegated;
  return { token: { type: "one", accepts } satisfies Token, end };
}

/** What `[:alpha:]` and the like stand for inside a character class: of ASCII only, as git and the C locale have it. */
const POSIX_CLASSES: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    alnum: /[0-9A-Za-z]/u,
    alpha: /[A-Za-z]/u,
    blank: /[ \t]/u,
    cntrl: /\p{Cc}/u,
    digit: /[0-9]/u,
    graph: /[!-~]/u,
    lower: /[a-z]/u,
    print: /[ -~]/u,
    punct: /(?![0-9A-Za-z])[!-~]/u,
    space: /[\t-\r ]/u,
    upper: /[A-Z]/u,
    xdigit: /[0-9A-Fa-f]/u,
  }),
);
const LONGEST_NAMED_CLASS = "[:xdigit:]".length;

/** What is written like `[:alpha:]` at a place, and what it accepts if there is such a class. */
function namedClassAt(pattern: ArrayLike<string>, start: number) {
  if (pattern[start] !== "[" || pattern[start + 1] !== ":") return undefined;
  const following = Array.from({ length: LONGEST_NAMED_CLASS }, (_, index) => pattern[start + index] ?? "").join("");
  const [whole, name = ""] = /^\[:([^\]]*):\]/u.exec(following) ?? [];
  if (whole === undefined) return undefined;
  const expression = POSIX_CLASSES.get(name);
  const accepts = expression && ((code: number) => code < 0x80 && expression.test(String.fromCodePoint(code)));
  return { accepts, end: start + whole.length };
}
