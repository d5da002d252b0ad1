import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { createPacer, type Pacer } from "@fstools/sandbox";
import { EngineError, type Engine, type Hit, type HitSink, type Query, type TextFeed, type Wanted } from "./hit.ts";
import { createJsonHits } from "./json-hits.ts";
import { findLineEnd } from "./lines.ts";
import { invalidPattern } from "./dialect.ts";
import {
  baseArguments,
  patternArgument,
  startRipgrep,
  type ProcessEnd,
  type RipgrepHost,
  type RipgrepProcess,
} from "./ripgrep-process.ts";
import { createReturnScanner } from "./return-scanner.ts";
import { createRowReader, type Row } from "./rows.ts";
import type { SearchText } from "./search-text.ts";

/** How many texts, or bytes of texts in memory, may be on their way through ripgrep. */
const MAX_TEXTS_UNDER_WAY = 32;
const MAX_BYTES_UNDER_WAY = 4 * 1024 * 1024;

// ripgrep fills a buffer before it looks at any of it, so padding makes it look at everything before. In short lines,
// because a line that the buffer does not hold makes it three times as large.
const BUFFER_BYTES = 64 * 1024;
const BUFFER_GROWTH = 3;
const PADDING_LINES = 64;
const PADDING = Buffer.from(`${"-".repeat(1023)}\n`.repeat(PADDING_LINES));
const PADDING_INTERVAL_MS = 4;
const MAX_BUFFER_BYTES = 4 * 1024 * 1024;

// Rows of "line:column:offset:", whatever the length of the line.
const ROW_ARGUMENTS = [
  "--no-filename",
  "--line-number",
  "--column",
  "--byte-offset",
  "--no-heading",
  "--max-columns=1",
];

/**
 * ripgrep as an engine: texts go through its standard input, so that it sees the verified bytes and no path, and what
 * it says about them are positions.
 */
export function createRipgrepEngine(host: RipgrepHost, query: Query): Engine {
  let fallback: EngineError["reason"] | undefined;
  const onPanic = (): void => {
    fallback = "rg_failed";
  };
  const isAlone = query.isMultiline || hasTextAnchor(query);
  return {
    name: "ripgrep",
    search: (texts, sink) =>
      isAlone ? searchEach(host, query, texts, sink, onPanic) : searchStream(host, query, texts, sink),
    get fallback() {
      return fallback;
    },
  };
}

/** Anchors at the ends of a text must not see the texts before and after it. */
function hasTextAnchor({ pattern }: Query): boolean {
  return /\\[AzZ]|\(\?[a-z]*-[a-z]*m/iu.test(pattern);
}

/** A text on its way through ripgrep; positions are bytes of the whole stream. */
interface TextUnderWay {
  readonly text: SearchText;
  readonly start: number;
  /** How many lines of padding come right before it. */
  readonly paddingLines: number;
  /** Where the mark after it begins. */
  readonly markAt: number;
}

/**
 * All texts through one process, one after the other. A line of random digits, which is searched for too, marks the
 * end of each: its row says that the text was searched.
 */
async function searchStream(host: RipgrepHost, query: Query, texts: TextFeed, sink: HitSink): Promise<void> {
  const mark = randomBytes(16).toString("hex");
  // Finding texts may need a process too, and that one takes longer.
  const iterator = texts[Symbol.asyncIterator]();
  const first = await iterator.next();
  const process = startRipgrep(
    host,
    [
      ...baseArguments(query),
      ...ROW_ARGUMENTS,
      "--encoding=none",
      "--line-buffered",
      patternArgument(query.pattern),
      patternArgument(mark),
      "-",
    ],
    "pipe",
  );
  const underWay: TextUnderWay[] = [];
  let position = 0;
  /** Where the last text that was searched ends, with its mark. */
  let searchedTo = 0;
  let paddingLines = 0;
  let bufferBytes = BUFFER_BYTES;
  let bytesUnderWay = 0;
  // It accepted the pattern once it has searched a text.
  const state = { isOver: false, wantsNoMore: false, isFed: false, isAccepted: false };
  let wake = (): void => undefined;
  const isCrowded = (): boolean => underWay.length >= MAX_TEXTS_UNDER_WAY || bytesUnderWay > MAX_BYTES_UNDER_WAY;

  async function feed(): Promise<void> {
    for await (const text of resumed(first, iterator)) {
      if (text === "pause") {
        state.isAccepted = true;
        await catchUp();
      } else if (!text.isHeld) {
        await catchUp();
        if (state.isOver) text.close();
        if (state.isOver || !(await searchAlone(text))) return;
      } else {
        if (!(await writeText(text))) return;
        if (isCrowded()) await catchUp();
      }
      if (state.isOver) return;
    }
    state.isFed = true;
    if (state.isAccepted && underWay.length === 0) endNow();
    else process.finish();
  }

  /** Without waiting until the process has ended. */
  function endNow(): void {
    state.wantsNoMore = true;
    process.kill();
  }

  /** A large text is searched on its own, when its turn comes. */
  async function searchAlone(text: SearchText): Promise<boolean> {
    try {
      if ((await searchLarge(host, query, text, sink)) !== false && (await sink.done(text))) return true;
    } finally {
      text.close();
    }
    endNow();
    return false;
  }

  /** Waits until all texts were searched that have been written. */
  async function catchUp(): Promise<void> {
    while (!state.isOver && underWay.length > 0) {
      for (let bytes = 0; bytes < bufferBytes; bytes += PADDING.length) {
        position += PADDING.length;
        paddingLines += PADDING_LINES;
        if (!(await process.write(PADDING))) return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          bufferBytes = Math.min(2 * bufferBytes, MAX_BUFFER_BYTES);
          resolve();
        }, PADDING_INTERVAL_MS);
        wake = () => {
          if (!state.isOver && underWay.length > 0) return;
          clearTimeout(timer);
          resolve();
        };
        wake();
      });
    }
  }

  function writeText(text: SearchText): Promise<boolean> {
    const { bytes } = text;
    bufferBytes = bufferFor(bytes, bufferBytes);
    const written = Buffer.concat([bytes, endOfText(bytes.at(-1) ?? NEWLINE, mark)]);
    const start = position;
    position += written.length;
    underWay.push({ text, start, paddingLines, markAt: position - mark.length - 1 });
    paddingLines = 0;
    bytesUnderWay += bytes.length;
    return process.write(written);
  }

  let markLine = 0;
  async function take(row: Row): Promise<boolean> {
    const [item] = underWay;
    // The pattern may match the padding too. Rows come in order, so whatever is between two texts is padding.
    if (row.lineStart >= searchedTo && row.lineStart < (item?.start ?? position)) return true;
    if (item === undefined || row.lineStart < item.start) throw new EngineError("rg_failed");
    if (row.lineStart < item.markAt) {
      const lineStart = row.lineStart - item.start;
      const line = row.line - markLine - item.paddingLines;
      const wanted = await sink.hit(item.text, { line, lineStart, start: lineStart + row.column - 1 });
      return wanted !== false;
    }
    if (row.lineStart > item.markAt) throw new EngineError("rg_failed");
    markLine = row.line;
    searchedTo = item.markAt + mark.length + 1;
    underWay.shift();
    bytesUnderWay -= item.text.bytes.length;
    item.text.close();
    state.isAccepted = true;
    wake();
    return (await sink.done(item.text)) && (underWay.length > 0 || !state.isFed);
  }

  const feeding = feed().then(
    () => undefined,
    (error: unknown) => {
      process.kill();
      return { error };
    },
  );
  try {
    if ((await readRows(process, createPacer(host.signal), take)) === false) return;
    if (state.wantsNoMore) return;
    const end = await process.ended();
    state.isOver = true;
    wake();
    const failure = await feeding;
    if (failure !== undefined && end.code === null) throw failure.error;
    expectSuccess(end, query, host.signal);
    if (failure !== undefined) throw failure.error;
    // It may have ended before it was given all texts, or even the first.
    if (!state.isFed || underWay.length > 0) throw new EngineError("rg_failed");
  } finally {
    state.isOver = true;
    process.kill();
    wake();
    await feeding;
    for (const { text } of underWay) text.close();
  }
}

async function* resumed<Item>(first: IteratorResult<Item>, rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    for (let item = first; item.done !== true; item = await rest.next()) yield item.value;
  } finally {
    await rest.return?.();
  }
}

const NEWLINE = 0x0a;

/** How large ripgrep's buffer is once these bytes went through it. */
function bufferFor(bytes: Buffer, size: number): number {
  let grown = size;
  for (let lineStart = 0; bytes.length - lineStart >= grown;) {
    const end = bytes.subarray(lineStart, lineStart + grown).lastIndexOf(NEWLINE);
    if (end === -1) grown *= BUFFER_GROWTH;
    else lineStart += end + 1;
  }
  return grown;
}

/** A line end if the last line has none, and the line that marks the end of a text. */
function endOfText(last: number, mark: string): Buffer {
  return Buffer.from(last === NEWLINE ? `${mark}\n` : `\n${mark}\n`);
}

async function readRows(
  process: RipgrepProcess,
  pacer: Pacer,
  take: (row: Row) => Promise<Wanted> | Wanted,
): Promise<Wanted> {
  const reader = createRowReader();
  for await (const chunk of process.output()) {
    for (const row of reader.read(chunk)) {
      const taken = take(row);
      // Of a million rows most are only counted, and a promise each would cost more than the row.
      const wanted = taken instanceof Promise ? await taken : taken;
      if (wanted !== true) return wanted;
      if (pacer.due()) await pacer.rest();
    }
  }
  return true;
}

/** A process for each text, which then sees nothing else. */
async function searchEach(
  host: RipgrepHost,
  query: Query,
  texts: TextFeed,
  sink: HitSink,
  onPanic: () => void,
): Promise<void> {
  // Finds an invalid pattern even if there is no text at all.
  await searchNothing(host, query);
  for await (const text of texts) {
    if (text === "pause") continue;
    try {
      const wanted = await (query.isMultiline
        ? searchSpans(host, query, text, sink, onPanic)
        : searchLines(host, query, text, sink));
      if (wanted === false || !(await sink.done(text))) return;
    } finally {
      text.close();
    }
  }
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
async function searchLarge(host: RipgrepHost, query: Query, text: SearchText, sink: HitSink): Promise<Wanted> {
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
    const { searchSpansFrom } = await import("./javascript.ts");
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

/** @throws ToolError INVALID_PARAM, EngineError, or the signal's reason */
function expectSuccess(end: ProcessEnd, query: Query, signal: AbortSignal): void {
  if (!isSuccess(end, query, signal)) throw new EngineError("rg_failed", end.complaint);
}

/** @throws ToolError INVALID_PARAM, or the signal's reason */
function isSuccess({ code, complaint }: ProcessEnd, query: Query, signal: AbortSignal): boolean {
  signal.throwIfAborted();
  // 0: something was found, 1: nothing.
  if (code === 0 || code === 1) return true;
  const details = patternComplaint(complaint);
  if (details !== undefined) throw invalidPattern(query.pattern, details);
  return false;
}

// What ripgrep 15 says of a pattern, before it looks at any file; the name of a file may say anything. If it says
// something else of one, the other engine does too.
const PATTERN_COMPLAINT =
  /^rg: (?:regex parse error:\n|the literal .* is not allowed in a regex\n|compiled regex exceeds size limit)/u;

/** What ripgrep says about a pattern; undefined if it complains about something else. */
export function patternComplaint(complaint: string): string | undefined {
  if (!PATTERN_COMPLAINT.test(complaint)) return undefined;
  const error = /^error: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
  return error ?? /^rg: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
}
