import { literal, matchTokens, parseClass, STAR, type Token } from "../names/wildcard.ts";

/** The rules of one ignore file, as they apply in one directory. */
export interface IgnoreRules {
  readonly names: NameRules;
  /** Paths without wildcards, from the ignore file's own directory. */
  readonly places: ReadonlyMap<string, RulePair>;
  /** The path from the ignore file's directory to this one, with a slash at its end; "" for that directory itself. */
  readonly here: string;
  /** Paths with wildcards that can still match here or below; the last one first. */
  readonly paths: readonly PathRule[];
}

/** One line of an ignore file. */
interface Rule {
  /** The place of its line: what comes later wins. */
  readonly order: number;
  readonly isNegative: boolean;
  readonly onlyDirectories: boolean;
}

/** Rules without a slash, which are for entries here and below. */
interface NameRules {
  readonly literals: ReadonlyMap<string, RulePair>;
  /** For patterns such as `*.log`: what comes after the star. */
  readonly endings: ReadonlyMap<string, RulePair>;
  readonly endingLengths: ReadonlySet<number>;
  /** The last one first. */
  readonly wildcards: readonly WildcardRule[];
}

/** The last rules of one spelling: for everything, and for directories. */
interface RulePair {
  entries?: Rule;
  directories?: Rule;
}

interface WildcardRule extends Rule {
  readonly tokens: readonly Token[];
}

interface PathRule extends Rule {
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
  const literals = new Map<string, RulePair>();
  const endings = new Map<string, RulePair>();
  const places = new Map<string, RulePair>();
  const wildcards: WildcardRule[] = [];
  const paths: PathRule[] = [];
  let wildcardChars = 0;
  const text = content.toString("latin1").replace(BYTE_ORDER_MARK, "");
  for (const [order, line] of text.split("\n").entries()) {
    const { pattern, ...flags } = parseLine(line);
    const rule = { order, ...flags };
    if (pattern === "") continue;
    if (!WILDCARD.test(pattern)) {
      if (pattern.includes("/")) put(places, pattern.replace(/^\//u, ""), rule);
      else put(literals, pattern, rule);
    } else if (pattern.startsWith("*") && !WILDCARD.test(pattern.slice(1)) && !pattern.includes("/")) {
      put(endings, pattern.slice(1), rule);
    } else if (wildcardChars + pattern.length <= maxWildcardChars) {
      wildcardChars += pattern.length;
      const segments = parseSegments(pattern);
      const [only] = segments ?? [];
      if (segments === undefined || only === undefined) continue;
      if (pattern.includes("/")) paths.push({ ...rule, segments, reached: behindGlobstars(segments, [0]) });
      else wildcards.push({ ...rule, tokens: only === "**" ? [STAR] : only });
    }
  }
  const lengths = [...endings.keys()].map(({ length }) => length).filter((length) => length <= MAX_NAME_BYTES);
  const names = { literals, endings, endingLengths: new Set(lengths), wildcards: wildcards.reverse() };
  return { names, places, here: "", paths: paths.reverse(), wildcardChars };
}

/** What the rules say about an entry: ignored, kept despite other rules, or nothing. */
export function verdictOf(rules: IgnoreRules, name: string, isDirectory: boolean): "ignored" | "kept" | undefined {
  const { names, places, here, paths } = rules;
  const bytes = asBytes(name);
  let last = later(undefined, names.literals.get(bytes), isDirectory);
  if (places.size > 0) last = later(last, places.get(here + bytes), isDirectory);
  for (const length of names.endingLengths) {
    if (length <= bytes.length) last = later(last, names.endings.get(bytes.slice(bytes.length - length)), isDirectory);
  }
  last = firstLater(names.wildcards, last, isDirectory, ({ tokens }) => matchTokens(tokens, bytes));
  last = firstLater(paths, last, isDirectory, (rule) => endsHere(rule, bytes));
  if (last === undefined) return undefined;
  return last.isNegative ? "kept" : "ignored";
}

/** The rules as they apply in the directory `name` below. */
export function rulesBelow({ names, places, here, paths }: IgnoreRules, name: string): IgnoreRules {
  const bytes = asBytes(name);
  const left = paths.map((rule) => ({ ...rule, reached: enter(rule, bytes) }));
  return { names, places, here: `${here}${bytes}/`, paths: left.filter(({ reached }) => reached.length > 0) };
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

function put(rules: Map<string, RulePair>, spelling: string, rule: Rule): void {
  const pair = rules.get(spelling) ?? {};
  if (rule.onlyDirectories) pair.directories = rule;
  else pair.entries = rule;
  rules.set(spelling, pair);
}

/** The later of what was found so far and those rules of a pair that apply. */
function later(found: Rule | undefined, pair: RulePair | undefined, isDirectory: boolean): Rule | undefined {
  let last = found;
  for (const rule of [pair?.entries, isDirectory ? pair?.directories : undefined]) {
    if (rule !== undefined && rule.order > (last?.order ?? -1)) last = rule;
  }
  return last;
}

/** The first of the rules, which come last to first, that applies and comes later than what was found so far. */
function firstLater<Kind extends Rule>(
  rules: readonly Kind[],
  found: Rule | undefined,
  isDirectory: boolean,
  matches: (rule: Kind) => boolean,
): Rule | undefined {
  const order = found?.order ?? -1;
  for (const rule of rules) {
    if (rule.order < order) return found;
    if ((isDirectory || !rule.onlyDirectories) && matches(rule)) return rule;
  }
  return found;
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

function endsHere({ segments, reached }: PathRule, name: string): boolean {
  const last = segments.at(-1);
  if (last === undefined || reached.at(-1) !== segments.length - 1) return false;
  return last === "**" || matchTokens(last, name);
}

function enter({ segments, reached }: PathRule, name: string): number[] {
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
