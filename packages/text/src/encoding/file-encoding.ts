import { Buffer } from "node:buffer";
import { echo, ErrorCode, ToolError } from "@fstools/protocol";
import { TextError } from "../error.ts";
import { detectEncoding, encodingNamed, HEAD_BYTES, isBinary, isUtf16, markedEncoding } from "./text-encoding.ts";
import type { TextEncoding } from "./text-encoding.ts";

// What a file is, and the bytes at its front that say so, in Latin-1.
/* eslint-disable no-control-regex -- magic bytes often are control characters */
const KINDS: readonly (readonly [kind: string, bytes: RegExp])[] = [
  ["a PNG image", /^\x89PNG\r\n\x1a\n/u],
  ["a JPEG image", /^\xff\xd8\xff/u],
  ["a GIF image", /^GIF8/u],
  ["a WebP image", /^RIFF.{4}WEBP/su],
  ["a TIFF image", /^(?:II\*\0|MM\0\*)/u],
  ["a Photoshop image", /^8BPS/u],
  ["an icon", /^\0\0\x01\0/u],
  ["a PDF document", /^%PDF-/u],
  ["a zip archive", /^PK(?:\x03\x04|\x05\x06)/u],
  ["a gzip archive", /^\x1f\x8b/u],
  ["a bzip2 archive", /^BZh/u],
  ["an xz archive", /^\xfd7zXZ\0/u],
  ["a Zstandard archive", /^\x28\xb5\x2f\xfd/u],
  ["a 7-Zip archive", /^7z\xbc\xaf\x27\x1c/u],
  ["a RAR archive", /^Rar!\x1a\x07/u],
  ["a tar archive", /^.{257}ustar/su],
  ["an ELF executable", /^\x7fELF/u],
  ["a Mach-O executable", /^(?:[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\xca\xfe\xba\xbf)/u],
  ["a Windows executable", /^MZ/u],
  ["a WebAssembly module", /^\0asm/u],
  ["an SQLite database", /^SQLite format 3\0/u],
  ["a Git pack", /^PACK/u],
  ["a Microsoft Office document", /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1/u],
  ["a Java class or a Mach-O executable", /^\xca\xfe\xba\xbe/u],
  ["an audio file", /^ID3/u],
  ["a WAV audio file", /^RIFF.{4}WAVE/su],
  ["a FLAC audio file", /^fLaC/u],
  ["an Ogg file", /^OggS/u],
  ["an AVIF image", /^.{4}ftypavi/su],
  ["a HEIC image", /^.{4}ftyp(?:hei|hev|mif1|msf1)/su],
  ["an M4A audio file", /^.{4}ftypM4[AB]/su],
  ["a QuickTime video", /^.{4}ftypqt/su],
  ["an MP4 video", /^.{4}ftyp/su],
  ["a Matroska video", /^\x1a\x45\xdf\xa3/u],
  ["a WOFF font", /^wOFF/u],
  ["a WOFF2 font", /^wOF2/u],
  ["an OpenType font", /^OTTO/u],
  ["a TrueType font", /^\0\x01\0\0/u],
];
/* eslint-enable no-control-regex */

/** What the magic bytes at the front of a file say, as in "It is a PNG image."; undefined if they say nothing. */
export function fileKind(head: Uint8Array): string | undefined {
  const text = Buffer.from(head).toString("latin1");
  return KINDS.find(([, bytes]) => bytes.test(text))?.[0];
}

const PDF = Buffer.from("%PDF-");

/** Many PDF files begin with text, and may have no NUL, but none is meant to be read as text. */
function isNotText(head: Uint8Array): boolean {
  return isBinary(head) || PDF.equals(head.subarray(0, PDF.length));
}

/** What is known about a file's encoding before it is read. */
export interface EncodingRequest {
  /** The caller's choice; undefined to test for UTF-8. */
  readonly encoding: string | undefined;
  /** Tried in this order on what is not UTF-8. */
  readonly fallbackEncodings: readonly string[];
}

/** A text whose encoding is settled. */
export interface SettledText<Found> {
  /** The encoding by its name, with how bad bytes were handled. */
  readonly encodingName: string;
  /** Set if the file is not the UTF-8 that it should be: "replace", or the encoding that was used instead. */
  readonly fallback?: string;
  readonly encoding: TextEncoding;
  readonly found: Found;
}

/** Settles a file's encoding by its first bytes, and by trying. @throws TextError "binary" */
export async function settleEncoding<Found extends { readonly isFlawless: boolean }>(
  head: Uint8Array,
  request: EncodingRequest,
  attempt: (encoding: TextEncoding, stopAtFlaw: boolean) => Found | Promise<Found>,
): Promise<SettledText<Found>> {
  const readAs = async (name: string, stopAtFlaw = false): Promise<SettledText<Found>> => {
    const encoding = await encodingNamed(name, head);
    return { encodingName: name, encoding, found: await attempt(encoding, stopAtFlaw) };
  };
  if (request.encoding !== undefined) return readAs(request.encoding);
  const marked = markedEncoding(head);
  if (isUtf16(marked)) return readAs(marked);
  if (isNotText(head)) throw new TextError({ reason: "binary", kind: fileKind(head), markedEncoding: marked });
  const text = await readAs(marked ?? "utf-8");
  if (text.found.isFlawless) return text;
  for (const fallback of request.fallbackEncodings) {
    const other = await readAs(fallback, true);
    if (other.found.isFlawless) return { ...other, fallback };
  }
  return asReplaced(text);
}

/** A text in UTF-8 some of whose bytes are shown as U+FFFD. */
export function asReplaced<Found>(text: SettledText<Found>): SettledText<Found> {
  return { ...text, encodingName: "utf-8 (replace)", fallback: "replace" };
}

/**
 * The encoding in which a file is changed: the one that is named, else what its first bytes say. `hint` is for a file of an
 * unknown kind that looks binary.
 * @throws ToolError BINARY_FILE, or INVALID_PARAM if it cannot be changed piece by piece
 */
export async function editableEncoding(
  bytes: Buffer,
  path: string,
  hint: string,
  named?: string,
): Promise<TextEncoding> {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (named === undefined && isNotText(head)) {
    const kind = fileKind(head);
    throw new ToolError(ErrorCode.BINARY_FILE, `File '${echo(path)}' appears to be binary.`, {
      hint: kind === undefined ? hint : `It is ${kind}.`,
    });
  }
  const encoding = await (named === undefined ? detectEncoding(head) : encodingNamed(named, head));
  if (encoding.isEditable) return encoding;
  throw new ToolError(ErrorCode.INVALID_PARAM, `Files in ${echo(encoding.name)} cannot be edited.`, {
    hint: "In this encoding a byte means something else after a change before it. Replace the whole file instead.",
  });
}
