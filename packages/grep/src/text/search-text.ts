import { Buffer } from "node:buffer";
import { once } from "@fstools/protocol";
import * as disk from "@fstools/sandbox";
import { HEAD_BYTES, isBinary, isUtf16, markedEncoding } from "@fstools/text";

/** The text of a verified file, as UTF-8 without a byte order mark; what is reported comes from here, and from nowhere else. */
export interface SearchText {
  readonly path: disk.SafePath;
  readonly version: disk.FileVersion;
  /** A NUL in its first 8 KB, and no mark of UTF-16, say that it is not text. */
  readonly isBinary: boolean;
  /** Too large for memory: it is read piece by piece, whenever it is asked for. */
  readonly isLarge: boolean;
  /** How another program opens this very file: its descriptor, or its path; undefined if it has to be told the text. */
  readonly source: number | string | undefined;
  /** The text from its beginning, piece by piece. */
  pieces(): Generator<Buffer>;
  /** The bytes from one position up to another, or to the end if that comes first. */
  slice(from: number, to: number): Buffer;
  /** Whether the text is what the file has from its beginning, after a mark, to the end of the line of a position. */
  isVerbatim(position: number, pacer: disk.Pacer): Promise<boolean>;
  /** Whether the file is still in the state that was opened; always true once its text is in memory. */
  isUnchanged(): boolean;
  close(): void;
}

// Up to this size a text is held in memory: nothing that happens to the file later changes it.
const HELD_BYTES = 1024 * 1024;
// UTF-16 is held as it is decoded, up to this size.
const MAX_WIDE_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** Opens a file for searching; the caller closes it. @throws SandboxError */
export function openText(
  sandbox: disk.Sandbox,
  path: disk.SafePath,
  /** Every line end is made one that engines know: a lone "\r" becomes "\n". Off where matches may span lines. */
  { unifyLineEnds }: Pick<RawText, "unifyLineEnds">,
): SearchText {
  const file = sandbox.open(path);
  try {
    const head = readAt(file, 0, Math.min(file.size, HEAD_BYTES));
    const encoding = markedEncoding(head);
    const isWide = isUtf16(encoding);
    if (isWide && file.size > MAX_WIDE_BYTES)
      throw new disk.SandboxError({ reason: "io", path: path.relative, osError: "EFBIG: file too large" });
    const isLarge = file.size > HELD_BYTES && !isWide;
    const hasDescriptors = sandbox.verification === "descriptor";
    const content = (isLarge ? largeText : heldText)({
      file,
      markBytes: isWide ? 2 : encoding === "utf-8-sig" ? 3 : 0,
      toUtf8: isWide ? (bytes) => decodeWide(bytes, encoding) : undefined,
      unifyLineEnds,
      // Where a descriptor does not tell where it leads, the path is asked again.
      isUnchanged: () => {
        const now = hasDescriptors ? file.version : versionNow(sandbox, path);
        return file.isUnchanged() && now !== undefined && disk.isSameVersion(now, file.version);
      },
    });
    return {
      path,
      version: file.version,
      isBinary: isBinary(head),
      isLarge,
      source: hasDescriptors || file.descriptor === undefined ? file.descriptor : path.absolute,
      ...content,
      *pieces() {
        for (let from = 0, isLast = false; !isLast; from += PIECE_BYTES) {
          const piece = content.slice(from, from + PIECE_BYTES);
          isLast = piece.length < PIECE_BYTES;
          yield piece;
        }
      },
      close: () => {
        file.close();
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A file, and how its bytes become the text. */
interface RawText {
  readonly file: disk.SandboxFile;
  readonly unifyLineEnds: boolean;
  readonly markBytes: number;
  readonly toUtf8: ((bytes: Buffer) => Buffer) | undefined;
  readonly isUnchanged: () => boolean;
}

type Content = Pick<SearchText, "slice" | "isVerbatim" | "isUnchanged">;

function heldText({ file, markBytes, toUtf8, unifyLineEnds, isUnchanged }: RawText): Content {
  const load = once(() => {
    const raw = readAt(file, 0, file.size).subarray(markBytes);
    const bytes = toUtf8?.(raw) ?? raw;
    const isUnified = unifyLineEnds && unify(bytes, undefined);
    return { bytes, isVerbatim: toUtf8 === undefined && !isUnified && isUnchanged() };
  });
  return {
    slice: (from, to) => load().bytes.subarray(from, to),
    isVerbatim: () => Promise.resolve(load().isVerbatim),
    isUnchanged: () => true,
  };
}

/** A position in a large text is one in the file, less the mark. */
function largeText({ file, markBytes, unifyLineEnds, isUnchanged }: RawText): Content {
  const size = file.size - markBytes;
  let verbatimTo = 0;
  let scannedTo = 0;
  let hasLoneReturn = false;

  function read(from: number, to: number): { readonly bytes: Buffer; readonly isUnified: boolean } {
    const end = Math.min(to, size);
    // One byte more tells whether a "\r" at the end is the first half of a line end.
    const raw = readAt(file, markBytes + from, Math.min(end + 1, size) - from);
    const bytes = raw.subarray(0, end - from);
    return { bytes, isUnified: unifyLineEnds && unify(bytes, raw[end - from]) };
  }

  return {
    slice: (from, to) => read(Math.min(from, size), to).bytes,
    isVerbatim: async (position, pacer) => {
      while (unifyLineEnds && position >= verbatimTo && scannedTo < size && !hasLoneReturn) {
        const { bytes, isUnified } = read(scannedTo, scannedTo + PIECE_BYTES);
        hasLoneReturn = isUnified;
        if (!isUnified) verbatimTo = Math.max(verbatimTo, scannedTo + bytes.lastIndexOf(NEWLINE) + 1);
        scannedTo = bytes.length === 0 ? size : scannedTo + bytes.length;
        if (pacer.due()) await pacer.rest();
      }
      return !hasLoneReturn || position < verbatimTo;
    },
    isUnchanged,
  };
}

function decodeWide(bytes: Buffer, encoding: "utf-16le" | "utf-16be"): Buffer {
  // Not every Node has ICU's big-endian decoder, but each can swap bytes.
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const units = encoding === "utf-16be" ? even.swap16() : even;
  // Through a string, so that lone halves of a pair become U+FFFD.
  return Buffer.from(units.toString("utf16le"), "utf8");
}

/** Makes each lone "\r" a "\n", in place, and tells whether there is one; `following` is the byte after the last one. */
function unify(bytes: Buffer, following: number | undefined): boolean {
  let hasLoneReturn = false;
  for (let at = bytes.indexOf(RETURN); at !== -1; at = bytes.indexOf(RETURN, at + 1)) {
    const next = at + 1 < bytes.length ? bytes[at + 1] : following;
    if (next === NEWLINE) continue;
    bytes[at] = NEWLINE;
    hasLoneReturn = true;
  }
  return hasLoneReturn;
}

/** Reads this many bytes, or fewer if the file became shorter. */
function readAt(file: disk.SandboxFile, position: number, length: number): Buffer {
  const target = Buffer.allocUnsafe(Math.max(0, length));
  return target.subarray(0, file.read(target, position));
}

/** The state that a file is in; undefined if it cannot be opened. */
export function versionNow(sandbox: disk.Sandbox, path: disk.SafePath): disk.FileVersion | undefined {
  try {
    const file = sandbox.open(path);
    file.close();
    return file.version;
  } catch (error) {
    if (error instanceof disk.SandboxError) return undefined;
    throw error;
  }
}
