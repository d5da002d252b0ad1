import { Buffer } from "node:buffer";

// What a file is, and the bytes that say so, in Latin-1; with a position if that is not the start, and what is there then.
const KINDS: readonly (readonly [kind: string, bytes: string, position?: number, start?: string])[] = [
  ["a PNG image", "\x89PNG\r\n\x1a\n"],
  ["a JPEG image", "\xff\xd8\xff"],
  ["a GIF image", "GIF8"],
  ["a WebP image", "WEBP", 8, "RIFF"],
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
  ["a Mach-O executable", "\xfe\xed\xfa\xcf"],
  ["a Mach-O executable", "\xfe\xed\xfa\xce"],
  ["a Mach-O executable", "\xca\xfe\xba\xbf"],
  ["a Windows executable", "MZ"],
  ["a WebAssembly module", "\0asm"],
  ["an SQLite database", "SQLite format 3\0"],
  ["a Git pack", "PACK"],
  ["a Microsoft Office document", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["a Java class or a Mach-O executable", "\xca\xfe\xba\xbe"],
  ["an audio file", "ID3"],
  ["a WAV audio file", "WAVE", 8, "RIFF"],
  ["a FLAC audio file", "fLaC"],
  ["an Ogg file", "OggS"],
  ["an AVIF image", "ftypavi", 4],
  ["a HEIC image", "ftyphei", 4],
  ["a HEIC image", "ftyphev", 4],
  ["a HEIC image", "ftypmif1", 4],
  ["a HEIC image", "ftypmsf1", 4],
  ["an M4A audio file", "ftypM4A", 4],
  ["an M4A audio file", "ftypM4B", 4],
  ["a QuickTime video", "ftypqt", 4],
  ["an MP4 video", "ftyp", 4],
  ["a Matroska video", "\x1a\x45\xdf\xa3"],
  ["a WOFF font", "wOFF"],
  ["a WOFF2 font", "wOF2"],
  ["an OpenType font", "OTTO"],
  ["a TrueType font", "\0\x01\0\0"],
];

/** What the magic bytes at the front of a file say, as in "It is a PNG image."; undefined if they say nothing. */
export function fileKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, head.length).toString("latin1");
  const found = KINDS.find(([, magic, position = 0, start = ""]) => {
    return text.startsWith(magic, position) && text.startsWith(start);
  });
  return found?.[0];
}
