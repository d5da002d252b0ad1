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

/** How many texts, or bytes of held ones, may be on their way through ripgrep. */
const MAX_TEXTS_UNDER_WAY = 32;
const MAX_BYTES_UNDER_WAY = 4 * 1024 * 1024;

// ripgrep fills a buffer of 64 KiB, or twice its longest line, before it looks at any of it: this much padding makes it
// look at everything before it. In short lines, because a long one would make the buffer grow.
const PADDING_LINES = 64;
const PADDING = Buffer.from(`${"-".repeat(1023)}\n`.repeat(PADDING_LINES));
const PADDING_INTERVAL_MS = 4;
const MAX_PADDINGS = 64;

// Rows of "line:column:offset:", whatever the length of the line.
const ROW_ARGUMENTS = ["--line-number", "--column", "--byte-offset", "--no-heading", "--max-columns=1"];

/**
 * ripgrep as an engine: texts go through its standard input, so that it sees the verified bytes and no path, and what
 * it says about them are positions.
 */
export function createRipgrepEngine(host: RipgrepHost, query: Query): Engine {
  const searchTexts = query.isMultiline || hasTextAnchor(query) ? searchEach : searchStream;
  return { name: "ripgrep", search: (texts, sink) => searchTexts(host, query, texts, sink) };
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
  let paddingStart = 0;
  let paddingLines = 0;
  let paddings = 1;
  let bytesUnderWay = 0;
  const state = { isOver: false, wantsNoMore: false };
  let wake = (): void => undefined;
  const isCrowded = (): boolean => underWay.length >= MAX_TEXTS_UNDER_WAY || bytesUnderWay > MAX_BYTES_UNDER_WAY;

  async function feed(): Promise<void> {
    for await (const text of texts) {
      if (text === "pause") {
        await catchUp();
      } else if (!text.isHeld) {
        await catchUp();
        if (state.isOver || !(await searchAlone(text))) return;
      } else {
        if (!(await writeText(text))) return;
        if (isCrowded()) await catchUp();
      }
      if (state.isOver) return;
    }
    process.finish();
  }

  /** A large text is searched on its own, when its turn comes. */
  async function searchAlone(text: SearchText): Promise<boolean> {
    try {
      if ((await searchLarge(host, query, text, sink)) !== false && (await sink.done(text))) return true;
    } finally {
      text.close();
    }
    state.wantsNoMore = true;
    process.kill();
    return false;
  }

  /** Waits until all texts were searched that have been written. */
  async function catchUp(): Promise<void> {
    while (!state.isOver && underWay.length > 0) {
      if (paddingLines === 0) paddingStart = position;
      for (let count = 0; count < paddings; count += 1) {
        position += PADDING.length;
        paddingLines += PADDING_LINES;
        if (!(await process.write(PADDING))) return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => {
          paddings = Math.min(2 * paddings, MAX_PADDINGS);
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
    // The pattern may match the padding too.
    if (row.lineStart >= paddingStart && row.lineStart < (item?.start ?? position)) return true;
    if (item === undefined || row.lineStart < item.start) throw new EngineError("rg_failed");
    if (row.lineStart < item.markAt) {
      const lineStart = row.lineStart - item.start;
      const line = row.line - markLine - item.paddingLines;
      const wanted = await sink.hit(item.text, { line, lineStart, start: lineStart + row.column - 1 });
      return wanted !== false;
    }
    if (row.lineStart > item.markAt) throw new EngineError("rg_failed");
    markLine = row.line;
    underWay.shift();
    bytesUnderWay -= item.text.bytes.length;
    item.text.close();
    wake();
    return sink.done(item.text);
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
    if (underWay.length > 0) throw new EngineError("rg_failed");
  } finally {
    state.isOver = true;
    process.kill();
    wake();
    await feeding;
    for (const { text } of underWay) text.close();
  }
}

const NEWLINE = 0x0a;

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
async function searchEach(host: RipgrepHost, query: Query, texts: TextFeed, sink: HitSink): Promise<void> {
  // Tells an invalid pattern also where there is no text at all.
  await searchNothing(host, query);
  for await (const text of texts) {
    if (text === "pause") continue;
    try {
      const wanted = await (query.isMultiline ? searchSpans : searchLines)(host, query, text, sink);
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

/**
 * A large text from its own descriptor, as fast as ripgrep reads, while a scanner makes sure that ripgrep's lines are
 * Read's. From the first line on that is not, what is left goes through us.
 */
async function searchLarge(host: RipgrepHost, query: Query, text: SearchText, sink: HitSink): Promise<Wanted> {
  const { file } = text;
  if (file?.descriptor === undefined) return searchLines(host, query, text, sink);
  const pacer = createPacer(host.signal);
  const scanner = createReturnScanner(file, pacer);
  const process = startRipgrep(host, lineArguments(query), file.descriptor);
  const state: { unknownFrom: number | undefined; isScanning: boolean } = { unknownFrom: undefined, isScanning: false };
  // Begins with the first match: without one it would only take time from ripgrep.
  const scan = () => {
    // A caller that waits for it gets what it throws.
    if (!state.isScanning) scanner.run().catch(noop);
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
      return scanner.isClear(hit.start) ? sink.hit(text, hit) : takeDoubtful(hit);
    });
    if (state.unknownFrom === undefined) {
      if (wanted === true) expectSuccess(await process.ended(), query, host.signal);
      return wanted;
    }
  } finally {
    scanner.stop();
    process.kill();
  }
  return searchLines(host, query, text, sink, state.unknownFrom);
}

function lineArguments(query: Query): string[] {
  return [...baseArguments(query), ...ROW_ARGUMENTS, "--encoding=none", patternArgument(query.pattern), "-"];
}

/** Tells of the lines from a position on. */
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

async function searchSpans(host: RipgrepHost, query: Query, text: SearchText, sink: HitSink): Promise<Wanted> {
  const args = [...baseArguments(query), "--json", "--encoding=none", patternArgument(query.pattern), "-"];
  return searchOne(host, query, args, text, async (process) => {
    const reader = createJsonHits();
    const pacer = createPacer(host.signal);
    for await (const chunk of process.output()) {
      for (const { start, end } of reader.read(chunk)) {
        const wanted = await sink.hit(text, { line: undefined, lineStart: undefined, start, end });
        if (wanted !== true) return wanted;
        if (pacer.due()) await pacer.rest();
      }
    }
    return true;
  });
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
  // What it throws is heard of below.
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
    await feeding.catch(noop);
  }
}

function noop(): void {
  // Nothing to do.
}

/** @throws ToolError INVALID_PARAM, EngineError, or the signal's reason */
function expectSuccess({ code, complaint }: ProcessEnd, query: Query, signal: AbortSignal): void {
  signal.throwIfAborted();
  // 0: something was found, 1: nothing.
  if (code === 0 || code === 1) return;
  const details = patternComplaint(complaint);
  throw details === undefined ? new EngineError("rg_failed", complaint) : invalidPattern(query.pattern, details);
}

/** What ripgrep says about a pattern; undefined if it complains about something else. */
export function patternComplaint(complaint: string): string | undefined {
  if (!/^rg: .*(?:regex|pattern)/mu.test(complaint)) return undefined;
  const error = /^error: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
  return error ?? /^rg: (?<details>.+)$/mu.exec(complaint)?.groups?.details;
}
