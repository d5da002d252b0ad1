import { isHighSurrogate, isLowSurrogate } from "@fstools/protocol";
import { Buffer } from "node:buffer";
import { isSameVersion, type FileVersion, type SafePath, type Sandbox, type SandboxFile } from "@fstools/sandbox";
import { HEAD_BYTES, isBinary, markedEncoding } from "@fstools/text";

/** How the text of a file is made ready for an engine. */
export interface TextOptions {
  /** Every line end is made one that engines know: a lone "\r" becomes "\n". Off where matches may span lines. */
  readonly unifyLineEnds: boolean;
}

/**
 * The text of a file that a verified descriptor leads to, as UTF-8 without a byte order mark. What an engine searches
 * and what is reported come from here, and from nowhere else.
 */
export interface SearchText {
  readonly path: SafePath;
  readonly version: FileVersion;
  /** A NUL in its first 8 KB, and no mark of UTF-16, say that it is not text. */
  readonly isBinary: boolean;
  /** Whether all of it is in memory. */
  readonly isHeld: boolean;
  /** The bytes of a held text. */
  readonly bytes: Buffer;
  /** The file itself, if the text is large and its bytes are the file's, except for lone "\r". */
  readonly file: SandboxFile | undefined;
  /** The text from its beginning, piece by piece; a piece is valid until the next one. */
  pieces(): Generator<Buffer>;
  /** The bytes from one position up to another, or to the end if that comes first. */
  slice(from: number, to: number): Buffer;
  /** Whether the file that the path leads to is still in the state that was searched. */
  isUnchanged(): boolean;
  close(): void;
}

/** Up to this size a text is held in memory: one read, and nothing that happens to the file changes it. */
const HELD_BYTES = 1024 * 1024;

const PIECE_BYTES = 256 * 1024;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

/**
 * Opens a file for searching; the caller closes it.
 * @throws SandboxError
 */
export function openText(sandbox: Sandbox, path: SafePath, options: TextOptions): SearchText {
  const file = sandbox.open(path);
  try {
    const head = readAt(file, 0, Math.min(file.size, file.size <= HELD_BYTES ? HELD_BYTES : HEAD_BYTES));
    const source = sourceOf(file, head, encodingOf(head), options);
    return {
      path,
      version: file.version,
      isBinary: isBinary(head.subarray(0, HEAD_BYTES)),
      ...source,
      isUnchanged: () => source.isHeld || isStill(sandbox, path, file.version),
      close: () => {
        file.close();
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

type Encoding = "utf-8" | "utf-8-sig" | "utf-16le" | "utf-16be";

type Source = Pick<SearchText, "isHeld" | "bytes" | "file" | "pieces" | "slice">;

function encodingOf(head: Buffer): Encoding {
  const marked = markedEncoding(head);
  return marked === "utf-16le" || marked === "utf-16be" || marked === "utf-8-sig" ? marked : "utf-8";
}

function sourceOf(file: SandboxFile, head: Buffer, encoding: Encoding, options: TextOptions): Source {
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  if (file.size <= HELD_BYTES) {
    const bytes = isWide ? decodeWide(head.subarray(2), encoding) : head.subarray(encoding === "utf-8" ? 0 : 3);
    return heldSource(options.unifyLineEnds ? unifyLineEnds(bytes, undefined) : bytes);
  }
  if (isWide) return wideSource(file, encoding, options);
  return plainSource(file, encoding === "utf-8" ? 0 : 3, options);
}

function heldSource(bytes: Buffer): Source {
  return {
    isHeld: true,
    bytes,
    file: undefined,
    *pieces() {
      yield bytes;
    },
    slice: (from, to) => bytes.subarray(from, to),
  };
}

/** A large text in UTF-8: a position in it is one in the file, less the mark. */
function plainSource(file: SandboxFile, markBytes: number, options: TextOptions): Source {
  const size = file.size - markBytes;
  const slice = (from: number, to: number): Buffer => {
    const end = Math.min(to, size);
    if (end <= from) return Buffer.alloc(0);
    if (!options.unifyLineEnds) return readAt(file, markBytes + from, end - from);
    // One byte more tells whether a "\r" at the end is the first half of a line end.
    const read = readAt(file, markBytes + from, Math.min(end + 1, size) - from);
    return unifyLineEnds(read.subarray(0, end - from), read[end - from]);
  };
  return {
    isHeld: false,
    bytes: Buffer.alloc(0),
    file: markBytes === 0 ? file : undefined,
    pieces: () => piecesOf(slice),
    slice,
  };
}

function* piecesOf(slice: (from: number, to: number) => Buffer): Generator<Buffer> {
  for (let from = 0; ; from += PIECE_BYTES) {
    const piece = slice(from, from + PIECE_BYTES);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE_BYTES) return;
  }
}

/** A large text in UTF-16: where each piece begins in the decoded text is known once it has been passed. */
function wideSource(file: SandboxFile, encoding: "utf-16le" | "utf-16be", options: TextOptions): Source {
  const starts = [0];
  const decode = (index: number): Buffer => {
    const from = 2 + index * PIECE_BYTES;
    // A pair, or "\r\n", that lies across the border belongs to the piece in which it begins.
    const units = readAt(file, from, Math.min(PIECE_BYTES + 2, file.size - from));
    const first = from === 2 ? 0 : unitAt(readAt(file, from - 2, 2), 0, encoding);
    const skipped = isHighSurrogate(first) && isLowSurrogate(unitAt(units, 0, encoding)) ? 2 : 0;
    const last = unitAt(units, PIECE_BYTES - 2, encoding);
    const next = unitAt(units, PIECE_BYTES, encoding);
    const end = isHighSurrogate(last) && isLowSurrogate(next) ? PIECE_BYTES + 2 : PIECE_BYTES;
    const bytes = decodeWide(units.subarray(skipped, end), encoding);
    return options.unifyLineEnds ? unifyLineEnds(bytes, next === NEWLINE ? NEWLINE : undefined) : bytes;
  };
  const count = Math.ceil((file.size - 2) / PIECE_BYTES);
  const piece = (index: number): Buffer => {
    const bytes = index < count ? decode(index) : Buffer.alloc(0);
    starts[index + 1] = (starts[index] ?? 0) + bytes.length;
    return bytes;
  };
  return {
    isHeld: false,
    bytes: Buffer.alloc(0),
    file: undefined,
    *pieces() {
      for (let index = 0; index < count; index += 1) yield piece(index);
    },
    slice: (from, to) => {
      let index = 0;
      while (index < count && (starts[index + 1] ?? (piece(index), starts[index + 1] ?? 0)) <= from) index += 1;
      const parts: Buffer[] = [];
      for (let at = from; at < to && index < count; index += 1) {
        const start = starts[index] ?? 0;
        const part = piece(index).subarray(at - start, to - start);
        parts.push(part);
        at += part.length;
      }
      return Buffer.concat(parts);
    },
  };
}

function unitAt(bytes: Buffer, offset: number, encoding: Encoding): number {
  if (offset < 0 || offset + 2 > bytes.length) return 0;
  return encoding === "utf-16be" ? bytes.readUInt16BE(offset) : bytes.readUInt16LE(offset);
}

function decodeWide(bytes: Buffer, encoding: Encoding): Buffer {
  // Not every Node has ICU's big-endian decoder, but each can swap bytes.
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const units = encoding === "utf-16be" ? Buffer.from(even).swap16() : even;
  // Through a string, so that lone halves of a pair become U+FFFD.
  return Buffer.from(units.toString("utf16le"), "utf8");
}

/** Makes each lone "\r" a "\n", in place; `following` is the byte after the last one. */
function unifyLineEnds(bytes: Buffer, following: number | undefined): Buffer {
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    const next = at + 1 < bytes.length ? bytes[at + 1] : following;
    if (next !== NEWLINE) bytes[at] = NEWLINE;
  }
  return bytes;
}

/** Reads this many bytes, or fewer if the file became shorter. */
function readAt(file: SandboxFile, position: number, length: number): Buffer {
  const target = Buffer.allocUnsafe(Math.max(0, length));
  return target.subarray(0, file.read(target, position));
}

function isStill(sandbox: Sandbox, path: SafePath, version: FileVersion): boolean {
  const file = sandbox.open(path);
  try {
    return isSameVersion(file.version, version);
  } finally {
    file.close();
  }
}
