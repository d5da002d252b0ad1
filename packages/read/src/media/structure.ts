import { Buffer } from "node:buffer";
import { promisify } from "node:util";
import { crc32, inflate } from "node:zlib";
import { imageSize } from "@fstools/protocol";
import type { Pacer } from "@fstools/sandbox";

/** A picture that a strict decoder would refuse. */
export class DamagedError extends Error {
  override readonly name = "DamagedError";
}

/** The kinds of pictures that are shown. */
export type PictureKind = keyof typeof CHECKS;

/** The picture alone, without what may follow it in the file. @throws DamagedError if its structure is not sound to its last byte */
export async function soundPicture<Memory extends ArrayBufferLike>(
  bytes: Buffer<Memory>,
  kind: PictureKind,
  pacer: Pacer,
): Promise<Buffer<Memory>> {
  try {
    return bytes.subarray(0, await CHECKS[kind](bytes, pacer));
  } catch (error) {
    if (error instanceof RangeError) throw new DamagedError("it ends too early");
    throw error;
  }
}

// Each walks through a whole picture, and returns where it ends.
const CHECKS = { PNG: pngEnd, JPEG: jpegEnd, GIF: gifEnd, WebP: webpEnd };

async function pngEnd(bytes: Buffer, pacer: Pacer): Promise<number> {
  const pixels: Buffer[] = [];
  let hasPalette = false;
  for (let at = 8; ;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      throw new DamagedError("a checksum is wrong");
    }
    if ((at === 8) !== (type === "IHDR")) throw new DamagedError("its header is not where it must be");
    if (type === "PLTE") hasPalette = true;
    if (type === "IDAT") pixels.push(bytes.subarray(at + 8, end - 4));
    if (type === "IEND") {
      await assertPixels(bytes, pixels, hasPalette);
      return end;
    }
    at = end;
    if (pacer.due()) await pacer.rest();
  }
}

// By the color type: how many values a pixel has, and how many bits each may take.
// prettier-ignore
const FORMATS: readonly (readonly number[])[] = [[1, 1, 2, 4, 8, 16], [], [3, 8, 16], [1, 1, 2, 4, 8], [2, 8, 16], [], [4, 8, 16]];
const PALETTE = 3;
// Of the seven passes of an interlaced PNG: the first column and row, and the steps to the next ones.
// prettier-ignore
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const;
// A larger one is decoded in a worker, to make it smaller.
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;
const inflated = promisify<Buffer[], { maxOutputLength: number }, Buffer>((parts, options, done) => {
  inflate(Buffer.concat(parts), options, done);
});

/** What a PNG says of its pixels is what it holds: neither a bomb nor half a picture. */
async function assertPixels(bytes: Buffer, parts: Buffer[], hasPalette: boolean): Promise<void> {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth = 0, color = 1, compression, filter, interlace = 2] = bytes.subarray(24, 29);
  const [channels = 0, ...depths] = FORMATS[color] ?? [];
  const isKnown = depths.includes(depth) && (color !== PALETTE || hasPalette) && compression === 0 && filter === 0;
  if (!isKnown || interlace > 1) throw new DamagedError("its header is wrong");
  const bits = depth * channels;
  const rows = (columns: number, count: number) => (columns === 0 ? 0 : count * (1 + Math.ceil((columns * bits) / 8)));
  const sizes = PASSES.map(([x, y, dx, dy]) => rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)));
  const expected = interlace === 1 ? sizes.reduce((sum, size) => sum + size, 0) : rows(width, height);
  if (expected > MAX_INFLATED_BYTES) return;
  const found = await inflated(parts, { maxOutputLength: Math.max(1, expected) }).catch(() => undefined);
  if (found?.length !== expected) throw new DamagedError("its pixels are not what its header says");
}

const SCANNED_AT_ONCE = 2 ** 18;

async function jpegEnd(bytes: Buffer, pacer: Pacer): Promise<number> {
  let frames = 0;
  for (let [at, isScan] = [2, false]; ;) {
    if (pacer.due()) await pacer.rest();
    const marker = bytes.readUInt8(at + 1);
    if (isScan) {
      const end = Math.min(bytes.length - 1, at + SCANNED_AT_ONCE);
      while (at < end && (bytes[at] !== 0xff || isData(bytes[at + 1]))) at++;
      isScan = at === end;
      continue;
    }
    if (bytes[at] !== 0xff) throw new DamagedError("a marker is missing");
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) frames++;
    if (marker === 0xd9) {
      if (frames !== 1) throw new DamagedError("it has no picture, or several");
      return at + 2;
    }
    // A fill byte, or a marker without a segment.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    isScan = marker === 0xda;
  }
}

/** What may follow 0xff inside a scan: an escaped one, a restart, or a fill byte. */
function isData(byte = 0): boolean {
  return byte === 0 || (byte >= 0xd0 && byte <= 0xd7);
}

async function gifEnd(bytes: Buffer, pacer: Pacer): Promise<number> {
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  const afterColors = (at: number) => {
    const flags = bytes.readUInt8(at);
    return at + 1 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  };
  let frames = 0;
  for (let at = afterColors(10) + 2; ;) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b && frames > 0) return at + 1;
    if (kind === 0x2c) {
      frames++;
      const isInside =
        bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5) <= width &&
        bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7) <= height;
      if (!isInside) throw new DamagedError("a frame does not fit");
      at = afterColors(at + 9) + 1;
    } else if (kind === 0x21) at += 2;
    else throw new DamagedError("a block is not one of a GIF");
    for (let size = -1; size !== 0; at += 1 + size) size = bytes.readUInt8(at);
    if (pacer.due()) await pacer.rest();
  }
}

async function webpEnd(bytes: Buffer, pacer: Pacer): Promise<number> {
  const end = 8 + bytes.readUInt32LE(4);
  const whole = imageSize(bytes);
  let pictures = 0;
  if (end > bytes.length) throw new RangeError();
  for (let at = 12; at < end;) {
    const size = bytes.readUInt32LE(at + 4);
    const type = bytes.toString("latin1", at, at + 4);
    if (type === "VP8 " || type === "VP8L") {
      // As if it were the whole file, so that it cannot say another size than the canvas.
      const own = imageSize(Buffer.concat([bytes.subarray(0, 12), bytes.subarray(at, at + 18)]));
      if (own?.width !== whole?.width || own?.height !== whole?.height) throw new DamagedError("it has two sizes");
    }
    if (type === "VP8 " || type === "VP8L" || type === "ANMF") pictures++;
    at += 8 + size + (size & 1);
    if (at > end) throw new DamagedError("a chunk is longer than the file");
    if (pacer.due()) await pacer.rest();
  }
  if (pictures === 0) throw new DamagedError("it has no picture");
  return end;
}

const UPRIGHT = 1;

/** How a camera was held, by the EXIF data of a sound JPEG: 1 to 8, 1 for anything else. */
export function orientationOf(bytes: Buffer): number {
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (marker === 0xda) break;
    if (marker === 0xe1 && bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0") {
      return orientationIn(bytes.subarray(at + 10, end));
    }
    at = end;
  }
  return UPRIGHT;
}

const ORIENTATION_TAG = 0x0112;

/** The value of the tag in the first directory of TIFF data. */
function orientationIn(tiff: Buffer): number {
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    for (let index = 0; index < short(directory); index++) {
      const entry = directory + 2 + 12 * index;
      if (short(entry) === ORIENTATION_TAG) return short(entry + 8);
    }
  } catch {
    // It ends too early.
  }
  return UPRIGHT;
}
