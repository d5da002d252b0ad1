import {
  joinRelative,
  createPosition,
  createSearchedTest,
  matchesPath,
  normalizePattern,
  parsePattern,
  passedPartNotes,
  remaindersAt,
  SandboxError,
  walkFiles,
  type Position,
  type Remainder,
  type SafePath,
  type Sandbox,
  type WalkReport,
} from "@fstools/sandbox";
import type { GrepParams } from "./params.ts";

/** Which files below the start of a search are searched. */
export interface FileRules {
  /** What `include` asks for, at the start. */
  readonly position: Position | undefined;
  readonly includeHidden: boolean;
  readonly includeIgnored: boolean;
  /** Says which parts of `include` name what is skipped; the walk tells what git ignores. */
  partNotes(ignoredByGit: string | undefined): string[];
  /** Whether a file that some other program found is one of them; its path is relative to the start. */
  isSearched(path: string): boolean;
}

/**
 * The rules that the parameters ask for.
 * @throws ToolError INVALID_PARAM if `include` is not a pattern
 */
export function fileRules(sandbox: Sandbox, start: SafePath, params: GrepParams): FileRules {
  const remainders = includeRemainders(sandbox, start, params.include ?? "**");
  const position = createPosition(remainders);
  const scope = { includeHidden: params.include_hidden, includeIgnored: params.include_ignored };
  const isReached = createSearchedTest(sandbox, start, scope);
  return {
    position,
    ...scope,
    partNotes: (ignoredByGit) =>
      passedPartNotes({ parameter: "include", remainders, mayEndInFile: false, ignoredByGit, ...scope }),
    isSearched: (path) => isReached(path) && matchesPath(position, path),
  };
}

/** Without a slash it is compared with the name of a file, at any depth. */
function includeRemainders(sandbox: Sandbox, start: SafePath, include: string): readonly Remainder[] {
  const pattern = normalizePattern(include);
  const [anywhere] = parsePattern("**", "include").flatMap(({ segments }) => segments);
  const alternatives = parsePattern(pattern, "include").map((alternative) => {
    const { segments, isAbsolute } = alternative;
    const isName = segments.length === 1 && !isAbsolute && !pattern.startsWith("./");
    return isName && anywhere !== undefined ? { ...alternative, segments: [anywhere, ...segments] } : alternative;
  });
  const rootSpellings = [sandbox.root.absolute, sandbox.projectRoot];
  return remaindersAt({ relative: start.relative, spellings: [start.absolute], rootSpellings }, alternatives);
}

/** A file that a search came to. */
export interface FoundFile {
  /** Relative to the start of the search. */
  readonly path: string;
  /** Undefined if it is gone or denied, or a link. */
  locate(): SafePath | undefined | Promise<SafePath | undefined>;
}

/** A walk that waits until its files are taken. */
export interface FileWalk {
  /** The next file; undefined at the end. */
  next(): Promise<FoundFile | undefined>;
  /** Goes on without handing out files, to the end or until this time, when it ends. */
  goOn(until: number): Promise<void>;
  /** Ends it, and tells how it went. */
  end(): Promise<WalkReport>;
}

/** So many files wait to be taken. */
const MAX_WAITING = 256;

/** Starts a walk; the caller ends it. */
export function startWalk(sandbox: Sandbox, start: SafePath, rules: FileRules, signal: AbortSignal): FileWalk {
  const waiting: FoundFile[] = [];
  let at = 0;
  let isOver = false;
  let endsAt = Infinity;
  let takeMore: ((more: boolean) => void) | undefined;
  let wake: (() => void) | undefined;

  const walking = walkFiles(sandbox, start, {
    ...rules,
    maxDurationMs: Infinity,
    signal,
    take: ({ path, isLink, located }) => {
      if (isOver || performance.now() >= endsAt) return false;
      if (isLink || endsAt < Infinity) return true;
      waiting.push({ path, locate: located });
      wake?.();
      if (waiting.length - at < MAX_WAITING) return true;
      return new Promise((resolve) => {
        takeMore = resolve;
      });
    },
  });
  const ended = walking.finally(() => {
    isOver = true;
    wake?.();
  });
  // The call for the next file gets the error.
  ended.catch(() => undefined);

  return {
    next: async () => {
      while (at === waiting.length) {
        waiting.length = 0;
        at = 0;
        takeMore?.(true);
        takeMore = undefined;
        if (isOver) {
          await ended;
          signal.throwIfAborted();
          return undefined;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      at += 1;
      return waiting[at - 1];
    },
    goOn: async (until) => {
      endsAt = until;
      takeMore?.(true);
      await ended;
    },
    end: () => {
      isOver = true;
      takeMore?.(false);
      return ended;
    },
  };
}

/** A file of a search as a path of the sandbox; undefined if a link leads there, or if it is gone or denied. */
export async function locateFile(sandbox: Sandbox, start: SafePath, path: string): Promise<SafePath | undefined> {
  const fromRoot = joinRelative(start.relative, path);
  try {
    const file = await sandbox.resolve(fromRoot);
    return file.relative === fromRoot ? file : undefined;
  } catch (error) {
    if (error instanceof SandboxError) return undefined;
    throw error;
  }
}
