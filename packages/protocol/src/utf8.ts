const encoder = new TextEncoder();
// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const CHUNK_UNITS = 1 << 20;

/** A text in UTF-8, in chunks of whole characters of at most 3 MiB, made one by one. */
export function* utf8Chunks(text: string): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < text.length;) {
    const end = startOfCharacter(text, start + CHUNK_UNITS);
    yield encoder.encode(text.slice(start, end));
    start = end;
  }
}

/** The number of bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const chunk of utf8Chunks(text)) bytes += chunk.length;
  return bytes;
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function headUnits(text: string, maxBytes: number): number {
  return encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, 3 * text.length))).read;
}

/** The longest end of a text that takes at most `maxBytes` in UTF-8, as its number of UTF-16 units. */
export function tailUnits(text: string, maxBytes: number): number {
  // Every unit takes a byte at least.
  const bytes = encoder.encode(text.slice(-maxBytes));
  let start = Math.max(0, bytes.length - maxBytes);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return decoder.decode(bytes.subarray(start)).length;
}

function startOfCharacter(text: string, position: number): number {
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
