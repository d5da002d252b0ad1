import type { Buffer } from "node:buffer";

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
