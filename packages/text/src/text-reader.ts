import { type Buffer, isUtf8 } from "node:buffer";
import { createPacer, type Pacer, type SandboxFile } from "@fstools/sandbox";
import type { ByteSource } from "./bytes/chunks.ts";
import { CHUNK_BYTES } from "./bytes/line-counter.ts";
import {
  asReplaced,
  decodeText,
  HEAD_BYTES,
  isFlawless,
  settleEncoding,
  textPieces,
  type EncodingRequest,
  type SettledText,
  type TextEncoding,
} from "./encoding/text-encoding.ts";
import { TextError } from "./error.ts";
import { checkpointBefore, createIndexCache, isUpTo, scanText, seekLine } from "./line-index/scan.ts";
import type { IndexCache, IndexedText, ScanOptions, TextPosition } from "./line-index/scan.ts";
import { createLineCollector, createLineMeter, createPage } from "./lines.ts";
import type { LineRequest, Page, PageRequest, Place } from "./lines.ts";

/** Which page of a text is wanted, and how long that may take. */
export interface ReadRequest extends PageRequest, EncodingRequest {
  /** The most time that counting the lines of a big file may take. */
  readonly maxDurationMs: number;
}

/** A page, and what is known about the text that it comes from. */
export interface TextPage extends Page {
  /** Undefined if there was no time to count them. */
  readonly totalLines: number | undefined;
  /** The length of the line that the next page continues, in code points, if it is known. */
  readonly cutLineLength: number | undefined;
  readonly sizeBytes: number;
  /** The encoding by its name, with how bad bytes were handled. */
  readonly encoding: string;
  /** Set if the file is not the UTF-8 that it should be: "replace", or the encoding that was used instead. */
  readonly fallback: string | undefined;
}

/** The sizes in which files are processed; tests make them tiny to hit every border. */
export interface ReadSizes extends Pick<ScanOptions, "chunkBytes" | "blockBytes" | "checkpointBytes"> {
  /** Up to this size a file is read and decoded at once. */
  readonly smallFileBytes: number;
  /** Above this size an index is kept; files like those of /proc, which change unnoticed, are never larger. */
  readonly indexedFileBytes: number;
}

const KIB = 1024;
const REPLACEMENT = "\ufffd";
const START: Place = { line: 1, column: 1 };

export const DEFAULT_SIZES: ReadSizes = {
  chunkBytes: CHUNK_BYTES,
  blockBytes: 32 * KIB,
  // A chunk minus the beginning of a line: one checkpoint per chunk of ordinary text.
  checkpointBytes: 384 * KIB,
  // Above this, decoding what is not shown costs more than counting its lines as bytes.
  smallFileBytes: 16 * KIB,
  indexedFileBytes: 1024 * KIB,
};

/** Reads pages of text files and remembers where their lines are. */
export type TextReader = ReturnType<typeof createTextReader>;

/** A reader with its own memory of indexes. */
export function createTextReader(sizes: ReadSizes = DEFAULT_SIZES) {
  const cache = createIndexCache(sizes.indexedFileBytes);
  return {
    /** @throws TextError, or the signal's reason */
    read: (file: SandboxFile, request: ReadRequest, signal: AbortSignal): Promise<TextPage> =>
      file.size <= sizes.smallFileBytes
        ? readSmall(file, request)
        : readBig(file, request, createPacer(signal), sizes, cache),
  };
}

async function readSmall(file: SandboxFile, request: ReadRequest): Promise<TextPage> {
  const bytes = file.head(file.size);
  const settled = await settleEncoding(bytes.subarray(0, HEAD_BYTES), request, (encoding) => {
    const text = decodeText(encoding, bytes);
    return { text, isFlawless: isFlawless(encoding, bytes, text) };
  });
  const collect = (wanted: Omit<LineRequest, "from">): number => {
    const lines = createLineCollector({ ...wanted, from: START });
    if (lines.push(settled.found.text)) lines.finish();
    return lines.lines();
  };
  const builder = createPage(request);
  const totalLines = collect({ ...builder, countsOn: true });
  assertLineExists(request.start.line, totalLines);
  const page = builder.finish();
  const line = lineToMeasure(page, request.start);
  const meter = line === undefined ? undefined : createLineMeter(START, line);
  if (meter !== undefined) collect(meter.request);
  return finish(page, request.start, settled, { sizeBytes: bytes.length, totalLines, cutLineLength: meter?.length() });
}

async function readBig(
  file: SandboxFile,
  request: ReadRequest,
  pacer: Pacer,
  sizes: ReadSizes,
  cache: IndexCache,
): Promise<TextPage> {
  const startedAtMs = Date.now();
  const endsAt = performance.now() + request.maxDurationMs;
  const options: ScanOptions = { ...sizes, pacer, isOver: () => performance.now() > endsAt };
  const earlier = cache.get(file, request.encoding);
  const indexed = (encoding: TextEncoding, stopAtFlaw: boolean) => {
    // A scan that ran out of time was never one of an encoding that is only tried.
    return scanText(file, encoding, { ...options, stopAtFlaw }, stopAtFlaw ? undefined : earlier?.found);
  };
  const text = hasPlace(earlier, request.start)
    ? earlier
    : await settleEncoding(file.head(HEAD_BYTES), request, indexed);
  if (text !== earlier) cache.keep(file, request.encoding, text, startedAtMs);
  const { checkpoints, totalLines } = text.found;
  if (totalLines !== undefined) assertLineExists(request.start.line, totalLines);
  if (!hasPlace(text, request.start)) {
    const last = checkpoints.at(-1) ?? checkpoints[0];
    throw new TextError({ reason: "too_slow", scannedLine: last.line, scannedColumn: last.column });
  }
  const builder = createPage(request);
  const from = checkpointBefore(checkpoints, request.start);
  const end = await collectLines(file, text.encoding, { ...builder, from, countsOn: false }, options);
  // A page that reached the end of the file knows its last line, though there was no time to count.
  const counted = totalLines ?? (end.isOver ? end.lines : undefined);
  const page = builder.finish();
  // What no scan has reached is checked only here; a caller who names an encoding gets no warning.
  const isNewlyBad = end.hasBadBytes && text.fallback === undefined && request.encoding === undefined;
  const cutLineLength = await measureLine(file, text, page, request.start, options);
  const measured = { sizeBytes: file.size, totalLines: counted, cutLineLength };
  return finish(page, request.start, isNewlyBad ? asReplaced(text) : text, measured);
}

/** The length of the line to measure, in code points; undefined if there is none, or no time to get to its end. */
async function measureLine(
  file: SandboxFile,
  { encoding, found: { totalLines, checkpoints } }: IndexedText,
  page: Page,
  start: Place,
  options: ScanOptions,
): Promise<number | undefined> {
  const line = lineToMeasure(page, start);
  if (line === undefined) return undefined;
  // An empty page was read up to the end of its line.
  const isReached = page.lines === 0 || totalLines !== undefined || (checkpoints.at(-1)?.line ?? 1) > line;
  if (!isReached) return undefined;
  const meter = createLineMeter(checkpointBefore(checkpoints, { line, column: Infinity }), line);
  await collectLines(file, encoding, meter.request, options);
  return meter.length();
}

/** Whether what is known of a text reaches to a place. */
function hasPlace(text: IndexedText | undefined, place: Place): text is IndexedText {
  return text?.found.totalLines !== undefined || text?.found.checkpoints.some((one) => isUpTo(place, one)) === true;
}

/** Where the lines of a file were left. */
export interface CollectedLines {
  /** Lines up to there. */
  readonly lines: number;
  /** Whether that is the end of the file. */
  readonly isOver: boolean;
  /** Whether bytes were met that are not the UTF-8 that they should be. */
  readonly hasBadBytes: boolean;
  /** Where the first line that was wanted begins, or the last one before it. */
  readonly from: TextPosition;
}

/**
 * Runs the lines of a file through a collector, from a position at or before the ones that are wanted.
 * @throws TextError "changed", or the signal's reason
 */
export async function collectLines(
  source: ByteSource,
  encoding: TextEncoding,
  request: LineRequest & { readonly from: TextPosition },
  { pacer, blockBytes = DEFAULT_SIZES.blockBytes }: Pick<ScanOptions, "pacer"> & Partial<ScanOptions>,
): Promise<CollectedLines> {
  const seekOptions = { pacer, chunkBytes: blockBytes, lineEnds: request.lineEnds ?? "any" };
  const from = encoding.isUtf8 ? await seekLine(source, request.from, request.start.line, seekOptions) : request.from;
  const collector = createLineCollector({ ...request, from });
  let hasBadBytes = false;
  const decode = (bytes: Buffer): string => {
    const text = encoding.decode(bytes);
    // Most text has no U+FFFD, and this test is fast.
    hasBadBytes ||= encoding.isUtf8 && text.includes(REPLACEMENT) && !isUtf8(bytes);
    return text;
  };
  for (const { text } of textPieces(source, { ...encoding, decode }, from.byte, blockBytes)) {
    if (!collector.push(text)) return { lines: collector.lines(), isOver: false, hasBadBytes, from };
    if (pacer.due()) await pacer.rest();
  }
  collector.finish();
  return { lines: collector.lines(), isOver: true, hasBadBytes, from };
}

function assertLineExists(line: number, totalLines: number): void {
  if (line > Math.max(1, totalLines)) throw new TextError({ reason: "line_past_end", totalLines });
}

/** The line whose length the answer gives: one that the page cuts, or one that ends before the page begins. */
function lineToMeasure({ lines, next }: Page, start: Place): number | undefined {
  if (lines === 0) return start.column > 1 ? start.line : undefined;
  return next !== undefined && next.column > 1 ? next.line : undefined;
}

function finish(
  page: Page,
  start: Place,
  { encodingName, fallback }: SettledText<unknown>,
  measured: Pick<TextPage, "sizeBytes" | "totalLines" | "cutLineLength">,
): TextPage {
  if (page.lines === 0) {
    if (start.column > 1) throw new TextError({ reason: "column_past_end", lineLength: measured.cutLineLength ?? 0 });
    if (measured.totalLines !== 0) throw new TextError({ reason: "changed" });
  }
  return { ...page, ...measured, encoding: encodingName, fallback };
}
