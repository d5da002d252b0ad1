import { Buffer } from "node:buffer";
import { createPacer, type SandboxFile } from "@fstools/sandbox";
import { type ByteSource, readFully } from "../bytes/chunks.ts";
import { decodedPieces, utf8Pieces } from "../encoding/decode.ts";
import { createIndexCache } from "../line-index/index-cache.ts";
import { type IndexMeans, indexText, type TextQuestion } from "../line-index/index-text.ts";
import { createPlainLineCounter, sharedLineCounter } from "../bytes/line-counter.ts";
import { createPageBuilder, type PageRequest, type ShortLine } from "./page-builder.ts";
import type { Page } from "./page.ts";
import { columnOutOfRange, fileChanged, lineOutOfRange } from "./problems.ts";
import { seekLine } from "../bytes/scan.ts";
import { DEFAULT_SIZES, type ReadSizes } from "./sizes.ts";
import type { IndexedText } from "../line-index/text-index.ts";

/** A page and what is known about the text it comes from. */
export interface Reading {
  readonly page: Page;
  readonly text: IndexedText;
}

/** Reads pages of text files and remembers where their lines are. */
export interface TextReader {
  /** @throws ToolError, FileShrankError, or the signal's reason */
  read(file: SandboxFile, question: TextQuestion, request: PageRequest, signal: AbortSignal): Promise<Reading>;
}

const EMPTY_PAGE: Page = { content: "", lines: 0, chars: 0, next: undefined };

/** A reader with its own memory of indexes. */
export function createTextReader(sizes: ReadSizes = DEFAULT_SIZES): TextReader {
  const cache = createIndexCache(sizes.indexedFileBytes);
  return {
    read: async (file, question, request, signal) => {
      const startedAtMs = Date.now();
      const isSmall = file.size <= sizes.smallFileBytes;
      const source = isSmall ? heldInMemory(file) : file;
      const counter = isSmall ? createPlainLineCounter(file.size) : sharedLineCounter();
      const means = { ...sizes, counter, pacer: createPacer(signal) };
      const known = cache.get(file, question.encoding);
      const text = known ?? (await indexText(source, question, means));
      if (known === undefined) cache.keep(file, question.encoding, text, startedAtMs);
      return { text, page: await readPage(source, question.path, text, request, means) };
    },
  };
}

function heldInMemory(file: ByteSource): ByteSource {
  const bytes = readFully(file, Buffer.allocUnsafe(file.size), 0);
  return { size: file.size, read: (target, position) => bytes.copy(target, 0, position) };
}

async function readPage(
  source: ByteSource,
  path: string,
  text: IndexedText,
  request: PageRequest,
  means: IndexMeans,
): Promise<Page> {
  const { line, column } = request.start;
  const { totalLines } = text.index;
  if (line > Math.max(1, totalLines)) throw lineOutOfRange(line, totalLines, request.limit);
  const page = totalLines === 0 ? emptyPage(column) : await buildPage(source, text, request, means);
  if ("lineLength" in page) throw columnOutOfRange(column, line, page.lineLength);
  if (totalLines > 0 && page.lines === 0) throw fileChanged(path);
  return page;
}

function emptyPage(startColumn: number): Page | ShortLine {
  return startColumn > 1 ? { lineLength: 0 } : EMPTY_PAGE;
}

async function buildPage(
  source: ByteSource,
  text: IndexedText,
  request: PageRequest,
  means: IndexMeans,
): Promise<Page | ShortLine> {
  const { blockBytes, pacer } = means;
  const { charset, index } = text;
  const checkpoint = index.checkpoints.before(request.start.line, request.start.column);
  const from =
    charset === undefined
      ? await seekLine(source, checkpoint, request.start.line, { ...means, chunkBytes: blockBytes })
      : checkpoint;
  const pieces =
    charset === undefined
      ? utf8Pieces(source, from.byte, blockBytes)
      : decodedPieces(source, charset, from.byte, blockBytes);
  const builder = createPageBuilder(request, from, index.totalLines);
  for (const piece of pieces) {
    if (!builder.push(piece.text)) break;
    if (pacer.due()) await pacer.rest();
  }
  return builder.finish();
}
