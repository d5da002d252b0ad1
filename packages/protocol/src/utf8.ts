const encoder = new TextEncoder();
// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const CHUNK_BYTES = 1 << 20;
const SLICE_UNITS = 1 << 16;

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return utf8LengthOf(slices(text, SLICE_UNITS));
}

/** A text that is being encoded as UTF-8; its bytes are counted on the way, so that nothing is encoded twice. */
export interface Utf8Stream {
  /** Made one by one, about 1 MiB each; every chunk ends with a whole character. */
  readonly chunks: Iterable<Uint8Array>;
  /** The bytes of the whole text, whether or not all chunks were taken. */
  readonly totalBytes: () => number;
}

/** Encodes a text that comes in pieces of whole characters. */
export function utf8Stream(pieces: () => Iterable<string>): Utf8Stream {
  let total: number | undefined;
  function* encode(): Generator<Uint8Array, void, undefined> {
    let bytes = 0;
    for (const chunk of encodeAll(pieces())) {
      bytes += chunk.length;
      yield chunk;
    }
    total = bytes;
  }
  return {
    chunks: { [Symbol.iterator]: encode },
    totalBytes: () => (total ??= utf8LengthOf(pieces())),
  };
}

/** The number of bytes of all pieces, encoded into one reused buffer: fresh memory costs more than the encoding. */
export function utf8LengthOf(pieces: Iterable<string>): number {
  let buffer = new Uint8Array(0);
  let bytes = 0;
  for (const piece of pieces) {
    if (buffer.length < 3 * piece.length) buffer = new Uint8Array(3 * piece.length);
    bytes += encoder.encodeInto(piece, buffer).written;
  }
  return bytes;
}

function* encodeAll(pieces: Iterable<string>): Generator<Uint8Array, void, undefined> {
  let chunk = new Uint8Array(CHUNK_BYTES);
  let used = 0;
  for (const piece of pieces) {
    for (let rest = piece; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, chunk.subarray(used));
      used += written;
      rest = rest.slice(read);
      if (rest === "") continue;
      yield chunk.subarray(0, used);
      chunk = new Uint8Array(CHUNK_BYTES);
      used = 0;
    }
  }
  // A copy, so that a short text does not keep the whole chunk alive.
  if (used > 0) yield chunk.slice(0, used);
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function headUnits(text: string, maxBytes: number): number {
  return encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, 3 * text.length))).read;
}

/** The longest end of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function tailUnits(text: string, maxBytes: number): number {
  const bytes = encoder.encode(text);
  let start = Math.max(0, bytes.length - maxBytes);
  while (isContinuation(bytes[start])) start += 1;
  return decoder.decode(bytes.subarray(start)).length;
}

/** A text in slices of whole characters, each of at most this many UTF-16 units. */
export function* slices(text: string, maxUnits: number): Generator<string, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = startOfCharacter(text, start + maxUnits);
    yield text.slice(start, end);
    start = end;
  }
}

/** The given position, or the one before it if it would split a surrogate pair; never outside the text. */
export function startOfCharacter(text: string, position: number): number {
  if (position <= 0) return 0;
  if (position >= text.length) return text.length;
  const isSplit = isHighSurrogate(text.charCodeAt(position - 1)) && isLowSurrogate(text.charCodeAt(position));
  return isSplit ? position - 1 : position;
}

/** Whether a UTF-16 unit is the first half of a pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether a UTF-16 unit is the second half of a pair. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
