import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { fileKind } from "../../src/encoding/text-encoding.ts";

/** The head of a file of MPEG-4's kind, of this brand. */
const ftyp = (brand: string) => Buffer.from(`\0\0\0\x18ftyp${brand}`).toString("hex");

describe("fileKind", () => {
  it.each([
    ["89504e470d0a1a0a0000000d", "a PNG image"],
    ["ffd8ffe000104a464946", "a JPEG image"],
    ["474946383961", "a GIF image"],
    ["52494646000000005745425056503820", "a WebP image"],
    [Buffer.from("RIFF1234WAVEfmt ").toString("hex"), "a WAV audio file"],
    [Buffer.from("Convert WEBP images").toString("hex"), undefined],
    [Buffer.from("Convert WAVE sounds").toString("hex"), undefined],
    ["255044462d312e37", "a PDF document"],
    ["504b0304", "a zip archive"],
    ["1f8b0800", "a gzip archive"],
    ["7f454c460201", "an ELF executable"],
    [Buffer.from("SQLite format 3\0").toString("hex"), "an SQLite database"],
    [Buffer.from(`${"\0".repeat(257)}ustar`).toString("hex"), "a tar archive"],
    ["00000018667479706d703432", "an MP4 video"],
    [ftyp("heic"), "a HEIC image"],
    [ftyp("heix"), "a HEIC image"],
    [ftyp("mif1"), "a HEIC image"],
    [ftyp("avif"), "an AVIF image"],
    [ftyp("M4A "), "an M4A audio file"],
    [ftyp("qt  "), "a QuickTime video"],
    [Buffer.from("ID3\x04\0\0\0\0\0\0").toString("hex"), "an audio file"],
    ["cafebabf00000002", "a Mach-O executable"],
    ["feedfacf00000000", "a Mach-O executable"],
    ["cafebabe00000041", "a Java class or a Mach-O executable"],
    ["0061736d01000000", "a WebAssembly module"],
    ["68656c6c6f00", undefined],
    ["", undefined],
  ])("%s is %s", (hex, kind) => {
    expect(fileKind(Buffer.from(hex, "hex"))).toBe(kind);
  });
});
