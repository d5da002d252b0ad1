const encoder = new TextEncoder();
// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const SLICE_UNITS = 1 << 20;

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  // One reused buffer: fresh memory costs more than the encoding.
  const buffer = new Uint8Array(3 * Math.min(text.length, SLICE_UNITS));
  let bytes = 0;
  for (const slice of slices(text)) bytes += encoder.encodeInto(slice, buffer).written;
  return bytes;
}

/** A text on its way out as UTF-8; its bytes are counted as they go, so that nothing is encoded twice. */
export interface Utf8Stream {
  /** Made one by one, of about 1 MiB each, every one ending with a whole character. */
  readonly chunks: Iterable<Uint8Array>;
  /** The bytes of the whole text, also of chunks that nobody took. */
  readonly totalBytes: () => number;
}

/** Starts to encode a text. */
export function utf8Stream(text: string): Utf8Stream {
  let countedUnits = 0;
  let countedBytes = 0;
  function* encode(): Generator<Uint8Array, void, undefined> {
    let position = 0;
    for (const slice of slices(text)) {
      const chunk = encoder.encode(slice);
      // Who goes through the chunks a second time adds nothing.
      if (position === countedUnits) {
        countedUnits += slice.length;
        countedBytes += chunk.length;
      }
      position += slice.length;
      yield chunk;
    }
  }
  return {
    chunks: { [Symbol.iterator]: encode },
    totalBytes: () => countedBytes + utf8Length(text.slice(countedUnits)),
  };
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

function* slices(text: string): Generator<string, void, undefined> {
  let start = 0;
  while (start < text.length) {
    let end = start + SLICE_UNITS;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
