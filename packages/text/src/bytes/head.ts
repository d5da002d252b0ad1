import { Buffer } from "node:buffer";
import type { SandboxFile } from "@fstools/sandbox";

/** What reading needs of a file: its size when it was opened, and its bytes. */
export type ByteSource = Pick<SandboxFile, "size" | "read">;

/** An encoding that a byte order mark can name. */
export type MarkedEncoding = "utf-8-sig" | "utf-16le" | "utf-16be" | "utf-32le" | "utf-32be";

/** How many bytes at the front of a file tell whether it is text. */
export const HEAD_BYTES = 8192;

// What a file is, and the bytes that say so: Latin-1, at a position where that is not the start.
const KINDS: readonly (readonly [kind: string, bytes: string, position?: number])[] = [
  ["a PNG image", "\x89PNG\r\n\x1a\n"],
  ["a JPEG image", "\xff\xd8\xff"],
  ["a GIF image", "GIF8"],
  ["a WebP image", "WEBP", 8],
  ["a TIFF image", "II*\0"],
  ["a TIFF image", "MM\0*"],
  ["a Photoshop image", "8BPS"],
  ["an icon", "\0\0\x01\0"],
  ["a PDF document", "%PDF-"],
  ["a zip archive", "PK\x03\x04"],
  ["a zip archive", "PK\x05\x06"],
  ["a gzip archive", "\x1f\x8b"],
  ["a bzip2 archive", "BZh"],
  ["an xz archive", "\xfd7zXZ\0"],
  ["a Zstandard archive", "\x28\xb5\x2f\xfd"],
  ["a 7-Zip archive", "7z\xbc\xaf\x27\x1c"],
  ["a RAR archive", "Rar!\x1a\x07"],
  ["a tar archive", "ustar", 257],
  ["an ELF executable", "\x7fELF"],
  ["a Mach-O executable", "\xcf\xfa\xed\xfe"],
  ["a Mach-O executable", "\xce\xfa\xed\xfe"],
  ["a Windows executable", "MZ"],
  ["a WebAssembly module", "\0asm"],
  ["a Java class", "\xca\xfe\xba\xbe"],
  ["an SQLite database", "SQLite format 3\0"],
  ["a Git pack", "PACK"],
  ["a Microsoft Office document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["an MP3 audio file", "ID3"],
  ["a WAV audio file", "WAVE", 8],
  ["a FLAC audio file", "fLaC"],
  ["an Ogg file", "OggS"],
  ["an MP4 video", "ftyp", 4],
  ["a Matroska video", "\x1a\x45\xdf\xa3"],
  ["a WOFF font", "wOFF"],
  ["a WOFF2 font", "wOF2"],
  ["an OpenType font", "OTTO"],
  ["a TrueType font", "\0\x01\0\0"],
];

/** The first bytes of a file, at most `length`; fewer where the file is shorter than its size, as in sysfs. */
export function readHead(source: ByteSource, length: number): Buffer {
  return readAvailable(source, Buffer.allocUnsafe(Math.min(length, source.size)), 0);
}

/** Reads at a position as much as there is, at most until the target is full. */
export function readAvailable(source: ByteSource, target: Buffer, position: number): Buffer {
  let filled = 0;
  while (filled < target.length) {
    const count = source.read(target.subarray(filled), position + filled);
    if (count === 0) break;
    filled += count;
  }
  return target.subarray(0, filled);
}

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

/** What the magic bytes at the front of a file tell, as in "It is a PNG image."; undefined if they tell nothing. */
export function fileKind(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, 512)).toString("latin1");
  return KINDS.find(([, bytes, position = 0]) => start.startsWith(bytes, position))?.[0];
}
