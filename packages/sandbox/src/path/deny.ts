import { createRequire } from "node:module";
import type picomatch from "picomatch";
import { segments } from "./relative-path.ts";

/** The host's rules about what stays hidden although it lies inside the project root. */
export interface DenyRules {
  readonly isEmpty: boolean;
  /** Whether a rule names exactly this relative path; what lies above it is not looked at. */
  names(relative: string): boolean;
  /** Whether a rule names this relative path or a directory above it. */
  covers(relative: string): boolean;
}

const NO_RULES: DenyRules = { isEmpty: true, names: () => false, covers: () => false };

const OPTIONS: picomatch.PicomatchOptions = {
  dot: true,
  // "i": a mounted file system may take `.ENV` for `.env`, on Linux too, and a rule must not be weaker than the disk.
  // "s": otherwise a line break in a directory's name would hide what is below it from `**`.
  flags: "is",
  // Without these two a malformed pattern would silently match nothing.
  debug: true,
  strictBrackets: true,
};

/**
 * Compiles picomatch globs relative to the project root; one may also begin with one of the root's absolute `spellings`.
 * @throws TypeError if the value is not a list of valid patterns.
 */
export function createDenyRules(patterns: readonly string[] | undefined, spellings: readonly string[] = []): DenyRules {
  const given: unknown = patterns;
  if (given === undefined) return NO_RULES;
  if (!Array.isArray(given)) throw new TypeError("deny must be a list of glob patterns.");
  if (given.length === 0) return NO_RULES;
  const compile = loadPicomatch();
  const matchers = given.map((pattern) => compilePattern(compile, pattern, spellings));
  const names = (relative: string): boolean => {
    const composed = relative.normalize();
    return matchers.some((matches) => matches(composed));
  };
  return { isEmpty: false, names, covers: (relative) => prefixes(relative).some(names) };
}

function compilePattern(
  compile: typeof picomatch,
  pattern: unknown,
  spellings: readonly string[],
): (relative: string) => boolean {
  if (typeof pattern !== "string") throw new TypeError("deny must be a list of glob patterns.");
  const root = spellings.find((spelling) => pattern.startsWith(`${spelling}/`)) ?? "";
  const names = segments(pattern.slice(root.length));
  const normalized = names.join("/").normalize();
  if (normalized === "") throw new TypeError(`deny pattern '${pattern}' names no path below the project root.`);
  if (names.includes("..")) throw new TypeError(`deny pattern '${pattern}' leads out of the project root.`);
  if (/^!(?!\()/u.test(normalized)) {
    throw new TypeError(`deny pattern '${pattern}' is negated; list what to deny instead.`);
  }
  try {
    return compile(normalized, OPTIONS);
  } catch (error) {
    throw new TypeError(`deny pattern '${pattern}' is not a valid glob.`, { cause: error });
  }
}

/** "a/b/c" → "a", "a/b", "a/b/c". */
function prefixes(relative: string): string[] {
  const names = relative.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}

// Loaded only for a host that has rules: it costs more than the rest of the package.
function loadPicomatch(): typeof picomatch {
  const loaded: unknown = createRequire(import.meta.url)("picomatch");
  if (!isPicomatch(loaded)) throw new TypeError("The picomatch module has an unexpected shape.");
  return loaded;
}

function isPicomatch(value: unknown): value is typeof picomatch {
  return typeof value === "function";
}
