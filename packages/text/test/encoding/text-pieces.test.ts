import { Buffer } from "node:buffer";
import { mixedText } from "@fstools/testing";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { encodingNamed, textPieces } from "../../src/encoding/text-encoding.ts";
import { sourceOf } from "../support.ts";

const UTF8 = await encodingNamed("utf-8", new Uint8Array());

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

function wholeText(bytes: Buffer, encoding: string): string {
  if (encoding !== "cesu-8") return iconv.decode(bytes, encoding, { stripBOM: false });
  // iconv-lite says "0" where CESU-8 ends inside a character, but not where a blank follows.
  const spaced = Buffer.concat([bytes, Buffer.from(" ")]);
  return iconv.decode(spaced, encoding, { stripBOM: false }).slice(0, -1);
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

describe("textPieces of UTF-8", () => {
  it("put together are the whole text, from any boundary on", () => {
    fc.assert(
      fc.property(mixedText, fc.integer({ min: 4, max: 20 }), (text, blockBytes) => {
        const bytes = Buffer.from(`ab${text}`);
        const pieces = [...textPieces(sourceOf(bytes), UTF8, 2, blockBytes)];
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
      }),
    );
  });

  it("decode bad bytes as the whole file would be decoded", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 4, max: 20 }), (values, blockBytes) => {
        const bytes = Buffer.from(values);
        const pieces = [...textPieces(sourceOf(bytes), UTF8, 0, blockBytes)];
        expect(pieces.map((piece) => piece.text).join("")).toBe(new TextDecoder("utf-8").decode(bytes));
      }),
      { numRuns: 500 },
    );
  });
});

describe("UTF-8", () => {
  it("replaces bad bytes as Python does", () => {
    const bytes = Buffer.from("f09f9861e6bcc328eda080ff", "hex");
    expect(UTF8.decode(bytes)).toBe("\ufffda\ufffd\ufffd(\ufffd\ufffd\ufffd\ufffd");
  });

  it("keeps a byte order mark, which is only one at the beginning of a file", () => {
    expect(UTF8.decode(Buffer.from("\ufeffa"))).toBe("\ufeffa");
  });
});

describe.each(ENCODINGS)("textPieces of %s", (encoding) => {
  // A pair takes six bytes of CESU-8.
  const minBlock = encoding === "cesu-8" ? 6 : 4;
  const piecesOf = async (bytes: Buffer, from: number, blockBytes: number) => [
    ...textPieces(sourceOf(bytes), await encodingNamed(encoding, bytes), from, blockBytes),
  ];

  it.each([
    ["text", mixedText.map((text) => iconv.encode(text, encoding, { addBOM: false }))],
    ["any bytes", fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))],
  ])("put together are the whole: %s", async (_name, content) => {
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: minBlock, max: 20 }), async (bytes, blockBytes) => {
        const pieces = await piecesOf(bytes, 0, blockBytes);
        const whole = wholeText(bytes, encoding).replace(/^\ufeff/u, "");
        expect(pieces.map((piece) => piece.text).join("")).toBe(wellFormed(whole));
      }),
      { numRuns: 300 },
    );
  });

  it("can start anew at the end of every piece", async () => {
    await fc.assert(
      fc.asyncProperty(mixedText, fc.integer({ min: minBlock, max: 12 }), async (text, blockBytes) => {
        const bytes = iconv.encode(text, encoding, { addBOM: false });
        const pieces = await piecesOf(bytes, 0, blockBytes);
        for (const [index, piece] of pieces.entries()) {
          const rest = await piecesOf(bytes, piece.endByte, blockBytes + 1);
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

describe("textPieces", () => {
  it.each([
    ["a zero before a bad byte", [0x30, 0x80], "0\ufffd"],
    ["a zero before an unfinished character", [0x30, 0xe6], "0\ufffd"],
  ])("keeps %s at the end of CESU-8", async (_name, values, text) => {
    const bytes = Buffer.from(values);
    const pieces = [...textPieces(sourceOf(bytes), await encodingNamed("cesu-8", bytes), 0, 100)];
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });

  it("decodes UTF-7 in blocks that end at a blank", async () => {
    const text = "日本語 😀 a+b-c\nplain\t漢字\n".repeat(20);
    for (const encoding of ["utf-7", "utf-7-imap"]) {
      const bytes = iconv.encode(`${text} `, encoding);
      const pieces = [...textPieces(sourceOf(bytes), await encodingNamed(encoding, bytes), 0, 100)];
      expect(pieces.length).toBeGreaterThan(5);
      expect(pieces.map((piece) => piece.text).join("")).toBe(`${text} `);
    }
  });

  it("leaves off a byte order mark", async () => {
    const bytes = iconv.encode("漢字", "utf-16be", { addBOM: true });
    const [piece] = textPieces(sourceOf(bytes), await encodingNamed("utf-16", bytes), 0, 100);
    expect(piece?.text).toBe("漢字");
  });

  it("loses nothing where iconv-lite alone would: a character of two UTF-16 units cut three bytes in", async () => {
    const bytes = iconv.encode("x😀abcdefgh", "gb18030");
    const decoder = iconv.getDecoder("gb18030");
    expect(decoder.write(bytes.subarray(0, 4)) + decoder.write(bytes.subarray(4, 8))).not.toBe("x😀abc");
    const pieces = [...textPieces(sourceOf(bytes), await encodingNamed("gb18030", bytes), 0, 4)];
    expect(pieces.map((piece) => piece.text).join("")).toBe("x😀abcdefgh");
  });
});
