import { turnsDuring } from "@fstools/testing";
import { describe, expect, it } from "vitest";
import { edited } from "./support.ts";

const lines = (count: number, end = "\n") =>
  Array.from({ length: count }, (_, index) => `line ${index} of a large file${end}`).join("");

describe("a large file", () => {
  it("is edited in hundreds of thousands of places", { timeout: 60_000 }, async () => {
    const { response, text } = await edited("a,b\n".repeat(300_000), {
      old_string: ",",
      new_string: ";",
      replace_all: true,
    });
    expect(response.data).toMatchObject({ applied: true, replacements: 300_000, diff_truncated: true });
    expect(text === "a;b\n".repeat(300_000)).toBe(true);
    expect(response.text.length).toBeLessThan(5000);
  });

  it("is not edited in more places than memory should hold", { timeout: 60_000 }, async () => {
    const { response } = await edited("a".repeat(1_000_001), { old_string: "a", new_string: "b", replace_all: true });
    expect(response.error).toEqual({
      code: "INVALID_PARAM",
      message: "old_string occurs more than 1000000 times in 'a.txt', which is too many to replace at once.",
    });
  });

  it("has more places than are listed where there should be one", { timeout: 60_000 }, async () => {
    const { response } = await edited("a \n".repeat(200_000), { old_string: "a", new_string: "b" });
    expect(response.error?.message).toBe(
      "old_string must be unique, but it occurs more than 10 times in 'a.txt' (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …).",
    );
    const alike = await edited("a b \n".repeat(100_000), { old_string: "a b\n", new_string: "c\n" });
    expect(alike.response.error?.message).toContain("more than 10 times");
  });

  it.each([
    ["with one kind of line end", lines(200_000), { old_string: "line 150000 of", new_string: "x" }],
    ["with \\r\\n", lines(200_000, "\r\n"), { old_string: "line 150000 of a large file\n", new_string: "x\n" }],
    ["in which the text is not found", lines(200_000), { old_string: "line 150000  of a large file", new_string: "x" }],
    ["in another encoding", lines(100_000), { old_string: "line 50000 of", new_string: "x", encoding: "gb18030" }],
  ])("%s is looked at in turns", { timeout: 60_000 }, async (_, content, params) => {
    let status: string | undefined;
    const turns = await turnsDuring(async () => {
      const { response } = await edited(content, params);
      ({ status } = response);
    });
    expect(status).toBe(params.old_string.includes("  ") ? "error" : "success");
    expect(turns).toBeGreaterThan(1);
  });
});

// Rule: No step of an edit costs more than the file plus the edits, whatever is in them.
describe("what would cost more than the file and the edits", () => {
  const many = (count: number, edit: (index: number) => object) => ({
    edits: Array.from({ length: count }, (_, index) => edit(index)),
  });
  const saying = (words: RegExp) => ({ error: { message: expect.stringMatching(words) as unknown } });
  const NOT_FOUND = saying(/not found/u);
  const MANY = saying(/more than 10 times/u);
  const changing = (old: string) => ({ old_string: old, new_string: "x" });

  it.each<[name: string, content: string | Uint8Array, params: object, outcome: object]>([
    ["an old_string of 60 MB for a file of 4 bytes", "1\n2\n", changing("1\n".repeat(30_000_000)), NOT_FOUND],
    [
      "an old_string of 60 MB for a file of 4 MB",
      "1\n".repeat(2_000_000),
      changing("1\n".repeat(30_000_000)),
      NOT_FOUND,
    ],
    [
      "a thousand places in one line of Shift_JIS",
      Buffer.from([...Array.from({ length: 1000 }, () => [0x83, 0x5c, 0x83, 0x41, 0x2c]).flat()]),
      { old_string: ",", new_string: ";", replace_all: true, encoding: "shift_jis" },
      { data: { replacements: 1000 } },
    ],
    [
      "50,000 places in one line of GB18030",
      Buffer.from(Array.from({ length: 50_000 }, () => [0xb0, 0xa1, 0x2c]).flat()),
      { old_string: ",", new_string: ";", replace_all: true, encoding: "gb18030" },
      { data: { replacements: 50_000 } },
    ],
    [
      "line ends for 200,000 places in a long last line",
      `a\r\nb\r\n${"x,".repeat(200_000)}`,
      { old_string: ",", new_string: "\n", replace_all: true },
      { data: { replacements: 200_000 } },
    ],
    [
      "fifty edits that match by trailing blanks",
      Array.from({ length: 400_000 }, (_, index) => `line ${index} \nend\n`).join(""),
      many(50, (index) => changing(`line ${index * 7000}\nend`)),
      { data: { replacements: 50, fallback: "trailing_space" } },
    ],
    ["places that overlap", "a".repeat(4_000_000), changing("a".repeat(1_000_000)), MANY],
    [
      "what differs in its first character only",
      "a".repeat(4_000_000),
      changing(`b${"a".repeat(1_000_000)}`),
      NOT_FOUND,
    ],
    [
      "lines that differ in the first of them only",
      "a \n".repeat(500_000),
      changing(`b\n${"a\n".repeat(200_000)}`),
      NOT_FOUND,
    ],
    [
      "lines that differ in the indentation of the last only",
      "  a\n".repeat(400_000),
      changing(`${"a\n".repeat(200_000)} a\n`),
      { error: { code: "INVALID_PARAM" } },
    ],
    [
      "10 million characters, the last of which the encoding lacks",
      "a\n",
      { old_string: "a", new_string: `${"b".repeat(10_000_000)}\u{1f600}`, encoding: "shift_jis" },
      { error: { message: "new_string has a character that shift_jis cannot hold: '\u{1f600}'." } },
    ],
    [
      "a result of 400 MB",
      "a".repeat(400),
      { old_string: "a", new_string: "b".repeat(1_000_000), replace_all: true },
      { error: { code: "INVALID_PARAM", message: "The edit would make 'a.txt' larger than 16777216 bytes." } },
    ],
    [
      "line numbers in front of a million lines",
      "x\n".repeat(1_000_000),
      changing(Array.from({ length: 1_000_000 }, (_, index) => `${index + 1}\ty`).join("\n")),
      NOT_FOUND,
    ],
    [
      "a million escapes",
      '"\n'.repeat(1_000_000),
      changing('\\"\n'.repeat(1_000_000)),
      { data: { fallback: "escapes" } },
    ],
  ])("is not spent on %s", { timeout: 60_000 }, async (_, content, params, outcome) => {
    const { response } = await edited(content, params);
    expect(response).toMatchObject(outcome);
  });
});
