import { expect, it } from "vitest";
import { imageSize } from "../src/index.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

it.each<[string, Uint8Array, [number, number] | undefined]>([
  ["a PNG", hex("89504e470d0a1a0a 0000000d49484452 00000320 00000258 08"), [800, 600]],
  ["a GIF", hex("474946383961 2003 5802 00"), [800, 600]],
  ["a lossy WebP", hex("52494646 00000000 57454250 56503820 00000000 000000 9d012a 2003 5802"), [800, 600]],
  ["a lossless WebP", hex("52494646 00000000 57454250 5650384c 00000000 2f 1fc39500"), [800, 600]],
  ["an extended WebP", hex("52494646 00000000 57454250 56503858 0a000000 00000000 1f0300 570200 00"), [800, 600]],
  ["a JPEG behind another segment", hex("ffd8 ffe0 0004 0000 ff ffc2 0011 08 0258 0320 03"), [800, 600]],
  ["a JPEG without a frame", hex("ffd8 ffe0 0004 0000 ffd9"), undefined],
  ["a header that ends too early", hex("89504e470d0a1a0a"), undefined],
  ["a JPEG of one byte", hex("ff"), undefined],
  ["a text", Buffer.from("hello, this is text"), undefined],
  ["nothing", Buffer.alloc(0), undefined],
])("measures %s", (_, bytes, size) => {
  expect(imageSize(bytes)).toEqual(size === undefined ? undefined : { width: size[0], height: size[1] });
});

it("looks only at its own part of a shared buffer", () => {
  const whole = hex("ffffff 474946383961 2003 5802 00");
  expect(imageSize(whole.subarray(3))).toEqual({ width: 800, height: 600 });
});
