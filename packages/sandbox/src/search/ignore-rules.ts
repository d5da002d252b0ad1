import { literal, matchTokens, parseClass, STAR, type Token } from "../names/wildcard.ts";

/** The rules of one ignore file, as they apply in one directory. */
export interface IgnoreRules {
  /** The last rule for each `name` or `/path/from/the/file`; with a slash behind it, for directories. */
  readonly literals: ReadonlyMap<string, Rule>;
  /** The same for patterns such as `*.log`, by what comes after the star. */
  readonly endings: ReadonlyMap<string, Rule>;
  readonly endingLengths: ReadonlySet<number>;
  /** Whether any of the literals is a path. */
  readonly hasPlaces: boolean;
  /** The path from the ignore file's directory to this one, with a slash at its end; "" for that directory itself. */
  readonly here: string;
  /** Those with other wildcards that can still match here or below; the last one first. */
  readonly wildcards: readonly WildcardRule[];
}

/** One line of an ignore file. */
interface Rule {
  /** The place of its line: what comes later wins. */
  readonly order: number;
  readonly isNegative: boolean;
  readonly onlyDirectories: boolean;
}

interface WildcardRule extends Rule {
  readonly segments: readonly Segment[];
  /** The segments that may come next, in order. */
  readonly reached: readonly number[];
}

type Segment = "**" | readonly Token[];

/**
 * Reads an ignore file as git does, byte by byte, so that `?` is one byte.
 * @param maxWildcardChars - how many characters of patterns with wildcards count, since each is compared with each
 * name. A pattern that no longer fits is left out; those without wildcards, and ones like `*.log`, always count.
 */
export function parseIgnoreRules(content: Buffer, maxWildcardChars: number): IgnoreRules & { wildcardChars: number } {
  const literals = new Map<string, Rule>();
  const endings = new Map<string, Rule>();
  const endingLengths = new Set<number>();
  const wildcards: WildcardRule[] = [];
  let hasPlaces = false;
  let wildcardChars = 0;
  const text = content.toString("latin1").replace(BYTE_ORDER_MARK, "");
  for (const [order, line] of text.split("\n").entries()) {
    const { pattern, ...flags } = parseLine(line);
    const rule = { order, ...flags };
    if (pattern === "") continue;
    const isName = !pattern.includes("/");
    const ending = pattern.slice(1);
    const isEnding = isName && pattern.startsWith("*") && !WILDCARD.test(ending);
    if (isEnding || !WILDCARD.test(pattern)) {
      const key = isEnding ? ending : isName ? pattern : `/${pattern.replace(/^\//u, "")}`;
      (isEnding ? endings : literals).set(rule.onlyDirectories ? `${key}/` : key, rule);
      hasPlaces ||= !isName;
      if (isEnding && ending.length <= MAX_NAME_BYTES) endingLengths.add(ending.length);
    } else if (wildcardChars + pattern.length <= maxWildcardChars) {
      wildcardChars += pattern.length;
      const segments = parseSegments(pattern);
      if (segments === undefined) continue;
      if (isName) segments.unshift("**");
      wildcards.push({ ...rule, segments, reached: behindGlobstars(segments, [0]) });
    }
  }
  return { literals, endings, endingLengths, hasPlaces, here: "", wildcards: wildcards.reverse(), wildcardChars };
}

/** What the rules say about an entry: ignored, kept despite other rules, or nothing. */
export function verdictOf(rules: IgnoreRules, name: string, isDirectory: boolean): "ignored" | "kept" | undefined {
  const { literals, endings, endingLengths, hasPlaces, here, wildcards } = rules;
  const bytes = asBytes(name);
  let last = later(undefined, literals, bytes, isDirectory);
  if (hasPlaces) last = later(last, literals, `/${here}${bytes}`, isDirectory);
  for (const length of endingLengths) {
    if (length <= bytes.length) last = later(last, endings, bytes.slice(bytes.length - length), isDirectory);
  }
  for (const rule of wildcards) {
    if (rule.order < (last?.order ?? -1)) break;
    if ((!isDirectory && rule.onlyDirectories) || !endsHere(rule, bytes)) continue;
    last = rule;
    break;
  }
  if (last === undefined) return undefined;
  return last.isNegative ? "kept" : "ignored";
}

/** The rules as they apply in the directory `name` below. */
export function rulesBelow({ here, wildcards, ...rules }: IgnoreRules, name: string): IgnoreRules {
  const bytes = asBytes(name);
  const left = wildcards.map((rule) => (isAnywhere(rule) ? rule : { ...rule, reached: enter(rule, bytes) }));
  return { ...rules, here: `${here}${bytes}/`, wildcards: left.filter(({ reached }) => reached.length > 0) };
}

const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/u;
const WILDCARD = /[*?[\\]/u;
const GLOBSTAR = /^\*{2,}$/u;
const MAX_NAME_BYTES = 255;

function parseLine(line: string): Omit<Rule, "order"> & { readonly pattern: string } {
  const nothing = { pattern: "", isNegative: false, onlyDirectories: false };
  if (line.startsWith("#")) return nothing;
  // As a string in C ends there.
  const [beforeNul = ""] = (line.endsWith("\r") ? line.slice(0, -1) : line).split("\0", 1);
  const trimmed = trimBlanks(beforeNul);
  const isNegative = trimmed.startsWith("!");
  const given = isNegative ? trimmed.slice(1) : trimmed;
  const onlyDirectories = given.endsWith("/");
  return { pattern: onlyDirectories ? given.slice(0, -1) : given, isNegative, onlyDirectories };
}

/** Removes blanks from the end, except for one after a backslash. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  if (end === line.length) return line;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === "\\") backslashes += 1;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** The later of what was found so far and the rules of a spelling. */
function later(
  found: Rule | undefined,
  rules: ReadonlyMap<string, Rule>,
  spelling: string,
  isDirectory: boolean,
): Rule | undefined {
  const whole = rules.get(spelling);
  const last = whole !== undefined && whole.order > (found?.order ?? -1) ? whole : found;
  return isDirectory ? later(last, rules, `${spelling}/`, false) : last;
}

/** Adds what comes after each `**` that is reached, since it also matches no directory. */
function behindGlobstars(segments: readonly Segment[], reached: readonly number[]): number[] {
  const all = new Set<number>();
  for (const start of reached) {
    for (let index = start; index < segments.length && !all.has(index); index += 1) {
      all.add(index);
      if (segments[index] !== "**") break;
    }
  }
  return [...all].sort((left, right) => left - right);
}

/** Whether a rule is for names at any depth, so that no directory changes it. */
function isAnywhere({ segments }: WildcardRule): boolean {
  return segments.length === 2 && segments[0] === "**";
}

function endsHere({ segments, reached }: WildcardRule, name: string): boolean {
  const last = segments.at(-1);
  if (last === undefined || reached.at(-1) !== segments.length - 1) return false;
  return last === "**" || matchTokens(last, name);
}

function enter({ segments, reached }: WildcardRule, name: string): number[] {
  const after = reached.flatMap((index) => {
    const segment = segments[index];
    if (segment === "**") return [index];
    return segment !== undefined && index < segments.length - 1 && matchTokens(segment, name) ? [index + 1] : [];
  });
  return behindGlobstars(segments, after);
}

/** Cuts a pattern at its slashes; undefined if it can never match, as with a class that nothing closes. */
function parseSegments(pattern: string): Segment[] | undefined {
  const segments: Segment[] = [];
  let tokens: Token[] = [];
  let text = "";
  const close = (): void => {
    segments.push(GLOBSTAR.test(text) ? "**" : tokens);
    tokens = [];
    text = "";
  };
  for (let index = pattern.startsWith("/") ? 1 : 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? "";
    const isEscapedSlash = pattern.startsWith("\\/", index);
    if (character === "/" || isEscapedSlash) {
      // Before an escaped slash git lets `**` match one directory or more, not none.
      if (isEscapedSlash && GLOBSTAR.test(text)) segments.push([STAR]);
      if (isEscapedSlash) index += 1;
      close();
      continue;
    }
    text += character;
    if (character === "*") {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (character === "?") {
      tokens.push({ type: "one", accepts: () => true });
    } else if (character === "[") {
      const found = parseClass(pattern, index + 1, "git");
      if (found === undefined) return undefined;
      tokens.push(found.token);
      index = found.end;
    } else if (character === "\\") {
      index += 1;
      if (index >= pattern.length) return undefined;
      tokens.push(literal(pattern.charAt(index)));
    } else {
      tokens.push(literal(character));
    }
  }
  close();
  return segments;
}

const NOT_ASCII = /[^\0-\x7f]/u;

/** A name with one character for each of its bytes, as patterns are read. */
function asBytes(name: string): string {
  return NOT_ASCII.test(name) ? Buffer.from(name).toString("latin1") : name;
}
