import {
  compareWalkOrder,
  createPacer,
  SandboxError,
  selectFirst,
  type SafePath,
  type Sandbox,
} from "@fstools/sandbox";
import { findCandidates, type Candidates, type ListFiles } from "./candidates.ts";
import type { Clock } from "./engine/clock.ts";
import type { Query, TextFeed } from "./engine/hit.ts";
import { openText, type SearchText } from "./engine/search-text.ts";
import { fileRules, locateFile, startWalk, type FileWalk, type FoundFile } from "./files.ts";
import type { GrepParams } from "./params.ts";

/** What decides which texts are searched, and in which order. */
export interface SourceOptions {
  readonly sandbox: Sandbox;
  readonly start: SafePath;
  readonly params: GrepParams;
  readonly query: Query;
  /** Asked which files may match, where there is a ripgrep. */
  readonly list: ListFiles | undefined;
  readonly clock: Clock;
  readonly maxDurationMs: number;
}

/** Texts for an engine, in the order in which their matches are reported. */
export interface TextSource {
  /** The one file at which the search starts. */
  file(): AsyncGenerator<SearchText>;
  /** The files below the directory at which it starts; those that cannot match may be missing. */
  directory(): TextFeed;
  /** Walks on for a part of the time that the search took: what was skipped may explain why nothing was found. */
  walkOn(): Promise<void>;
  /** Frees its resources, and returns how it went; the caller that made a source ends it. */
  end(): Promise<Passed>;
}

/** What a source skipped, and how far it got. */
export interface Passed {
  /** Hidden names, and ignored directories, in which something could have been searched. */
  readonly hidden: number;
  readonly ignored: number;
  /** Says which parts of `include` name what was skipped. */
  partNotes(): string[];
  /** Directories and files that could not be read. */
  readonly skipped: number;
  /** How many files were searched, as far as known. */
  readonly searched: number;
  /** Whether the time was over before every file had been asked about. */
  readonly timedOut: boolean;
}

// With more files than these, ripgrep is asked which of them match.
const FIRST_FILES = 64;
// If many match, or if it takes long, these and as many more as here are searched meanwhile: they often fill the page.
const HEAD_FILES = 128;
// How long, and which share of the time, may pass until then.
const MAX_WAIT_MS = 1000;
const WAIT_SHARE = 0.2;
// A ripgrep younger than this is killed, so that it does not compete for the processor, and asked again if the page is
// not full.
const GIVE_UP_WITHIN_MS = 25;
// This many paths are sorted in a few milliseconds.
const RUN_LENGTH = 1024;
// The share of the time that may pass until it is known which files match.
const CANDIDATE_SHARE = 0.85;

// The share of the search time that a walk only for an explanation may take.
const WALK_SHARE = 0.05;
const MIN_WALK_MS = 5;

/** Makes the source of one search. */
export function createTextSource(options: SourceOptions): TextSource {
  const { sandbox, start, params, query, list, clock } = options;
  const startedAt = performance.now();
  const rules = fileRules(sandbox, start, params);
  const pacer = createPacer(clock.signal);
  const textOptions = { unifyLineEnds: !query.isMultiline };
  // ripgrep is no longer needed once the page is full.
  const ended = new AbortController();
  let walk: FileWalk | undefined;
  let skipped = 0;
  let unreadable = 0;
  let walked = 0;
  let asked = 0;
  let timedOut = false;

  async function* file(): AsyncGenerator<SearchText> {
    if (pacer.due()) await pacer.rest();
    yield openText(sandbox, start, textOptions);
  }

  async function* directory(): AsyncGenerator<SearchText | "pause"> {
    if (params.sort === "modified") {
      yield* newestFirst();
      return;
    }
    if (list === undefined) {
      for (let file = await step(); file !== undefined; file = await step()) yield* open([file]);
      return;
    }
    const first = await take(FIRST_FILES);
    if (first.isAll) {
      yield* open(first.files);
      return;
    }
    let candidates = ask(list);
    // The engine gets ready meanwhile.
    yield "pause";
    await candidates.someFound(Math.min(MAX_WAIT_MS, options.maxDurationMs * WAIT_SHARE));
    let last: string | undefined;
    if (!candidates.isComplete()) {
      const isGivenUp = candidates.ageMs() < GIVE_UP_WITHIN_MS;
      if (isGivenUp) candidates.stop();
      const more = await take(HEAD_FILES);
      for (const file of [...first.files, ...more.files]) {
        if (candidates.isComplete()) break;
        last = file.path;
        yield* open([file]);
      }
      if (more.isAll && !candidates.isComplete()) return;
      yield "pause";
      if (isGivenUp) candidates = ask(list);
    }
    for await (const run of inWalkOrder(await pathsOf(candidates))) {
      const rest = run.filter((path) => last === undefined || compareWalkOrder(path, last) > 0);
      yield* open(rest.map(reported));
    }
  }

  /** Paths in order, run by run: a page seldom needs more than the first. */
  async function* inWalkOrder(unordered: readonly string[]): AsyncGenerator<readonly string[]> {
    const paths = [...unordered];
    for (let taken = 0; taken < paths.length; taken += RUN_LENGTH) {
      await selectFirst(paths, RUN_LENGTH, (left, right) => compareWalkOrder(left, right) < 0, pacer, taken);
      yield paths.slice(taken, taken + RUN_LENGTH).sort(compareWalkOrder);
    }
  }

  async function step(): Promise<FoundFile | undefined> {
    walk ??= startWalk(sandbox, start, rules, clock.signal);
    const file = await walk.next();
    if (file !== undefined) walked += 1;
    return file;
  }

  /** A file that ripgrep reported, by a path that has to be followed. */
  function reported(path: string): FoundFile {
    return { path, locate: () => locateFile(sandbox, start, path) };
  }

  /** The next files of the walk. */
  async function take(count: number): Promise<{ readonly files: readonly FoundFile[]; readonly isAll: boolean }> {
    const files: FoundFile[] = [];
    while (files.length < count) {
      const file = await step();
      if (file === undefined) return { files, isAll: true };
      files.push(file);
    }
    return { files, isAll: false };
  }

  function ask(list: ListFiles): Candidates {
    return findCandidates({
      list,
      filter: {
        include: params.include,
        includesHidden: params.include_hidden,
        includesIgnored: params.include_ignored,
      },
      isSearched: (path) => rules.isSearched(path),
      clock,
      ended: ended.signal,
      maxDurationMs: options.maxDurationMs * CANDIDATE_SHARE - (performance.now() - startedAt),
    });
  }

  async function pathsOf(candidates: Candidates): Promise<readonly string[]> {
    const found = await candidates.all();
    timedOut = found.timedOut;
    asked = found.searched ?? 0;
    unreadable = found.skipped;
    return found.paths;
  }

  async function* newestFirst(): AsyncGenerator<SearchText> {
    const head = list === undefined ? { files: [], isAll: false } : await take(FIRST_FILES);
    const files: FoundFile[] = [];
    if (list !== undefined && !head.isAll) {
      const paths = await pathsOf(ask(list));
      for await (const run of inWalkOrder(paths)) for (const path of run) files.push(reported(path));
    } else {
      for (const file of head.files) files.push(file);
      for (let file = await step(); file !== undefined; file = await step()) files.push(file);
    }
    const dated: { readonly path: SafePath; readonly mtimeNs: bigint }[] = [];
    for (const file of files) {
      const located = await file.locate();
      const opened = located === undefined ? undefined : attempt(() => sandbox.open(located));
      if (located === undefined || opened === undefined) continue;
      dated.push({ path: located, mtimeNs: opened.version.mtimeNs });
      opened.close();
      if (pacer.due()) await pacer.rest();
    }
    dated.sort((left, right) => Number(right.mtimeNs > left.mtimeNs) - Number(right.mtimeNs < left.mtimeNs));
    yield* openEach(dated.map(({ path }) => path));
  }

  async function* open(files: readonly FoundFile[]): AsyncGenerator<SearchText> {
    for (const file of files) {
      const located = await file.locate();
      if (located !== undefined) yield* openEach([located]);
    }
  }

  async function* openEach(paths: readonly SafePath[]): AsyncGenerator<SearchText> {
    for (const path of paths) {
      const text = attempt(() => openText(sandbox, path, textOptions));
      if (text !== undefined) yield text;
      if (pacer.due()) await pacer.rest();
    }
  }

  /** What cannot be opened is skipped; what is gone, or not a file any more, need not even be counted. */
  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error;
      if (error.reason === "permission" || error.reason === "io" || error.reason === "unknown") skipped += 1;
      return undefined;
    }
  }

  async function walkOn(): Promise<void> {
    const now = performance.now();
    await walk?.goOn(now + Math.max(MIN_WALK_MS, (now - startedAt) * WALK_SHARE));
  }

  async function end(): Promise<Passed> {
    ended.abort();
    const report = await walk?.end();
    return {
      hidden: report?.hidden ?? 0,
      ignored: report?.ignored ?? 0,
      partNotes: () => rules.partNotes(report?.ignoredByGit),
      // If ripgrep searched the whole tree, it also met everything that we could not read.
      skipped: Math.max(skipped + (report?.skipped.length ?? 0), unreadable),
      searched: Math.max(walked, asked),
      timedOut,
    };
  }

  return { file, directory, walkOn, end };
}
