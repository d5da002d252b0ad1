import { Buffer } from "node:buffer";
import { createCharset, isUtf8Name } from "../encoding/charset.ts";
import { type ByteSource, readFully } from "../bytes/chunks.ts";
import { binaryFile } from "../page/problems.ts";
import { scanDecoded } from "../encoding/scan-decoded.ts";
import { type ScanMeans, scanUtf8 } from "../bytes/scan.ts";
import type { IndexedText } from "./text-index.ts";

/** What is known about a text before it is read. */
export interface TextQuestion {
  /** The caller's spelling of the path, for messages. */
  readonly path: string;
  /** The caller's choice; undefined to test for UTF-8. */
  readonly encoding: string | undefined;
  /** Tried in this order on what is not UTF-8. */
  readonly fallbackEncodings: readonly string[];
}

/** The sizes and helpers of indexing. */
export interface IndexMeans extends ScanMeans {
  readonly blockBytes: number;
}

const HEAD_BYTES = 8192;
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Settles a file's encoding and makes its index.
 * @throws ToolError BINARY_FILE
 */
export async function indexText(source: ByteSource, question: TextQuestion, means: IndexMeans): Promise<IndexedText> {
  const head = readFully(source, Buffer.allocUnsafe(Math.min(HEAD_BYTES, source.size)), 0);
  const { path, encoding } = question;
  if (encoding !== undefined) return indexAs(source, encoding, head, means);
  if (head.includes(0)) throw binaryFile(path, head);
  const startByte = markBytes(head);
  const index = await scanUtf8(source, startByte, means);
  if (index.isFlawless) return { encoding: startByte > 0 ? "utf-8-sig" : "utf-8", index };
  const fallback = await firstFlawless(source, question.fallbackEncodings, head, means);
  return fallback ?? { encoding: "utf-8 (replace)", fallback: "replace", index };
}

async function indexAs(
  source: ByteSource,
  encoding: string,
  head: Uint8Array,
  means: IndexMeans,
  stopAtFlaw = false,
): Promise<IndexedText> {
  if (isUtf8Name(encoding)) return { encoding, index: await scanUtf8(source, markBytes(head), means) };
  const charset = createCharset(encoding, head);
  return { encoding, charset, index: await scanDecoded(source, charset, { ...means, stopAtFlaw }) };
}

async function firstFlawless(
  source: ByteSource,
  encodings: readonly string[],
  head: Uint8Array,
  means: IndexMeans,
): Promise<IndexedText | undefined> {
  for (const encoding of encodings) {
    const text = await indexAs(source, encoding, head, means, true);
    if (text.index.isFlawless) return { ...text, fallback: encoding };
  }
  return undefined;
}

function markBytes(head: Uint8Array): number {
  return BYTE_ORDER_MARK.every((byte, index) => head[index] === byte) ? BYTE_ORDER_MARK.length : 0;
}
