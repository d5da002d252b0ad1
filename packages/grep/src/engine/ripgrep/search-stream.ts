import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { createPacer } from "@fstools/sandbox";
import { EngineError, type HitSink, type Query, type TextFeed } from "../hit.ts";
import { baseArguments, expectSuccess, patternArgument, startRipgrep, type RipgrepHost } from "./process.ts";
import { searchLarge } from "./search-each.ts";
import { readRows, ROW_ARGUMENTS, type Row } from "./rows.ts";
import type { SearchText } from "../search-text.ts";

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
export async function searchStream(host: RipgrepHost, query: Query, texts: TextFeed, sink: HitSink): Promise<void> {
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
