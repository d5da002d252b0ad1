import { createPacer, SandboxError, type SafePath, type Sandbox } from "@fstools/sandbox";
import { assertGroupsOpened, escapeStrayBraces, hasTextAnchor } from "./engine/dialect.ts";
import { EngineError, type Engine, type Query } from "./engine/engine.ts";
import { findCandidates, type Candidates } from "./engine/ripgrep/candidates.ts";
import { bundledRipgrep, type RipgrepHost } from "./engine/ripgrep/process.ts";
import { createRipgrepEngine } from "./engine/ripgrep/ripgrep.ts";
import { createBatch } from "./batch.ts";
import { createFiles, timeout, type Passed } from "./files.ts";
import { createPage, type PageContent } from "./page.ts";
import type { GrepParams } from "./params.ts";

/** Where and how to search. */
export interface SearchRequest {
  readonly sandbox: Sandbox;
  /** A directory, or one file. */
  readonly start: SafePath;
  readonly isFile: boolean;
  readonly params: GrepParams;
  /** A binary of the host's choice; false for the engine in JavaScript. */
  readonly ripgrepPath: string | false | undefined;
  readonly maxDurationMs: number;
  readonly maxLineChars: number;
  readonly signal: AbortSignal;
}

/** What a search found, and how. */
export interface Findings extends Passed, PageContent {
  readonly engine: Engine["name"];
  /** Why ripgrep did not search, if that is not the host's own choice. */
  readonly fallback: EngineError["reason"] | undefined;
}

/**
 * Searches with ripgrep, or without it where it cannot be run.
 * @throws ToolError INVALID_PARAM for an invalid pattern or include, SandboxError, the signal's reason
 */
export async function searchFiles(request: SearchRequest): Promise<Findings> {
  const clock = createClock(request);
  if (request.ripgrepPath === false) return searchWith(request, clock, undefined);
  const command = request.ripgrepPath ?? (await bundledRipgrep());
  if (command === undefined) return searchWith(request, clock, undefined, "rg_not_found");
  try {
    return await withinLimit(clock.signal, () => searchWith(request, clock, command));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return searchWith(request, clock, undefined, error.reason);
  }
}

/** Ends a search: when its time is up, or when its caller gives up. */
function createClock({ signal, maxDurationMs }: SearchRequest) {
  const time = timeout(maxDurationMs);
  return { signal: AbortSignal.any([signal, time]), isTimeUp: () => time.aborted && !signal.aborted };
}

// Each has a process, and up to 64 open files: five hundred calls at once must not have five hundred times as many.
const MAX_RUNNING = 16;
let running = 0;
const waiting = new Set<() => void>();

/** Waits until few enough searches run ripgrep, first come, first served; an abort ends the wait, not the work. */
async function withinLimit<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  await new Promise<void>((resolve) => {
    const start = (): void => {
      waiting.delete(start);
      signal.removeEventListener("abort", start);
      running += 1;
      resolve();
    };
    if (running < MAX_RUNNING || signal.aborted) {
      start();
      return;
    }
    waiting.add(start);
    signal.addEventListener("abort", start, { once: true });
  });
  try {
    return await work();
  } finally {
    running -= 1;
    const [next] = waiting;
    if (running < MAX_RUNNING) next?.();
  }
}

async function searchWith(
  request: SearchRequest,
  clock: ReturnType<typeof createClock>,
  command: string | undefined,
  fallback?: EngineError["reason"],
): Promise<Findings> {
  const { sandbox, params, start, isFile, maxLineChars } = request;
  const query = queryOf(params);
  const countsLines = query.isWhole && !query.isMultiline;
  const page = createPage({ params, maxLineChars, countsLines, pacer: createPacer() });
  const cwd = sandbox.roots[0]?.path.absolute ?? start.absolute;
  const host = command === undefined ? undefined : { command, cwd, signal: clock.signal };
  const engine = await createEngine(query, host, clock.signal);
  const pacer = createPacer(clock.signal);
  const text = { unifyLineEnds: !query.isMultiline };
  const batch = createBatch({ sandbox, engine, page, text, skipsUnreadable: !isFile, pacer });
  const isPageFilling = () => page.passed() * MAX_WALKED >= (params.offset + params.limit + 1) * page.files();
  const listCandidates = host && ((signal: AbortSignal) => listBelow({ ...host, signal }, query, request));
  const options = { ...request, signal: clock.signal, isPageFilling, listCandidates };
  const files = isFile ? undefined : createFiles(options);
  try {
    if (files === undefined) await batch.add(start);
    else await files.each((file) => batch.add(file));
    await batch.finish();
    if (page.found().matches.length === 0) await files?.walkOn();
  } catch (error) {
    if (!clock.isTimeUp() || error instanceof SandboxError) throw error;
  } finally {
    batch.close();
  }
  const passed = files?.passed() ?? NOTHING_PASSED;
  const found = page.found();
  return {
    ...passed,
    ...found,
    searched: found.truncated ? page.files() : Math.max(page.files(), passed.searched),
    skipped: passed.skipped + batch.skipped(),
    timedOut: passed.timedOut || clock.isTimeUp(),
    engine: engine.name,
    fallback,
  };
}

// With as many matches in each file as in those before, the page is full after so many files: faster than to ask
// ripgrep which of all files match.
const MAX_WALKED = 256;

const NOTHING_PASSED: Passed = { hidden: 0, ignored: 0, partNotes: () => [], skipped: 0, searched: 0, timedOut: false };

async function createEngine(query: Query, host: RipgrepHost | undefined, signal: AbortSignal): Promise<Engine> {
  if (host !== undefined) return createRipgrepEngine(host, query);
  // Loaded on use: few need it.
  const { createJavascriptEngine } = await import("./engine/javascript.ts");
  return createJavascriptEngine(query, signal);
}

/** Below the list of several roots ripgrep runs in each of them. */
async function listBelow(host: RipgrepHost, query: Query, { sandbox, start, params }: SearchRequest) {
  const find = ({ absolute }: SafePath) => findCandidates({ ...host, cwd: absolute }, query, params);
  const { root, roots } = sandbox;
  if (roots.length === 1 || start.relative !== root.relative) return find(start);
  let all: Candidates = { paths: [], searched: 0, skipped: 0 };
  for (const { path } of roots) {
    const { paths, searched, skipped } = await find(path);
    all = {
      paths: [...all.paths, ...paths.map((file) => `${path.relative}/${file}`)],
      searched: all.searched === undefined || searched === undefined ? undefined : all.searched + searched,
      skipped: all.skipped + skipped,
    };
  }
  return all;
}

/** A literal with line breaks can only be meant to span lines, whatever ends them. */
function queryOf({
  pattern,
  literal,
  case_sensitive: isCaseSensitive,
  multiline,
  output_mode: mode,
}: GrepParams): Query {
  const isFirstEnough = mode === "files";
  if (!literal) {
    assertGroupsOpened(pattern);
    const isWhole = multiline || hasTextAnchor(pattern);
    return { pattern: escapeStrayBraces(pattern), isCaseSensitive, isMultiline: multiline, isWhole, isFirstEnough };
  }
  const lines = pattern.split(/\r\n|\r|\n/u).map(escapeRegex);
  const isMultiline = multiline || lines.length > 1;
  return { pattern: lines.join(LINE_END), isCaseSensitive, isMultiline, isWhole: isMultiline, isFirstEnough };
}

const LINE_END = String.raw`(?:\r\n|\r|\n)`;

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/gu, String.raw`\$&`);
}
