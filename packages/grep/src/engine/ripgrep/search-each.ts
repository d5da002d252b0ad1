import { createPacer } from "@fstools/sandbox";
import { EngineError, searchTexts, type Hit, type HitSink, type Query, type TextFeed, type Wanted } from "../hit.ts";
import { createJsonHits } from "./json-hits.ts";
import { findLineEnd } from "../lines.ts";
import { createReturnScanner } from "./return-scanner.ts";
import {
  baseArguments,
  expectSuccess,
  isSuccess,
  patternArgument,
  startRipgrep,
  type RipgrepHost,
  type RipgrepProcess,
} from "./process.ts";
import { readRows, ROW_ARGUMENTS } from "./rows.ts";
import type { SearchText } from "../search-text.ts";

/** Searches each text as a whole, with a process of its own that sees nothing else. */
export async function searchEach(
  host: RipgrepHost,
  query: Query,
  texts: TextFeed,
  sink: HitSink,
  onPanic: () => void,
): Promise<void> {
  // Finds an invalid pattern even if there is no text at all.
  await searchNothing(host, query);
  await searchTexts(texts, sink, (text) => searchSpans(host, query, text, sink, onPanic));
}

async function searchNothing(host: RipgrepHost, query: Query): Promise<void> {
  const args = [...baseArguments(query), "--quiet", patternArgument(query.pattern), "-"];
  expectSuccess(await startRipgrep(host, args, "ignore").ended(), query, host.signal);
}

// ripgrep maps a file that it gets by name: a quarter less work than reading its standard input, and no buffer that a
// line of gigabytes makes as large. This name is that of the very file that was verified, wherever its path leads now.
const INPUT_FILE = process.platform === "linux" ? "/proc/self/fd/0" : "-";

/**
 * A large text from its own descriptor, as fast as ripgrep reads, while a scanner makes sure that ripgrep's lines are
 * Read's. From the first line on that is not, what is left goes through us; so does what is left when ripgrep dies, as
 * a file becomes shorter that it has mapped.
 */
export async function searchLarge(host: RipgrepHost, query: Query, text: SearchText, sink: HitSink): Promise<Wanted> {
  const { file } = text;
  if (file?.descriptor === undefined) return searchLines(host, query, text, sink);
  const pacer = createPacer(host.signal);
  const scanner = createReturnScanner(file, pacer);
  const process = startRipgrep(host, lineArguments(query, INPUT_FILE), file.descriptor);
  const state: { unknownFrom: number | undefined; isScanning: boolean } = { unknownFrom: undefined, isScanning: false };
  let knownTo = 0;
  // Begins with the first match: without one it would only take time from ripgrep.
  const scan = () => {
    // A caller that waits for it gets its error.
    if (!state.isScanning) scanner.run().catch(() => undefined);
    state.isScanning = true;
  };
  const takeDoubtful = async (hit: Hit & { lineStart: number }): Promise<Wanted> => {
    const { end } = await findLineEnd(text, hit.start, pacer);
    if (!(await scanner.isFoundBefore(end + 1))) return sink.hit(text, hit);
    state.unknownFrom = hit.lineStart;
    return "next";
  };
  try {
    const wanted = await readRows(process, pacer, ({ line, lineStart, column }) => {
      const hit = { line, lineStart, start: lineStart + column - 1 };
      scan();
      knownTo = lineStart + 1;
      return scanner.isClear(hit.start) ? sink.hit(text, hit) : takeDoubtful(hit);
    });
    if (state.unknownFrom === undefined) {
      if (wanted !== true || isSuccess(await process.ended(), query, host.signal)) return wanted;
      state.unknownFrom = knownTo;
    }
  } finally {
    scanner.stop();
    process.kill();
  }
  return searchLines(host, query, text, sink, state.unknownFrom);
}

function lineArguments(query: Query, input = "-"): string[] {
  return [...baseArguments(query), ...ROW_ARGUMENTS, "--encoding=none", patternArgument(query.pattern), input];
}

/** Reports the lines from a position on. */
async function searchLines(
  host: RipgrepHost,
  query: Query,
  text: SearchText,
  sink: HitSink,
  from = 0,
): Promise<Wanted> {
  return searchOne(host, query, lineArguments(query), text, (process) =>
    readRows(process, createPacer(host.signal), ({ line, lineStart, column }) =>
      lineStart < from ? true : sink.hit(text, { line, lineStart, start: lineStart + column - 1 }),
    ),
  );
}

/**
 * Matches that may span lines. Where one of them begins at the start of a line in which another ends, ripgrep 15 may
 * panic as it prints them; what is left of that text is then searched without it.
 */
async function searchSpans(
  host: RipgrepHost,
  query: Query,
  text: SearchText,
  sink: HitSink,
  onPanic: () => void,
): Promise<Wanted> {
  const args = [...baseArguments(query), "--json", "--encoding=none", patternArgument(query.pattern), "-"];
  let knownTo = 0;
  try {
    return await searchOne(host, query, args, text, async (process) => {
      const reader = createJsonHits();
      const pacer = createPacer(host.signal);
      for await (const chunk of process.output()) {
        for (const { start, end } of reader.read(chunk)) {
          knownTo = end;
          const wanted = await sink.hit(text, { line: undefined, lineStart: undefined, start, end });
          if (wanted !== true) return wanted;
          if (pacer.due()) await pacer.rest();
        }
      }
      return true;
    });
  } catch (error) {
    if (!(error instanceof EngineError) || !isPanic(error.cause)) throw error;
    onPanic();
    const { searchSpansFrom } = await import("../javascript.ts");
    return searchSpansFrom(knownTo, text, query, host.signal, sink);
  }
}

function isPanic(complaint: unknown): boolean {
  return typeof complaint === "string" && /^thread '.*' (?:\(\d+\) )?panicked at /mu.test(complaint);
}

async function searchOne(
  host: RipgrepHost,
  query: Query,
  args: readonly string[],
  text: SearchText,
  read: (process: RipgrepProcess) => Promise<Wanted>,
): Promise<Wanted> {
  const process = startRipgrep(host, args, "pipe");
  const state = { isOver: false };
  const feeding = (async () => {
    for (const piece of text.pieces()) if (state.isOver || !(await process.write(piece))) return;
    process.finish();
  })();
  // Its error is handled below.
  feeding.catch(() => {
    process.kill();
  });
  try {
    const wanted = await read(process);
    if (wanted !== true) return wanted;
    const end = await process.ended();
    await feeding;
    expectSuccess(end, query, host.signal);
    return true;
  } finally {
    state.isOver = true;
    process.kill();
    await feeding.catch(() => undefined);
  }
}
