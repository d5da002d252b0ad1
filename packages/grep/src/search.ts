import { EventEmitter, once } from "node:events";
import { createPacer, SandboxError, type SafePath, type Sandbox } from "@fstools/sandbox";
import { EngineError, type Engine } from "./engine/engine.ts";
import { queryOf, type Query } from "./engine/query.ts";
import { bundledRipgrep } from "./engine/ripgrep/process.ts";
import { createRipgrepEngine, findCandidates, type Candidates } from "./engine/ripgrep/ripgrep.ts";
import { createFiles, timeout, type Passed } from "./files.ts";
import { createPage, type Page, type PageContent } from "./page.ts";
import type { GrepParams } from "./params.ts";
import { openText, type SearchText } from "./text/search-text.ts";

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

/** Searches with ripgrep, or without it where it cannot be run. @throws ToolError INVALID_PARAM, SandboxError, the signal's reason */
export async function searchFiles(request: SearchRequest): Promise<Findings> {
  const time = timeout(request.maxDurationMs);
  const signal = AbortSignal.any([request.signal, time]);
  const isTimeUp = (): boolean => time.aborted && !request.signal.aborted;
  const search = (command?: string, fallback?: EngineError["reason"]) =>
    searchWith({ ...request, signal }, isTimeUp, command, fallback);
  if (request.ripgrepPath === false) return search();
  const command = request.ripgrepPath ?? (await bundledRipgrep());
  if (command === undefined) return search(undefined, "rg_not_found");
  try {
    return await withinLimit(signal, () => search(command));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return search(undefined, error.reason);
  }
}

// Each has a process, and up to 64 open files: five hundred calls at once must not have five hundred times as many.
const MAX_RUNNING = 16;
let running = 0;
const ends = new EventEmitter().setMaxListeners(0);

/** Waits until few enough searches run ripgrep; an abort ends the wait, not the work. */
async function withinLimit<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  while (running >= MAX_RUNNING && !signal.aborted) await once(ends, "search", { signal }).catch(() => undefined);
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    ends.emit("search");
  }
}

// With as many matches in each file as in those before, the page is full after so many files: faster than to ask
// ripgrep which of all files match.
const MAX_WALKED = 256;
const NOTHING_PASSED: Passed = { hidden: 0, ignored: 0, partNotes: () => [], skipped: 0, searched: 0, timedOut: false };

async function searchWith(
  request: SearchRequest,
  isTimeUp: () => boolean,
  command: string | undefined,
  fallback: EngineError["reason"] | undefined,
): Promise<Findings> {
  const { params, start, isFile, maxLineChars, signal } = request;
  const query = queryOf(params);
  const countsLines = query.isWhole && !query.isMultiline;
  const page = createPage({ params, maxLineChars, countsLines, pacer: createPacer() });
  const engine =
    command === undefined
      ? // Loaded on use: few need it.
        (await import("./engine/javascript.ts")).createJavascriptEngine(query, signal)
      : createRipgrepEngine({ command, signal }, query);
  const batch = createBatch(request, engine, page, query);
  const isPageFilling = () => page.passed() * MAX_WALKED >= (params.offset + params.limit + 1) * page.files();
  const listCandidates = command === undefined ? undefined : findBelow(request, command, query);
  const files = isFile ? undefined : createFiles({ ...request, isPageFilling, listCandidates });
  try {
    if (files === undefined) await batch.add(start);
    else await files.each((file) => batch.add(file));
    await batch.finish();
    if (page.found().matches.length === 0) await files?.walkOn();
  } catch (error) {
    if (!isTimeUp() || error instanceof SandboxError) throw error;
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
    timedOut: passed.timedOut || isTimeUp(),
    engine: engine.name,
    fallback,
  };
}

/** Lists the candidates, until a signal is aborted; below the list of several roots ripgrep runs in each of them. */
function findBelow({ sandbox, start, params }: SearchRequest, command: string, query: Query) {
  const { root, roots } = sandbox;
  return async (signal: AbortSignal): Promise<Candidates> => {
    const find = (path: SafePath) => findCandidates({ command, cwd: path.absolute, signal }, query, params);
    if (roots.length === 1 || start.relative !== root.relative) return find(start);
    const all = { paths: new Array<string>(), searched: 0, skipped: 0 };
    for (const { path } of roots.filter((one) => isThere(sandbox, one.path))) {
      const { paths, searched, skipped } = await find(path);
      for (const file of paths) all.paths.push(`${path.relative}/${file}`);
      all.searched += searched;
      all.skipped += skipped;
    }
    return all;
  };
}

function isThere(sandbox: Sandbox, directory: SafePath): boolean {
  try {
    return sandbox.kind(directory) === "directory";
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}

/** Opens files, and has as many of them searched at once as the engine takes; whoever creates it closes it. */
function createBatch({ sandbox, isFile, signal }: SearchRequest, engine: Engine, page: Page, query: Query) {
  const pacer = createPacer(signal);
  let texts: SearchText[] = [];
  let hasSearched = false;
  let skipped = 0;

  /** Takes the next file; false if no more are wanted. */
  async function add(path: SafePath): Promise<boolean> {
    if (pacer.due()) await pacer.rest();
    let text: SearchText;
    try {
      text = openText(sandbox, path, { unifyLineEnds: !query.isMultiline });
    } catch (error) {
      // There may be too many open files.
      const isFull = error instanceof SandboxError && error.reason === "io" && texts.length > 0;
      if (isFull) return (await flush()) && add(path);
      skip(error);
      return true;
    }
    if (!text.isLarge && text.source !== undefined) {
      texts.push(text);
      return texts.length < engine.batchSize || flush();
    }
    // Searched alone; added also where the others cannot be searched, so that it is closed.
    const goesOn = await flush().finally(() => texts.push(text));
    return goesOn && flush();
  }

  async function flush(): Promise<boolean> {
    const batch = texts;
    const [text] = batch;
    if (text === undefined) return true;
    texts = [];
    hasSearched = true;
    try {
      return await engine.search(batch, page);
    } catch (error) {
      if (batch.length > 1 && error instanceof SandboxError) throw new EngineError("rg_failed", error);
      skip(error);
      page.reject(text);
      page.end(text);
      return true;
    } finally {
      page.finish();
      for (const searched of batch) searched.close();
    }
  }

  /** @throws the error itself if the search cannot go on without the file */
  function skip(error: unknown): void {
    if (isFile || !(error instanceof SandboxError)) throw error;
    // One that is gone, or is not a file any more, does not count.
    if (["permission", "io", "unknown"].includes(error.reason)) skipped += 1;
  }

  return {
    add,
    /** Searches what is left; where there was no file at all, makes sure that the pattern is valid. */
    finish: async () => {
      if (page.isFull()) return;
      await flush();
      if (!hasSearched) await engine.search([], page);
    },
    close: () => {
      for (const text of texts) text.close();
    },
    skipped: () => skipped,
  };
}
