import { Buffer } from "node:buffer";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { createCharset } from "../../src/encoding/charset.ts";
import { decodedPieces, decodeUtf8, utf8Pieces } from "../../src/encoding/decode.ts";
import { mixedText } from "../support.ts";

const ENCODINGS = [
  "gb18030",
  "gbk",
  "shift_jis",
  "euc-jp",
  "big5",
  "big5-hkscs",
  "euc-kr",
  "windows-1252",
  "koi8-r",
  "utf-16le",
  "utf-16be",
  "utf-32le",
  "utf-32be",
  "cesu-8",
] as const;

function sourceOf(bytes: Buffer) {
  return { size: bytes.length, read: (target: Uint8Array, position: number) => bytes.copy(target, 0, position) };
}

function wholeText(bytes: Buffer, encoding: string): string {
  if (encoding !== "cesu-8") return iconv.decode(bytes, encoding, { stripBOM: false });
  // iconv-lite says "0" where CESU-8 ends inside a character, but not where a blank follows.
  const spaced = Buffer.concat([bytes, Buffer.from(" ")]);
  return iconv.decode(spaced, encoding, { stripBOM: false }).slice(0, -1);
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

describe("utf8Pieces", () => {
  it("put together are the whole text, from any boundary on", () => {
    fc.assert(
      fc.property(mixedText, fc.integer({ min: 4, max: 20 }), (text, blockBytes) => {
        const bytes = Buffer.from(`ab${text}`);
        const pieces = [...utf8Pieces(sourceOf(bytes), 2, blockBytes)];
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }),
    );
  });

  it("decode bad bytes as the whole file would be decoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 4, max: 20 }), (values, blockBytes) => {
        const bytes = Buffer.from(values);
        const pieces = [...utf8Pieces(sourceOf(bytes), 0, blockBytes)];
        expect(pieces.map((piece) => piece.text).join("")).toBe(
          new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("decodeUtf8", () => {
  it("replaces bad bytes as Python does", () => {
    const bytes = Buffer.from("f09f9861e6bcc328eda080ff", "hex");
    expect(decodeUtf8(bytes)).toBe("\ufffda\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd");
  });

  it("keeps a byte order mark, which is only one at the beginning of a file", () => {
    expect(decodeUtf8(Buffer.from("\ufeffa"))).toBe("\ufeffa");
  });
});

describe.each(ENCODINGS)("decodedPieces of %s", (encoding) => {
  const piecesOf = (bytes: Buffer, from: number, blockBytes: number) => [
    ...decodedPieces(sourceOf(bytes), createCharset(encoding, bytes), from, blockBytes),
  ];

  it.each([
    ["text", mixedText.map((text) => iconv.encode(text, encoding, { addBOM: false }))],
    ["any bytes", fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))],
  ])("put together are the whole: %s", (_name, content) => {
    fc.assert(
      fc.property(content, fc.integer({ min: 4, max: 20 }), (bytes, blockBytes) => {
        const pieces = piecesOf(bytes, 0, blockBytes);
        const whole = wholeText(bytes, encoding).replace(/^\ufeff/u, "");
        expect(pieces.map((piece) => piece.text).join("")).toBe(wellFormed(whole));
      }),
      { numRuns: 300 },
    );
  });

  it("can begin afresh at every clean end", () => {
    fc.assert(
      fc.property(mixedText, fc.integer({ min: 4, max: 12 }), (text, blockBytes) => {
        const bytes = iconv.encode(text, encoding, { addBOM: false });
        const pieces = piecesOf(bytes, 0, blockBytes);
        for (const [index, piece] of pieces.entries()) {
          if (!piece.isClean) continue;
          const rest = piecesOf(bytes, piece.endByte, blockBytes + 1);
          expect(rest.map((part) => part.text).join("")).toBe(
            pieces
              .slice(index + 1)
              .map((part) => part.text)
              .join(""),
          );
        }
      }),
    );
  });
});

describe("decodedPieces", () => {
  it.each([
    ["a zero before a bad byte", [0x30, 0x80], "0\ufffd"],
    ["a zero before an unfinished character", [0x30, 0xe6], "0\ufffd"],
  ])("keeps %s at the end of CESU-8", (_name, values, text) => {
    const bytes = Buffer.from(values);
    const pieces = [...decodedPieces(sourceOf(bytes), createCharset("cesu-8", bytes), 0, 100)];
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });

  it("decodes UTF-7 in blocks that end at a blank", () => {
    const text = "日本語 😀 a+b-c\nplain\t漢字\n".repeat(20);
    for (const encoding of ["utf-7", "utf-7-imap"]) {
      const bytes = iconv.encode(`${text} `, encoding);
      const pieces = [...decodedPieces(sourceOf(bytes), createCharset(encoding, bytes), 0, 100)];
      expect(pieces.length).toBeGreaterThan(5);
      expect(pieces.map((piece) => piece.text).join("")).toBe(`${text} `);
    }
  });

  it("leaves off a byte order mark", () => {
    const bytes = iconv.encode("漢字", "utf-16be", { addBOM: true });
    const [piece] = decodedPieces(sourceOf(bytes), createCharset("utf-16", bytes), 0, 100);
    expect(piece?.text).toBe("漢字");
  });

  it("loses nothing where iconv-lite alone would: a character of two UTF-16 units cut three bytes in", () => {
    const bytes = iconv.encode("x😀abcdefgh", "gb18030");
    const decoder = iconv.getDecoder("gb18030");
    expect(decoder.write(bytes.subarray(0, 4)) + decoder.write(bytes.subarray(4, 8))).not.toBe("x😀abc");
    const pieces = [...decodedPieces(sourceOf(bytes), createCharset("gb18030", bytes), 0, 4)];
    expect(pieces.map((piece) => piece.text).join("")).toBe("x😀abcdefgh");
  });
});
