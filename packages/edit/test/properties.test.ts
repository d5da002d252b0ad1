import { Buffer } from "node:buffer";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { edited } from "./support.ts";

interface Encoding {
  readonly name: string;
  /** What the caller has to say about it. */
  readonly params: object;
  readonly mark: Buffer;
  readonly encode: (text: string) => Buffer;
  readonly decode: (bytes: Buffer) => string;
  /** Characters that it has. */
  readonly letters: readonly string[];
  /** Bytes that are not text in it. */
  readonly bad: readonly Buffer[];
}

const with_ = (name: string, letters: string, options: Partial<Encoding> = {}): Encoding => ({
  name,
  params: { encoding: name },
  mark: Buffer.alloc(0),
  encode: (text) => iconv.encode(text, name, { addBOM: false }),
  decode: (bytes) => iconv.decode(bytes, name, { stripBOM: false }),
  letters: ["a", "b", " ", "\t", "ab", "$&", "x1", ...Array.from(letters)],
  bad: [],
  ...options,
});

const utf8 = with_("utf-8", "é漢😀“", {
  params: {},
  bad: [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xe6, 0xbc]), Buffer.from([0x80])],
});

const ENCODINGS: readonly Encoding[] = [
  utf8,
  { ...utf8, name: "utf-8 with a mark", mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  with_("utf-16le", "é漢😀", { params: {}, mark: Buffer.from([0xff, 0xfe]), bad: [Buffer.from([0x00, 0xd8])] }),
  with_("utf-16be", "é漢😀", { params: {}, mark: Buffer.from([0xfe, 0xff]), bad: [Buffer.from([0xdc, 0x00])] }),
  with_("gb18030", "é漢字㐀😀", { bad: [Buffer.from([0xff])] }),
  // Trail bytes that look like letters: "ソ" ends with a backslash, "ア" with "A", "ミ" with "~".
  with_("shift_jis", "ソアミ漢字ｱ", { bad: [Buffer.from([0xfd])] }),
  with_("big5", "功許蓋漢字"),
  with_("windows-1252", "éÿ€“"),
];

const LINE_ENDS = ["\n", "\r\n", "\r"];

/** A text of the encoding's characters and line ends; `bad` says whether bytes that are not text may be among them. */
function bytesIn(encoding: Encoding, ends: readonly string[], bad = false): fc.Arbitrary<Buffer> {
  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...encoding.letters).map(encoding.encode) },
    { weight: 3, arbitrary: fc.constantFrom(...ends).map(encoding.encode) },
    ...(bad && encoding.bad.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...encoding.bad) }] : []),
  );
  return fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.concat(pieces));
}

function textIn(encoding: Encoding, ends: readonly string[], minLength = 0): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...encoding.letters, ...ends), { minLength, maxLength: 8 })
    .map((letters) => letters.join(""));
}

const plain = (text: string) => text.replaceAll(/\r\n?/gu, "\n");

describe.each(ENCODINGS)("in $name", (encoding) => {
  const { mark, encode, decode, params } = encoding;

  // Rule: Everything outside the replaced ranges stays, byte for byte, in every encoding.
  it("everything outside the replaced range stays, byte for byte", { timeout: 60_000 }, async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        bytesIn(encoding, LINE_ENDS, true),
        textIn(encoding, LINE_ENDS, 1),
        bytesIn(encoding, LINE_ENDS, true),
        textIn(encoding, LINE_ENDS),
        async (before, old, after, replacement) => {
          // A marker makes the text unique; blanks around it would make a line of its own look alike.
          const marked = `<${old}>`;
          const file = Buffer.concat([mark, before, encode(marked), after]);
          const { response, bytes } = await edited(file, { ...params, old_string: marked, new_string: replacement });
          if (response.status === "error") {
            expect(bytes.equals(file)).toBe(true);
            expect(response.error.message).toMatch(/identical|must be unique|not found/u);
            return;
          }
          made += 1;
          const start = mark.length + before.length;
          expect(bytes.subarray(0, start).equals(file.subarray(0, start))).toBe(true);
          expect(bytes.subarray(bytes.length - after.length).equals(after)).toBe(true);
          const middle = bytes.subarray(start, bytes.length - after.length);
          expect(plain(decode(middle))).toBe(plain(replacement));
          expect(response.stats).toMatchObject({ file_size_bytes: bytes.length, bytes_written: bytes.length });
        },
      ),
      { numRuns: 60 },
    );
    expect(made).toBeGreaterThan(25);
  });

  // Rule: An edit and its inverse give the original file.
  it("an edit and its inverse give the original file", { timeout: 60_000 }, async () => {
    let undone = 0;
    await fc.assert(
      fc.asyncProperty(
        fc
          .constantFrom(...LINE_ENDS)
          .chain((end) =>
            fc.tuple(
              bytesIn(encoding, [end]),
              textIn(encoding, [end]),
              bytesIn(encoding, [end]),
              textIn(encoding, [end]),
              fc.constant(end),
            ),
          ),
        async ([before, old, after, replacement, end]) => {
          const [one, other] = [`<${old}>`, `{${replacement}}`];
          // A last line end, so that the file shows its kind even if there is no other.
          const file = Buffer.concat([mark, before, encode(one), after, encode(end)]);
          const there = await edited(file, { ...params, old_string: one, new_string: other });
          if (there.response.status === "error") return;
          const back = await edited(there.bytes, { ...params, old_string: other, new_string: one });
          if (back.response.status === "error") return;
          undone += 1;
          expect(back.bytes.equals(file)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
    expect(undone).toBeGreaterThan(5);
  });

  it("several edits at once are what a plain replacement in the text makes", { timeout: 60_000 }, async () => {
    let made = 0;
    const edits = fc.array(fc.tuple(textIn(encoding, ["\n"], 1), textIn(encoding, ["\n"])), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(bytesIn(encoding, ["\n"]), edits, fc.boolean(), async (content, pairs, all) => {
        const list = pairs.map(([old, replacement], index) => ({
          old_string: `<${index}${old}>`,
          new_string: replacement,
          replace_all: all,
        }));
        const places = list.map(({ old_string }) => old_string);
        const text = decode(content) + [...places, ...(all ? places : [])].join("-");
        const { response, bytes } = await edited(Buffer.concat([mark, encode(text)]), { ...params, edits: list });
        if (response.status === "error") return;
        made += 1;
        const expected = list.reduce((now, { old_string, new_string }) => now.split(old_string).join(new_string), text);
        expect(decode(bytes.subarray(mark.length))).toBe(expected);
        expect(bytes.subarray(0, mark.length).equals(mark)).toBe(true);
        expect(response.data).toMatchObject({ replacements: all ? 2 * list.length : list.length });
      }),
      { numRuns: 30 },
    );
    expect(made).toBeGreaterThan(5);
  });
});

describe("characters of several bytes", () => {
  it("are never cut in Shift_JIS, where half of one looks like a letter", async () => {
    const file = iconv.encode("ソソA\n", "shift_jis");
    const { response, bytes } = await edited(file, { old_string: "A", new_string: "B", encoding: "shift_jis" });
    expect(response.status).toBe("success");
    expect(iconv.decode(bytes, "shift_jis")).toBe("ソソB\n");
    const half = await edited(file, { old_string: "\\", new_string: "x", encoding: "shift_jis" });
    expect(half.response.error?.message).toBe("old_string not found in 'a.txt'.");
    expect(half.bytes.equals(file)).toBe(true);
  });

  it("are never cut where two of them look like a third", async () => {
    // In GB18030 "啊" is b0 a1: the end of 鞍(b0 b0) and the beginning of another b0 a1 make it too.
    const file = Buffer.from([0xb0, 0xb0, 0xa1, 0xa1, 0x0a]);
    const { response, bytes } = await edited(file, { old_string: "啊", new_string: "x", encoding: "gb18030" });
    expect(response.error?.message).toBe("old_string not found in 'a.txt'.");
    expect(bytes.equals(file)).toBe(true);
  });

  it("are told by a UTF-16 mark, not by what their bytes would be elsewhere", async () => {
    const file = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Ā\u0001ĀĀ\r\n", "utf16le")]);
    const { bytes } = await edited(file, { old_string: "\u0001", new_string: "1\n2" });
    expect(bytes.toString("utf16le")).toBe("\ufeffĀ1\r\n2ĀĀ\r\n");
  });
});
