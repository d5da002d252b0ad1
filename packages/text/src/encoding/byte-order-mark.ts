/** An encoding that a byte order mark can name. */
export type MarkedEncoding = "utf-8-sig" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** How many bytes at the front of a file decide whether it is text. */
export const HEAD_BYTES = 8192;

/** The encoding that the byte order mark at the front of a file names; undefined where there is none. */
export function markedEncoding(head: Uint8Array): MarkedEncoding | undefined {
  const [first, second, third, fourth] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8-sig";
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? "utf-32le" : "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return "utf-32be";
  return undefined;
}

/** Whether a file is binary, by its first {@link HEAD_BYTES}: a NUL, unless a byte order mark says that it is UTF-16. */
export function isBinary(head: Uint8Array): boolean {
  return head.includes(0) && !isUtf16(markedEncoding(head));
}

/** Whether a byte order mark says that the file is text in UTF-16. */
export function isUtf16(marked: MarkedEncoding | undefined): marked is "utf-16le" | "utf-16be" {
  return marked === "utf-16le" || marked === "utf-16be";
}
