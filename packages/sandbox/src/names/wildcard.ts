/** How a pattern reads character classes. */
export interface WildcardOptions {
  /**
   * Whether `[^x]` negates like `[!x]`.
   * @default false
   */
  readonly caretNegates?: boolean;
}

/** A part of a wildcard: any characters, or one that it accepts. */
export type Token =
  { readonly type: "star" } | { readonly type: "one"; readonly accepts: (codePoint: number) => boolean };

/** Any number of characters, also none. */
export const STAR: Token = { type: "star" };
const HYPHEN = 0x2d;
const ANY: Token = { type: "one", accepts: () => true };

/**
 * Compiles `*`, `?` and `[a-z]`, `[!a]` into a test of whole names, by code point; any other character is literal.
 * No regular expression is built, so a hostile pattern costs at most its length times the name's.
 */
export function compileWildcard(pattern: string, options: WildcardOptions = {}): (name: string) => boolean {
  if (!/[*?[]/u.test(pattern)) return (name) => name === pattern;
  const [prefix = "", suffix, ...more] = pattern.split("*");
  if (suffix !== undefined && more.length === 0 && !/[?[]/u.test(pattern)) return frame(prefix, suffix);
  const tokens = tokenize(Array.from(pattern), options.caretNegates === true);
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

function tokenize(characters: readonly string[], caretNegates: boolean): Token[] {
  const tokens: Token[] = [];
  const lastBracket = characters.lastIndexOf("]");
  let index = 0;
  while (index < characters.length) {
    const character = characters[index] ?? "";
    const end = character === "[" && index < lastBracket ? closingBracket(characters, index, caretNegates) : -1;
    if (end > 0) {
      tokens.push(characterClass(characters.slice(index + 1, end), caretNegates));
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

function isNegation(character: string | undefined, caretNegates: boolean): boolean {
  return character === "!" || (caretNegates && character === "^");
}

/** The index of the "]" that closes the class, or -1; right at the start it is a member, as in fnmatch. */
function closingBracket(characters: readonly string[], open: number, caretNegates: boolean): number {
  const first = isNegation(characters[open + 1], caretNegates) ? open + 2 : open + 1;
  return characters.indexOf("]", first + 1);
}

function characterClass(content: readonly string[], caretNegates: boolean): Token {
  const negated = isNegation(content[0], caretNegates);
  const members = (negated ? content.slice(1) : content).map((character) => character.codePointAt(0) ?? 0);
  const ranges: (readonly [low: number, high: number])[] = [];
  for (let index = 0; index < members.length; index += 1) {
    const low = members[index] ?? 0;
    const high = members[index + 2];
    if (members[index + 1] === HYPHEN && high !== undefined) {
      ranges.push([low, high]);
      index += 2;
    } else {
      ranges.push([low, low]);
    }
  }
  return {
    type: "one",
    accepts: (codePoint) => ranges.some(([low, high]) => low <= codePoint && codePoint <= high) !== negated,
  };
}
