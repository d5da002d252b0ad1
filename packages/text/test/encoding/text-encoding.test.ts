import { Buffer } from "node:buffer";
import { mixedText } from "@fstools/testing";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { ENCODING_NAMES } from "../../src/encoding/encoding-names.ts";
import {
  detectEncoding,
  encodingNamed,
  isKnownEncoding,
  isUtf8Name,
  canEncode,
  decodeText,
} from "../../src/encoding/text-encoding.ts";

const NO_HEAD = new Uint8Array();
const MULTI_BYTE = ["gb18030", "gbk", "shift_jis", "euc-jp", "big5", "big5-hkscs", "euc-kr", "cp949"] as const;

describe("isKnownEncoding", () => {
  it.each([
    "utf-8",
    "UTF8",
    "utf-8-sig",
    "gb18030",
    "Shift_JIS",
    "big5",
    "euc-kr",
    "windows-1252",
    "latin1",
    "UTF-16LE",
  ])("knows %s", (name) => {
    expect(isKnownEncoding(name)).toBe(true);
  });

  it.each([
    "hex",
    "base64",
    "binary",
    "HEX",
    "base-64",
    "klingon",
    "",
    " ",
    "utf-8\n",
    "__proto__",
    "constructor",
    "x".repeat(100),
  ])("does not take %j for a character encoding", (name) => {
    expect(isKnownEncoding(name)).toBe(false);
  });
});

describe("isUtf8Name", () => {
  it.each([
    ["utf-8", true],
    ["UTF8", true],
    ["utf-8-sig", true],
    ["utf-16", false],
    ["latin1", false],
  ])("%s: %s", (name, expected) => {
    expect(isUtf8Name(name)).toBe(expected);
  });
});

describe("ENCODING_NAMES", () => {
  it("are the names that iconv-lite knows, but for what is not text", () => {
    const isText = (name: string) => !["hex", "base64", "binary"].includes(name);
    // Its table is loaded by the first question.
    iconv.encodingExists("utf8");
    const known = Object.keys(iconv.encodings ?? {}).filter(
      (name) => !name.startsWith("_") && iconv.encodingExists(name),
    );
    expect([...ENCODING_NAMES].sort()).toEqual(known.filter(isText).sort());
  });
});

describe("encodingNamed", () => {
  it.each([
    ["utf-16", [0xff, 0xfe, 0x41, 0x00], "A"],
    ["utf-16", [0xfe, 0xff, 0x00, 0x41], "A"],
    ["utf-16", [0x41, 0x00, 0x0a, 0x00], "A\n"],
    ["utf-16", [0x00, 0x41, 0x00, 0x0a], "A\n"],
    ["utf-32", [0xff, 0xfe, 0x00, 0x00, 0x41, 0x00, 0x00, 0x00], "A"],
    ["utf-32", [0x00, 0x00, 0xfe, 0xff, 0x00, 0x00, 0x00, 0x41], "A"],
    ["ucs-4", [0x00, 0x00, 0x00, 0x41], "A"],
  ])("finds the byte order of %s in %j", async (name, values, text) => {
    const bytes = Buffer.from(values);
    expect((await encodingNamed(name, bytes)).decode(bytes).replace("\ufeff", "")).toBe(text);
  });

  it.each(MULTI_BYTE)("after a blank, a new character of %s always begins", (name) => {
    for (let lead = 0x80; lead <= 0xff; lead++) {
      for (const blank of ["\n", "\t", " "]) {
        expect(iconv.decode(Buffer.from([lead, blank.charCodeAt(0)]), name).endsWith(blank)).toBe(true);
      }
    }
  });

  it.each([...MULTI_BYTE, "cesu-8"])("cuts blocks of %s between characters, also without a blank", async (name) => {
    const charset = await encodingNamed(name, NO_HEAD);
    const unit = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(0x20, 0x30, 0x81) },
      { weight: 9, arbitrary: fc.integer({ min: 0x30, max: 0xfe }) },
    );
    const content = fc.array(unit, { minLength: 8, maxLength: 30 });
    fc.assert(
      fc.property(content, fc.integer({ min: 4, max: 8 }), (values, blockBytes) => {
        const bytes = Buffer.from([...values, 0x0a]);
        const length = charset.cleanLength(bytes.subarray(0, blockBytes));
        expect(length).toBeGreaterThan(0);
        const parts = [bytes.subarray(0, length), bytes.subarray(length)].map((part) => charset.decode(part));
        expect(parts.join("")).toBe(iconv.decode(bytes, name).replaceAll(/\p{Surrogate}/gu, "\ufffd"));
      }),
      { numRuns: 300 },
    );
  });

  it.each(["windows-1252", "koi8-r", "cp437", "iso-8859-15"])(
    "takes every byte of %s for a character",
    async (name) => {
      const block = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      expect((await encodingNamed(name, NO_HEAD)).cleanLength(block)).toBe(256);
    },
  );

  it("does not cut inside a shifted run of UTF-7", async () => {
    const charset = await encodingNamed("utf-7", NO_HEAD);
    expect(charset.cleanLength(Buffer.from("a b+bCI-"))).toBe(2);
    expect(() => charset.cleanLength(Buffer.from("+bCJbVw"))).toThrow(
      expect.objectContaining({ problem: { reason: "endless_run", encoding: "utf7" } }),
    );
  });
});

const EDITABLE = [...MULTI_BYTE, "utf-8", "utf-16le", "utf-16be", "utf-32le", "windows-1252", "cesu-8"] as const;

describe("whole files", () => {
  it.each([
    ["", "utf-8", 0],
    ["61", "utf-8", 0],
    ["efbbbf61", "utf-8-sig", 3],
    ["fffe6100", "utf-16le", 2],
    ["feff0061", "utf-16be", 2],
    ["fffe000061000000", "utf-32le", 4],
    ["0000feff00000061", "utf-32be", 4],
  ])("%s is %s by its byte order mark, of %i bytes", async (hex, name, markBytes) => {
    const bytes = Buffer.from(hex, "hex");
    const encoding = await detectEncoding(bytes);
    expect(encoding).toMatchObject({ name, markBytes });
    expect(decodeText(encoding, bytes)).toBe(hex === "" ? "" : "a");
    expect(Buffer.concat([bytes.subarray(0, markBytes), encoding.encode(hex === "" ? "" : "a")])).toEqual(bytes);
  });

  it.each(EDITABLE)("%s: what can be encoded comes back", async (name) => {
    const encoding = await encodingNamed(name, NO_HEAD);
    expect(encoding.isEditable).toBe(true);
    fc.assert(
      fc.property(mixedText, (text) => {
        const comesBack = encoding.decode(encoding.encode(text)) === text;
        expect(canEncode(encoding, text)).toBe(comesBack);
      }),
    );
    expect(canEncode(encoding, "a\ud800b")).toBe(false);
  });

  it.each([
    ["windows-1252", "漢"],
    ["shift_jis", "😀"],
    ["big5", "한"],
  ])("%s has no bytes for %s", async (name, text) => {
    expect(canEncode(await encodingNamed(name, NO_HEAD), text)).toBe(false);
  });

  it.each(["utf-7", "utf-7-imap"])("%s cannot be edited", async (name) => {
    expect((await encodingNamed(name, NO_HEAD)).isEditable).toBe(false);
  });

  it.each(EDITABLE)("%s: tells how long each character is", async (name) => {
    const encoding = await encodingNamed(name, NO_HEAD);
    const samples = ["a", "é", "漢", "ソ", "😀", "\n", " ", "表"].filter((text) => canEncode(encoding, text));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...samples), { minLength: 1, maxLength: 12 }), (characters) => {
        const bytes = encoding.encode(characters.join(""));
        const between = new Set([0]);
        let at = 0;
        for (const character of characters) between.add((at += encoding.encode(character).length));
        // CESU-8 writes a pair as two characters of its own.
        fc.pre(name !== "cesu-8" || !characters.includes("😀"));
        const found = [0];
        for (let place = 0; place < bytes.length;) {
          place += encoding.characterBytes(bytes, place) ?? bytes.length;
          found.push(place);
        }
        expect(found).toEqual([...between]);
      }),
    );
  });
});
