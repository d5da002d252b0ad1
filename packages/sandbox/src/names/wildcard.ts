import { POSIX_CLASSES } from "./posix-classes.ts";

/** How a pattern reads character classes. */
export interface WildcardOptions {
  /**
   * "fnmatch" is Python's; in "glob", `[^x]` negates like `[!x]`, and `[[:alpha:]]` and the like have their meaning.
   * @default "fnmatch"
   */
  readonly dialect?: "fnmatch" | "glob";
}

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
export function compileWildcard(pattern: string, options: WildcardOptions = {}): (name: string) => boolean {
  if (!/[*?[]/u.test(pattern)) return (name) => name === pattern;
  const [prefix = "", suffix, ...more] = pattern.split("*");
  if (suffix !== undefined && more.length === 0 && !/[?[]/u.test(pattern)) return frame(prefix, suffix);
  const tokens = tokenize(Array.from(pattern), options.dialect === "glob");
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

function tokenize(characters: readonly string[], isGlob: boolean): Token[] {
  const tokens: Token[] = [];
  const lastBracket = characters.lastIndexOf("]");
  let index = 0;
  while (index < characters.length) {
    const character = characters[index] ?? "";
    const end = character === "[" && index < lastBracket ? closingBracket(characters, index, isGlob) : -1;
    if (end > 0) {
      tokens.push(characterClass(characters.slice(index + 1, end), isGlob));
      index = end;
    } else if (character !== "*") {
      tokens.push(character === "?" ? ANY : literal(character));
    } else if (tokens.at(-1) !== STAR) {
      tokens.push(STAR);
    }
    index += 1;
  }
  return tokens;
}

function literal(character: string): Token {
  const expected = character.codePointAt(0);
  return { type: "one", accepts: (codePoint) => codePoint === expected };
}

function isNegation(character: string | undefined, isGlob: boolean): boolean {
  return character === "!" || (isGlob && character === "^");
}

/** The index of the "]" that closes the class, or -1; right at the start it is a member, as in fnmatch. */
function closingBracket(characters: readonly string[], open: number, isGlob: boolean): number {
  const first = isNegation(characters[open + 1], isGlob) ? open + 2 : open + 1;
  for (let index = first; index < characters.length; index += 1) {
    const named = isGlob ? namedClassAt(characters, index) : undefined;
    if (named !== undefined) index = named.last;
    else if (characters[index] === "]" && index > first) return index;
  }
  return -1;
}

const NAMED_CLASS = /^\[:(?<name>[a-z]+):\]/u;
const LONGEST_NAMED_CLASS = "[:xdigit:]".length;

/** The class such as `[:alpha:]` that begins at an index; an unknown name is ordinary characters. */
function namedClassAt(characters: readonly string[], index: number) {
  if (characters[index] !== "[" || characters[index + 1] !== ":") return undefined;
  const [whole = "", name = ""] = NAMED_CLASS.exec(characters.slice(index, index + LONGEST_NAMED_CLASS).join("")) ?? [];
  const accepts = POSIX_CLASSES.get(name);
  return accepts && { accepts, last: index + whole.length - 1 };
}

function characterClass(content: readonly string[], isGlob: boolean): Token {
  const negated = isNegation(content[0], isGlob);
  const members = negated ? content.slice(1) : content;
  const tests: ((codePoint: number) => boolean)[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const named = isGlob ? namedClassAt(members, index) : undefined;
    const low = members[index]?.codePointAt(0) ?? 0;
    const high = members[index + 1] === "-" ? members[index + 2]?.codePointAt(0) : undefined;
    if (named !== undefined) {
      tests.push(named.accepts);
      index = named.last;
    } else if (high !== undefined) {
      tests.push((codePoint) => low <= codePoint && codePoint <= high);
      index += 2;
    } else {
      tests.push((codePoint) => codePoint === low);
    }
  }
  return { type: "one", accepts: (codePoint) => tests.some((accepts) => accepts(codePoint)) !== negated };
}
