import { once } from "@fstools/protocol";
import { lstatSync } from "node:fs";
import picomatch from "picomatch";
import { below, joinRelative, parentOf, segments } from "../names/safe-path.ts";
import type { Root } from "../roots.ts";

/** The host's rules about what stays hidden although it lies inside the project root. */
export interface DenyRules {
  readonly isEmpty: boolean;
  /** Whether a rule names exactly this entry of a relative directory; directories above it are not considered. */
  names(directory: string, name: string): boolean;
  /** Whether a rule names this relative path or a directory above it. */
  covers(relative: string): boolean;
}

/** Nothing is hidden. */
export const NO_RULES: DenyRules = { isEmpty: true, names: () => false, covers: () => false };

const OPTIONS: picomatch.PicomatchOptions = {
  dot: true,
  // Without these two a malformed pattern would silently match nothing.
  debug: true,
  strictBrackets: true,
};

// "s": without it a line break in a directory's name would hide what is below from `**`.
const FLAGS = { folded: "is", glob: "s" } as const;

/**
 * Compiles picomatch globs relative to a root; a glob may also begin with one of the root's absolute `spellings`. One
 * that begins with the spelling of another root is for that one. A glob without a slash matches at any depth.
 * @throws TypeError if the value is not a list of patterns, or one is malformed or can match nothing.
 */
export function createDenyRules(
  patterns: readonly string[] | undefined,
  spellings: readonly string[] = [],
  option = "deny",
  others: readonly string[] = [],
): DenyRules {
  const given: unknown = patterns;
  if (given === undefined) return NO_RULES;
  if (!isListOfStrings(given)) throw new TypeError(`${option} must be a list of glob patterns.`);
  const rules = given
    .filter((pattern) => rootPrefix(pattern, spellings) !== "" || rootPrefix(pattern, others) === "")
    .map((pattern) => readRule(pattern, [...spellings, ...others], option));
  if (rules.length === 0) return NO_RULES;
  const isNamed = createMatcher(rules, false, option);
  const isPlaced = createMatcher(rules, true, option);
  return rulesNaming((directory, name) => isNamed(name) || isPlaced(joinRelative(directory, name)));
}

/** Rules of several directories, each of which counts from its own. */
export function rulesBelow(parts: readonly { readonly path: string; readonly rules: DenyRules }[]): DenyRules {
  const ruled = parts.filter(({ rules }) => !rules.isEmpty);
  const [first] = ruled;
  if (first === undefined) return NO_RULES;
  if (ruled.length === 1 && first.path === ".") return first.rules;
  return rulesNaming((directory, name) =>
    ruled.some(({ path, rules }) => {
      const inside = below(path, directory);
      return inside !== undefined && rules.names(inside, name);
    }),
  );
}

/** Rules that name exactly these entries. */
function rulesNaming(names: DenyRules["names"]): DenyRules {
  const covers = (relative: string): boolean => {
    const [directory, name] = parentOf(relative);
    return names(directory, name) || (directory !== "." && covers(directory));
  };
  return { isEmpty: false, names, covers };
}

// A negation or a class matches fewer names once case is folded away; and of `a:b`, Windows sees only `a`.
const MORE_UNFOLDED = /[[!:]/u;

interface Rule {
  readonly pattern: string;
  /** Compared with names as they are. */
  readonly glob: string;
  /** Compared with folded names, unchanged and without trailing blanks and dots. */
  readonly folded: string;
  /** Whether it is a path from the root; otherwise it is a name at any depth. */
  readonly isAnchored: boolean;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function readRule(pattern: string, spellings: readonly string[], option: string): Rule {
  const prefix = rootPrefix(pattern, spellings);
  const path = pattern.slice(prefix.length);
  const names = segments(path);
  const problem = findProblem(pattern, names, prefix === "" && isOutside(pattern, spellings));
  if (problem !== undefined) throw new TypeError(`${option} pattern '${pattern}' ${problem}`);
  const isAnchored = path.replace(/\/+$/u, "").includes("/");
  return { pattern, glob: names.join("/"), folded: names.map(foldGlob).join("/"), isAnchored };
}

/** Why a pattern would protect nothing although its author thinks it does. */
function findProblem(pattern: string, names: readonly string[], isElsewhere: boolean): string | undefined {
  if (pattern !== pattern.trim()) return "has blanks around it, which are part of no name.";
  if (pattern.includes("\\")) return "contains a backslash; separate names with '/'.";
  if (/^~(?:\/|$)/u.test(pattern)) {
    return "begins with '~', which is not expanded; write it relative to the project root.";
  }
  if (/^file:/iu.test(pattern)) return "is a URL; write a path relative to the project root.";
  if (hasBareComma(pattern)) return "is a list; pass each glob on its own ('[,]' is a comma in a name).";
  if (names.length === 0) return "names no path below the project root.";
  if (isElsewhere) return "is an absolute path outside the project root.";
  if (names.includes("..")) return "leads out of the project root.";
  if (/^!(?!\()/u.test(names.join("/"))) return "is negated; list what to deny instead.";
  return undefined;
}

/** The part of a pattern that spells the project root itself, without the slash after it. */
function rootPrefix(pattern: string, spellings: readonly string[]): string {
  const isPrefix = (root: string): boolean => `${pattern}/`.startsWith(`${root}/`);
  return spellings.map((root) => root.replaceAll("\\", "/").replace(/\/$/u, "")).find(isPrefix) ?? "";
}

/** `/secrets` is below the project root, as in .gitignore; `/etc/passwd` is not, if only the system has an `/etc`. */
function isOutside(pattern: string, spellings: readonly string[]): boolean {
  if (/^[a-z]:(?:\/|$)/iu.test(pattern)) return true;
  const [first = ""] = segments(pattern);
  if (!pattern.startsWith("/") || /[*?[\]{}()!]/u.test(first)) return false;
  const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere(`/${first}`) && !spellings.some((root) => isThere(`${root}/${first}`));
}

function hasBareComma(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    if ("{[(".includes(character)) depth += 1;
    if ("}])".includes(character)) depth -= 1;
    if (character === "," && depth <= 0) return true;
  }
  return false;
}

// A range is syntax as a whole: `A-_` has other letters than `a-_`, and the flag "i" compares them in any case.
const SYNTAX = /(\[[!^]?\]?[^\]]*-[^\]]*\]|[*?[\]{}()!+@|,^-])/u;

/** Folds the letters of one name of a glob; the folded letters never become syntax. */
function foldGlob(glob: string): string {
  const parts = glob.split(SYNTAX);
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const folded = foldName(part).replaceAll(/[*?[\]{}()!+@|,^\\-]/gu, String.raw`\$&`);
      return index === parts.length - 1 ? withoutTrailing(folded) : folded;
    })
    .join("");
}

/** Compares whole paths with the anchored rules, or names with the others: folded, and as they are. */
function createMatcher(all: readonly Rule[], isAnchored: boolean, option: string): (path: string) => boolean {
  const rules = all.filter((rule) => rule.isAnchored === isAnchored);
  if (rules.length === 0) return () => false;
  const isFolded = compile(rules, "folded", option);
  let isExact: typeof isFolded | undefined;
  const hasMoreUnfolded = rules.some(({ glob }) => MORE_UNFOLDED.test(glob));
  // Folding may change the length of a name beyond ASCII, and so what any wildcard matches.
  return (path) =>
    foldNames(path).some(isFolded) ||
    ((hasMoreUnfolded || !isAscii(path)) && (isExact ??= compile(rules, "glob", option))(path));
}

const ANY_WITH_ENDING = /^\*(?:\.\w+)+$/u;

/** One test for all rules: thirty separate regular expressions would take ten times as long for each name. */
function compile(rules: readonly Rule[], form: keyof typeof FLAGS, option: string): (path: string) => boolean {
  const flags = FLAGS[form];
  const { makeRe } = picomatch;
  const sources = rules.map(({ pattern, isAnchored, [form]: glob }) => {
    // As picomatch reads it, it costs ten times as much, with each name.
    if (!isAnchored && ANY_WITH_ENDING.test(glob)) return `${glob.slice(1).replaceAll(".", String.raw`\.`)}$`;
    try {
      return makeRe(glob, { ...OPTIONS, flags }).source;
    } catch (error) {
      throw new TypeError(`${option} pattern '${pattern}' is not a valid glob.`, { cause: error });
    }
  });
  const expression = new RegExp(sources.join("|"), flags);
  // A rule that spells a name exactly matches it, although `[id]` is also syntax.
  const spelled = new Set(rules.map((rule) => rule[form]));
  return (path) => spelled.has(path) || expression.test(path);
}

/** Globs for keys, tokens and passwords under their usual names; `.env.example` and `*.pub` are not among them. */
export const SECRET_FILES: readonly string[] = [
  ".env .env.!(example|sample|template) *.env .envrc *.tfstate *.tfvars",
  ".netrc .npmrc .pgpass .pypirc .yarnrc.yml .git-credentials",
  "**/.git/config **/.aws/credentials **/.docker/config.json **/.kube/config",
  "credentials.json service-account*.json",
  "*.pem *.key *.p8 *.p12 *.pfx *.ppk *.jks *.asc id_{rsa,dsa,ecdsa,ed25519}!(*.pub) ssh_host_*_key",
].flatMap((globs) => globs.split(" "));

/** The rules of {@link SECRET_FILES}, read without picomatch: most hosts have no others, and loading it takes time. */
export function createSecretRules(): DenyRules {
  return rulesNaming((directory, name) => {
    if (isFolded(name) && !LAST_NAMES.has(name)) return NAMED.test(name);
    const folded = foldNames(name);
    // `.env.EXAMPLE` is not the example where case counts.
    if ([name, ...folded].some((spelling) => NAMED.test(spelling))) return true;
    if (!folded.some((spelling) => LAST_NAMES.has(spelling))) return false;
    return foldNames(joinRelative(directory, name)).some((path) => ENDINGS.some((end) => `/${path}`.endsWith(end)));
  });
}

const PLACED = SECRET_FILES.filter((glob) => glob.includes("/"));
/** "/.git/config" */
const ENDINGS = PLACED.map((glob) => glob.replace("**", ""));
const LAST_NAMES = new Set(PLACED.map((glob) => parentOf(glob)[1]));
const NAMED = new RegExp(
  SECRET_FILES.filter((glob) => !PLACED.includes(glob))
    .map(toSource)
    .join("|"),
  "su",
);

/** Only for what the list above uses of a glob's syntax. */
function toSource(glob: string): string {
  const source = glob
    .replaceAll(".", String.raw`\.`)
    .replaceAll("*", "[^/]*")
    .replace(/!\((?<names>.*)\)$/u, "(?!(?:$<names>)$)[^/]*")
    .replace(/\{(?<names>.*)\}/u, (_, names: string) => `(?:${names.replaceAll(",", "|")})`);
  return glob.startsWith("*") ? `${source.slice("[^/]*".length)}$` : `^${source}$`;
}

/** Makes names equal that a case-insensitive disk may treat as one: by letters, compositions, invisible characters. */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  const cased = name.normalize("NFKC").toUpperCase().toLowerCase();
  // "σ" has another form at the end of a word.
  return cased.replaceAll("ς", "σ").normalize("NFKC").replaceAll(INVISIBLE, "");
}

/** Whether folding a name changes only the case of its letters. */
export function isAscii(name: string): boolean {
  return ASCII.test(name);
}

const ASCII = /^[\0-\x7f]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a name is already what {@link foldNames} makes of it; most are, and each entry of a listing is asked. */
function isFolded(name: string): boolean {
  return FOLDED.test(name);
}

const FOLDED = /^(?:[^A-Z:\x80-\uffff]*[^A-Z:. \x80-\uffff])?$/;

/** A relative path folded, and as Windows reads it: without trailing blanks and dots, and without a stream's name. */
export function foldNames(relative: string): readonly string[] {
  const folded = foldName(relative);
  if (!/:|[. ](?:\/|$)/u.test(folded)) return [folded];
  const names = folded.split("/").map((name) => withoutTrailing(name.replace(/:.*$/su, "")));
  return [folded, names.join("/")];
}

/** A name without the blanks and dots at its end. */
export function withoutTrailing(name: string): string {
  return name.replace(/(?<=[^. ])[. ]+$/u, "");
}

/** What may be read, but not written. */
export type ProtectRules = ReturnType<typeof createProtectRules>;

/** What is protected unless the host says otherwise: the same below any root. */
export const defaultProtectRules = once(() => createDenyRules([".git"]));

/** Where oversized answers are kept: a model must not be able to change them. */
const SPILL_DIRECTORY = "tool-output";

/** Protects what rules name, spill directories, and roots that may only be read; compiles as late as it can. */
export function createProtectRules(roots: readonly Root[], compile: () => DenyRules) {
  const readOnly = roots.flatMap(({ path, access }) => (access === "read" ? [path] : []));
  const kept = new Set(roots.flatMap(({ path }) => foldNames(joinRelative(path, SPILL_DIRECTORY))));
  let rules: DenyRules | undefined;
  return {
    /** Whether a rule names this relative path or a directory above it. */
    covers: (relative: string): boolean =>
      isIn(readOnly, relative) ||
      foldNames(relative).some((path) => isIn([...kept], path)) ||
      (rules ??= compile()).covers(relative),
    /** Also protects a directory, by its relative path. */
    keep: (directory: string): void => {
      for (const path of foldNames(segments(directory).join("/"))) kept.add(path);
    },
  };
}

function isIn(directories: readonly string[], relative: string): boolean {
  return directories.some((directory) => below(directory, relative) !== undefined);
}
