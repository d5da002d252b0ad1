import { createPacer, SandboxError, type SafePath, type Sandbox } from "@fstools/sandbox";
import type { ListFiles } from "./candidates.ts";
import { escapeStrayBraces, hasTextAnchor } from "./engine/dialect.ts";
import { startClock, type Clock } from "./engine/clock.ts";
import { EngineError, type Engine, type Query } from "./engine/hit.ts";
import { firstInLine } from "./engine/first-in-line.ts";
import { bundledRipgrep } from "./engine/ripgrep/bundled.ts";
import type { RipgrepHost } from "./engine/ripgrep/process.ts";
import { createPage, type Page } from "./page.ts";
import type { GrepParams } from "./params.ts";
import { createTextSource, type Passed } from "./text-source.ts";
import { createTurns } from "./turns.ts";

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
export interface Findings extends Passed {
  readonly page: Page;
  readonly engine: Engine["name"];
  /** Why ripgrep did not search everything, if that is not the host's own choice. */
  readonly fallback: EngineError["reason"] | undefined;
}

/**
 * Searches with ripgrep, or without it where it cannot be run.
 * @throws ToolError INVALID_PARAM for an invalid pattern or include, SandboxError, the signal's reason
 */
export async function searchFiles(request: SearchRequest): Promise<Findings> {
  const clock = startClock(request.signal, request.maxDurationMs);
  try {
    if (request.ripgrepPath === false) return await searchWith(request, clock, undefined, undefined);
    const command = request.ripgrepPath ?? (await bundledRipgrep());
    if (command === undefined) return await searchWith(request, clock, undefined, "rg_not_found");
    try {
      return await searchInTurn(request, clock, command);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return await searchWith(request, clock, undefined, error.reason);
    }
  } finally {
    clock.stop();
  }
}

// Each has a process or two: five hundred calls at once must not start a thousand.
const inTurn = createTurns({ maxRunning: 8, maxLong: 8, longAfterMs: 200 });

/** Waits until few enough searches run ripgrep; the time counts. */
async function searchInTurn(request: SearchRequest, clock: Clock, command: string): Promise<Findings> {
  return inTurn(clock.signal, async () => {
    const pacer = createPacer();
    // Starting a process takes a good part of a slice.
    if (pacer.due()) await pacer.rest();
    return searchWith(request, clock, command, undefined);
  });
}

async function searchWith(
  request: SearchRequest,
  clock: Clock,
  command: string | undefined,
  fallback: EngineError["reason"] | undefined,
): Promise<Findings> {
  const { sandbox, params, start, maxDurationMs } = request;
  const query = queryOf(params);
  const page = createPage(params, request.maxLineChars, createPacer());
  const host: RipgrepHost | undefined =
    command === undefined ? undefined : { command, cwd: sandbox.root.absolute, signal: clock.signal };
  const { engine, list } = await loadEngine(query, host, clock, start);
  const source = createTextSource({ sandbox, start, params, query, list, clock, maxDurationMs });
  let passed: Promise<Passed>;
  try {
    const sink = query.isWhole && !query.isMultiline ? firstInLine(page, createPacer(clock.signal)) : page;
    await engine.search(request.isFile ? source.file() : source.directory(), sink);
    if (page.matches.length === 0 && !request.isFile) await source.walkOn();
  } catch (error) {
    if (clock.reason() !== "time_limit" || error instanceof SandboxError) throw error;
  } finally {
    // Also where the search failed, so that no walk goes on.
    passed = source.end();
    passed.catch(() => undefined);
  }
  page.finish();
  const { searched, timedOut, ...rest } = await passed;
  return {
    ...rest,
    page,
    searched: request.isFile || page.truncated ? page.files : Math.max(page.files, searched),
    timedOut: timedOut || clock.reason() === "time_limit",
    engine: engine.name,
    fallback: fallback ?? engine.fallback,
  };
}

/** Loaded on use, and only the one that is used: importing the package costs no more than it has to. */
async function loadEngine(
  query: Query,
  host: RipgrepHost | undefined,
  clock: Clock,
  start: SafePath,
): Promise<{ engine: Engine; list: ListFiles | undefined }> {
  if (host === undefined) {
    const { createJavascriptEngine } = await import("./engine/javascript.ts");
    return { engine: createJavascriptEngine(query, clock.signal), list: undefined };
  }
  const { createRipgrepEngine } = await import("./engine/ripgrep/engine.ts");
  const { filesWithMatches } = await import("./engine/ripgrep/files-with-matches.ts");
  return {
    engine: createRipgrepEngine(host, query),
    list: (options, signal) => filesWithMatches({ ...host, cwd: start.absolute, signal }, query, options),
  };
}

/** A literal with line breaks can only be meant to span lines, whatever ends them. */
function queryOf({ pattern, literal, case_sensitive: isCaseSensitive, multiline }: GrepParams): Query {
  if (!literal) {
    const isWhole = multiline || hasTextAnchor(pattern);
    return { pattern: escapeStrayBraces(pattern), isCaseSensitive, isMultiline: multiline, isWhole };
  }
  const lines = pattern.split(/\r\n|\r|\n/u).map(escapeRegex);
  const isMultiline = multiline || lines.length > 1;
  return { pattern: lines.join(LINE_END), isCaseSensitive, isMultiline, isWhole: isMultiline };
}

const LINE_END = String.raw`(?:\r\n|\r|\n)`;

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$#&~-]/gu, String.raw`\$&`);
}
