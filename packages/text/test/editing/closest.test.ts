import { describe, expect, it } from "vitest";
import { findClosest } from "../../src/index.ts";
import { editable, pacer } from "./support.ts";

async function closest(text: string, wanted: string) {
  return findClosest(await editable(text), wanted, pacer);
}

describe("findClosest", () => {
  const filler = "const other = thing;\n".repeat(50);

  it.each([
    ["half of the words, the common ones", `${filler}const limit = 5;\n`, "const limit = 6 + offset;", 51],
    ["half of the words, the rare ones", `${filler}return limit + offset;\n`, "let limit = offset;", 51],
    ["blanks and quotes that differ", `${filler}say(\u201chello\u201d,\t x)\n`, 'say("hello", x) ', 51],
    ["one of several lines, without a word", `${filler}if (a) {\n  }\n`, "while (b) {\n}", 51],
    [
      "more lines than are looked for one by one",
      `${filler}x20\n`,
      Array.from({ length: 40 }, (_, at) => `x${at}`).join("\n"),
      31,
    ],
  ])("knows %s", async (_, text, wanted, first) => {
    expect((await closest(text, wanted))?.first).toBe(first);
  });

  it.each<[name: string, file: string, wanted: string, difference: string]>([
    ["a tab for spaces", "if {\n\treturn 1;\n", "if {\n    return 1;", "line 2 has a tab where you wrote 4 spaces"],
    ["a blank that is not there", "foo(a,b);\n", "foo(a, b);", "line 1 has nothing where you wrote a space"],
    ["a blank that is one too many", "foo(a,  b);\n", "foo(a, b);", "line 1 has 2 spaces where you wrote a space"],
    ["blanks at the end", "foo\nbar\n", "foo\nbar  \nx", "line 2 has nothing where you wrote 2 spaces"],
    [
      "a word that is longer",
      "let fooX = bar;\n",
      "let foo = bar;",
      "line 1 has 'fooX = bar;' where you wrote 'foo = bar;'",
    ],
    [
      "words, one of which is left out",
      "let foo = 1;\n",
      "let foo bar = 1;",
      "line 1 has '= 1;' where you wrote 'bar = 1;'",
    ],
    ["a forgotten semicolon", "let a = 1;\n", "let a = 1\n", "line 1 has '1;' where you wrote '1'"],
    ["a semicolon too many", "let a = 1\nb\n", "let a = 1;\nb\n", "line 1 has '1' where you wrote '1;'"],
    [
      "composed letters",
      "// caf\u00e9\n",
      "// cafe\u0301 x",
      "line 1 has '\u00e9' as U+00E9 where you wrote it as U+0065 U+0301",
    ],
    [
      "decomposed letters",
      "// cafe\u0301\n",
      "// caf\u00e9 x",
      "line 1 has 'e\u0301' as U+0065 U+0301 where you wrote it as U+00E9",
    ],
    [
      "a space of another kind",
      "a = b\u00a0c d;\n",
      "a = b c d",
      "line 1 has '\u00a0' as U+00A0 where you wrote it as U+0020",
    ],
    ["a text that is too short", "a b\nc d\n", "c d\ne f", "the file ends at line 2"],
  ])("tells %s", async (_, file, wanted, difference) => {
    expect((await closest(file, wanted))?.difference).toBe(difference);
  });

  it("finds nothing if less than half is shared", async () => {
    expect(await closest(filler, "no such thing here")).toBeUndefined();
  });
});
