/** Of larger pictures (5 MB in base64, 2000 pixels) providers refuse every later request of the conversation. */
export const IMAGE_LIMITS = { bytes: 3_750_000, side: 2000 } as const;

/** The width and height that the header of a PNG, JPEG, GIF or WebP names; undefined for anything else. Never throws. */
export function imageSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ascii = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  try {
    if (ascii(1, 3) === "PNG") return { width: view.getUint32(16), height: view.getUint32(20) };
    if (ascii(0, 4) === "GIF8") return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    if (ascii(0, 4) === "RIFF" && ascii(8, 4) === "WEBP") return webpSize(ascii(12, 4), view);
    return view.getUint16(0) === 0xffd8 ? jpegSize(view) : undefined;
  } catch {
    // A header that ends too early.
    return undefined;
  }
}

function webpSize(chunk: string, view: DataView): { width: number; height: number } | undefined {
  if (chunk === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (chunk === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const lessOne = (at: number) => view.getUint32(at, true) & 0xffffff;
  return chunk === "VP8X" ? { width: lessOne(24) + 1, height: lessOne(27) + 1 } : undefined;
}

/** The first frame header; other segments are passed over by their length. */
function jpegSize(view: DataView): { width: number; height: number } | undefined {
  for (let at = 2; view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // A fill byte, or a marker without a segment.
    const hasSegment = marker !== 0xff && marker !== 0x01 && !(marker >= 0xd0 && marker <= 0xd9);
    at += marker === 0xff ? 1 : hasSegment ? 2 + view.getUint16(at + 2) : 2;
  }
  return undefined;
}
