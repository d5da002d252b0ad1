import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { PhotonImage } from "@silvia-odwyer/photon-node";

const uint32 = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
};
const uint16 = (...values: number[]) => Buffer.from(values.flatMap((value) => [value >>> 8, value & 255]));
const uint16LE = (...values: number[]) => Buffer.from(values.flatMap((value) => [value & 255, value >>> 8]));

/** A chunk of a PNG, with its checksum. */
export function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

interface PngOptions {
  readonly depth?: number;
  readonly color?: number;
  readonly interlace?: number;
  /** In place of as many rows of zeros as there must be. */
  readonly pixels?: Buffer;
  /** Behind the header. */
  readonly more?: readonly Buffer[];
  /** Behind the pixels. */
  readonly last?: readonly Buffer[];
}

/** A black PNG, or one that says what it is not. */
export function png(width: number, height: number, options: PngOptions = {}): Buffer {
  const { depth = 8, color = 2, interlace = 0, more = [], last = [] } = options;
  const bits = depth * ({ 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[color] ?? 0);
  const { pixels = Buffer.alloc(height * (1 + Math.ceil((width * bits) / 8))) } = options;
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", Buffer.concat([uint32(width, height), Buffer.from([depth, color, 0, 0, interlace])])),
    ...more,
    chunk("IDAT", deflateSync(pixels)),
    ...last,
    chunk("IEND"),
  ]);
}

/** A picture of two frames, of which old decoders see the first. */
export function apng(width: number, height: number): Buffer {
  const frame = (sequence: number) =>
    chunk("fcTL", Buffer.concat([uint32(sequence, width, height, 0, 0), uint16(1, 10), Buffer.from([0, 0])]));
  const pixels = deflateSync(Buffer.alloc(height * (1 + width * 3)));
  return png(width, height, {
    more: [chunk("acTL", uint32(2, 0)), frame(0)],
    last: [frame(1), chunk("fdAT", Buffer.concat([uint32(2), pixels]))],
  });
}

/** A GIF whose frames are one white pixel each, at the place given. */
export function gif(
  width: number,
  height: number,
  frames = 1,
  [left, top]: readonly [number, number] = [0, 0],
): Buffer {
  const control = Buffer.from("21f904000a00000000", "hex").subarray(0, 8);
  const frame = Buffer.concat([Buffer.from([0x2c]), uint16LE(left, top, 1, 1), Buffer.from([0, 2, 2, 0x44, 0x01, 0])]);
  const one = Buffer.concat([control, frame]);
  return Buffer.concat([
    Buffer.from("GIF89a"),
    uint16LE(width, height),
    Buffer.from([0x80, 0, 0, 255, 255, 255, 0, 0, 0]),
    ...Array.from({ length: frames }, () => one),
    Buffer.from([0x3b]),
  ]);
}

/** The pixels of a picture by their place. */
export function painted(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly number[],
): PhotonImage {
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels.set(color(x, y), (y * width + x) * 4);
  return new PhotonImage(pixels, width, height);
}

const QUARTERS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const;

/** Red and green above blue and white. */
export function quarters(width: number, height: number): PhotonImage {
  return painted(width, height, (x, y) => QUARTERS[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] ?? []);
}

/** The colors of the quarters of an encoded picture, row by row: "rgbw". */
export function quartersOf(bytes: Uint8Array): string {
  const image = PhotonImage.new_from_byteslice(bytes);
  const [width, height] = [image.get_width(), image.get_height()];
  const pixels = image.get_raw_pixels();
  return [1, 3]
    .flatMap((row) => [1, 3].map((column) => [Math.floor((width * column) / 4), Math.floor((height * row) / 4)]))
    .map(([x = 0, y = 0]) => {
      const [red = 0, green = 0, blue = 0] = pixels.subarray((y * width + x) * 4);
      const bits = (red > 127 ? 4 : 0) + (green > 127 ? 2 : 0) + (blue > 127 ? 1 : 0);
      return { 4: "r", 2: "g", 1: "b", 7: "w" }[bits] ?? "?";
    })
    .join("");
}

/** A JPEG with an orientation and a thumbnail in its EXIF data. */
export function withOrientation(jpeg: Uint8Array, orientation: number, isLittle = false): Buffer {
  const thumbnail = quarters(8, 8).get_bytes_jpeg(50);
  const [short, long] = isLittle
    ? [uint16LE, (value: number) => uint16LE(value, 0)]
    : [uint16, (value: number) => uint32(value)];
  const tiff = Buffer.concat([
    Buffer.from(isLittle ? "II" : "MM"),
    short(42),
    long(8),
    // Another tag first, then the orientation; the next directory would be the thumbnail's.
    ...[short(2), short(0x0100), short(3), long(1), short(8, 0)],
    ...[short(0x0112), short(3), long(1), short(orientation, 0), long(38)],
    Buffer.from(thumbnail),
  ]);
  const segment = Buffer.concat([Buffer.from("Exif\0\0"), tiff]);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe1]), uint16(segment.length + 2), segment, jpeg.subarray(2)]);
}

/** A JPEG of eight by eight pixels in four colors, as printers use them. */
export function cmykJpeg(): Buffer {
  const segment = (marker: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data]);
  const codes = (kind: number) => Buffer.from([kind, 1, ...Array<number>(15).fill(0), 0]);
  const components = [1, 2, 3, 4];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xee, Buffer.from("Adobe\0d\0\0\0\0\0", "latin1")),
    segment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    segment(0xc0, Buffer.from([8, 0, 8, 0, 8, 4, ...components.flatMap((id) => [id, 0x11, 0])])),
    segment(0xc4, codes(0x00)),
    segment(0xc4, codes(0x10)),
    segment(0xda, Buffer.from([4, ...components.flatMap((id) => [id, 0]), 0, 63, 0])),
    Buffer.from([0x00, 0xff, 0xd9]),
  ]);
}

/** A WebP in the extended form, whose canvas may have another size than its picture. */
export function extendedWebp(webp: Uint8Array, width: number, height: number): Buffer {
  const less = (value: number) => Buffer.from([(value - 1) & 255, (value - 1) >>> 8, 0]);
  const header = Buffer.concat([Buffer.from("VP8X\x0a\0\0\0\0\0\0\0", "latin1"), less(width), less(height)]);
  const body = Buffer.concat([Buffer.from("WEBP"), header, webp.subarray(12)]);
  return Buffer.concat([Buffer.from("RIFF"), uint16LE(body.length & 0xffff, body.length >>> 16), body]);
}
