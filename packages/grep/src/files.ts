import * as search from "@fstools/sandbox";
import { SandboxError, type SafePath, type Sandbox } from "@fstools/sandbox";
import type { Candidates } from "./engine/ripgrep/ripgrep.ts";
import type { GrepParams } from "./params.ts";
import { versionNow } from "./text/search-text.ts";

interface FilesOptions {
  readonly sandbox: Sandbox;
  /** The directory below which they lie. */
  readonly start: SafePath;
  readonly params: GrepParams;
  /** Asks ripgrep which files match, until the signal is aborted; undefined where there is no ripgrep. */
  readonly listCandidates: ((signal: AbortSignal) => Promise<Candidates>) | undefined;
  /** Whether so much is found that the page will be full soon. */
  readonly isPageFilling: () => boolean;
  readonly maxDurationMs: number;
  /** Aborted when the time is up, or by the caller. */
  readonly signal: AbortSignal;
}

/** Takes the next file; false if no more are wanted. */
type TakeFile = (file: SafePath) => Promise<boolean>;

/** What was skipped on the way to the files, and how far the search got. */
export type Passed = ReturnType<ReturnType<typeof createFiles>["passed"]>;

// So many files of the walk are searched before ripgrep is asked which files match.
const HEAD_FILES = 64;
// The share of the time that may pass until it has answered.
const CANDIDATE_SHARE = 0.85;
// The share of the search time that a walk only for an explanation may take.
const WALK_SHARE = 0.05;
const MIN_WALK_MS = 5;
const MAX_TIMER_MS = 2_147_483_647;

/** The files of one search. @throws ToolError INVALID_PARAM if `include` is not a pattern */
export function createFiles(options: FilesOptions) {
  const { sandbox, start, params, listCandidates, signal } = options;
  const startedAt = performance.now();
  const scope = { includeHidden: params.include_hidden, includeIgnored: params.include_ignored };
  const remainders = includeRemainders(sandbox, start, params.include ?? "**");
  const position = search.createPosition(remainders);
  const isReached = search.createSearchedTest(sandbox, start, scope);
  const pacer = search.createPacer(signal);
  let report: search.WalkReport | undefined;
  let found: Candidates | undefined;
  let walked = 0;
  let timedOut = false;

  async function walk(take: search.WalkOptions["take"], maxDurationMs = Infinity): Promise<void> {
    report = await search.walkFiles(sandbox, start, { position, ...scope, maxDurationMs, signal, take });
    signal.throwIfAborted();
  }

  /** Takes files in the order of the walk, while `goesOn`; returns the path of the first one that was not taken. */
  async function walkWhile(goesOn: () => boolean, take: TakeFile): Promise<string | undefined> {
    let next: string | undefined;
    await walk(({ path, isLink, located }) => {
      if (isLink) return true;
      if (listCandidates !== undefined && !goesOn()) {
        next = path;
        return false;
      }
      walked += 1;
      return take(located());
    });
    return next;
  }

  async function inWalkOrder(take: TakeFile): Promise<void> {
    const isHead = (): boolean => walked % HEAD_FILES !== 0 || walked === 0 || options.isPageFilling();
    const next = await walkWhile(isHead, take);
    if (next !== undefined) await eachCandidate(take, next);
  }

  /** Hands out what ripgrep found, from a path on. */
  async function eachCandidate(take: TakeFile, from: string): Promise<void> {
    if (listCandidates === undefined) return;
    const time = timeout(options.maxDurationMs * CANDIDATE_SHARE - (performance.now() - startedAt));
    found = await listCandidates(AbortSignal.any([signal, time]));
    timedOut = time.aborted;
    signal.throwIfAborted();
    const paths: string[] = [];
    for (const path of found.paths) {
      if (search.compareWalkOrder(path, from) >= 0 && isReached(path) && search.matchesPath(position, path))
        paths.push(path);
      if (pacer.due()) await pacer.rest();
    }
    for await (const run of search.inOrder(paths, (left, right) => search.compareWalkOrder(left, right) < 0, pacer)) {
      for (const path of run) {
        const file = await locate(path);
        if (file !== undefined && !(await take(file))) return;
      }
    }
  }

  /** A path that ripgrep found as one of the sandbox; undefined if a link leads there, or if it is gone or denied. */
  async function locate(path: string): Promise<SafePath | undefined> {
    const fromRoot = search.joinRelative(start.relative, path);
    try {
      const file = await sandbox.resolve(fromRoot);
      return file.relative === fromRoot ? file : undefined;
    } catch (error) {
      if (error instanceof SandboxError) return undefined;
      throw error;
    }
  }

  async function newestFirst(take: TakeFile): Promise<void> {
    const dated: { readonly file: SafePath; readonly mtimeNs: bigint }[] = [];
    const collect = async (file: SafePath): Promise<true> => {
      // What cannot be opened comes last.
      dated.push({ file, mtimeNs: versionNow(sandbox, file)?.mtimeNs ?? 0n });
      if (pacer.due()) await pacer.rest();
      return true;
    };
    const next = await walkWhile(() => walked < HEAD_FILES, collect);
    if (next !== undefined) {
      dated.length = 0;
      await eachCandidate(collect, "");
    }
    dated.sort((left, right) => Number(right.mtimeNs > left.mtimeNs) - Number(right.mtimeNs < left.mtimeNs));
    for (const { file } of dated) if (!(await take(file))) return;
  }

  return {
    /** Hands out, in order, every file that may match. */
    each: (take: TakeFile) => (params.sort === "modified" ? newestFirst(take) : inWalkOrder(take)),
    /** Walks on for a part of the time that the search took: what was skipped may explain why nothing was found. */
    walkOn: async () => {
      if (report?.stoppedBy === undefined) return;
      await walk(() => true, Math.max(MIN_WALK_MS, (performance.now() - startedAt) * WALK_SHARE));
    },
    passed: () => ({
      /** Hidden names, and ignored directories, in which something could have been searched. */
      hidden: report?.hidden ?? 0,
      ignored: report?.ignored ?? 0,
      /** Says which parts of `include` name what was skipped. */
      partNotes: () => {
        const ignoredByGit = report?.ignoredByGit;
        return search.passedPartNotes({
          parameter: "include",
          remainders,
          mayEndInFile: false,
          ignoredByGit,
          ...scope,
        });
      },
      /** Directories and files that could not be read; if ripgrep looked at the whole tree, it met all of them. */
      skipped: Math.max(report?.skipped.length ?? 0, found?.skipped ?? 0),
      /** How many files were looked at, as far as known. */
      searched: Math.max(walked, found?.searched ?? 0),
      /** Whether the time was over before ripgrep had looked at every file. */
      timedOut,
    }),
  };
}

/** Without a slash it is compared with the name of a file, at any depth. */
function includeRemainders(sandbox: Sandbox, start: SafePath, include: string): readonly search.Remainder[] {
  const pattern = search.normalizePattern(include);
  const [anywhere] = search.parsePattern("**", "include").flatMap(({ segments }) => segments);
  const alternatives = search.parsePattern(pattern, "include").map((alternative) => {
    const { segments, isAbsolute } = alternative;
    const isName = segments.length === 1 && !isAbsolute && !pattern.startsWith("./");
    return isName && anywhere !== undefined ? { ...alternative, segments: [anywhere, ...segments] } : alternative;
  });
  const { relative, absolute } = start;
  return search.remaindersAt({ relative, spellings: [absolute], roots: sandbox.roots }, alternatives);
}

/** A signal that is aborted after some time. */
export function timeout(milliseconds: number): AbortSignal {
  return milliseconds <= 0 ? AbortSignal.abort() : AbortSignal.timeout(Math.min(Math.ceil(milliseconds), MAX_TIMER_MS));
}
