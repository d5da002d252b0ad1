import { describe, expect, it } from "vitest";
import { edited } from "./support.ts";

/** The result of an edit: the new content, with the kind of difference that was ignored, or an error. */
type Result = string | readonly [kind: string, content: string] | { readonly error: RegExp };

interface Row {
  readonly name: string;
  readonly file: string;
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
  readonly result: Result;
}

const NOT_FOUND = { error: /^old_string not found in 'a\.txt'\.$/u };
const twice = (lines: string) => ({
  error: new RegExp(`^old_string must be unique, but it occurs 2 times in 'a\\.txt' \\(lines ${lines}\\)\\.$`, "u"),
});
const trailing = (content: string): Result => ["trailing_space", content];
const indentation = (content: string): Result => ["indentation", content];
const punctuation = (content: string): Result => ["punctuation", content];
const escapes = (content: string): Result => ["escapes", content];

const ROWS: readonly Row[] = [
  // Exact
  { name: "a word", file: "one two three\n", old: "two", new: "2", result: "one 2 three\n" },
  { name: "a part of a longer word", file: "category\n", old: "cat", new: "dog", result: "dogegory\n" },
  { name: "a word that is also part of another", file: "cat category\n", old: "cat", new: "x", result: twice("1") },
  { name: "several lines", file: "a\nb\nc\nd\n", old: "b\nc\n", new: "B\n", result: "a\nB\nd\n" },
  { name: "the whole file", file: "a\nb\n", old: "a\nb\n", new: "c", result: "c" },
  { name: "everything but the last line end", file: "a\nb\n", old: "a\nb", new: "c", result: "c\n" },
  { name: "a deletion", file: "a\nb\nc\n", old: "b\n", new: "", result: "a\nc\n" },
  { name: "an insertion by its neighbour", file: "a\nc\n", old: "a\n", new: "a\nb\n", result: "a\nb\nc\n" },
  { name: "a line end alone", file: "a\nb", old: "\n", new: " ", result: "a b" },
  { name: "dollar signs in new_string", file: "x\n", old: "x", new: "$& $1 $$ $` $'", result: "$& $1 $$ $` $'\n" },
  { name: "signs that a pattern would read", file: "a.b(c)*[d]\n", old: ".b(c)*[", new: "-", result: "a-d]\n" },
  { name: "a dot that is only a dot", file: "axb\n", old: "a.b", new: "x", result: NOT_FOUND },
  { name: "backslashes", file: "a\\nb\n", old: "\\n", new: "\\\\t", result: "a\\\\tb\n" },
  { name: "letters of another case", file: "Name\n", old: "name", new: "x", result: NOT_FOUND },
  { name: "text beyond the BMP", file: "a😀b\n", old: "😀", new: "🎉", result: "a🎉b\n" },
  { name: "a letter that is written in two ways", file: "cafe\u0301\n", old: "caf\u00e9", new: "x", result: NOT_FOUND },
  { name: "an empty file", file: "", old: "a", new: "b", result: NOT_FOUND },
  { name: "text at the very end", file: "a\nb", old: "b", new: "c\n", result: "a\nc\n" },
  { name: "text at the very beginning", file: "a\nb", old: "a\n", new: "", result: "b" },
  { name: "the same text next to itself", file: "aaa\n", old: "aa", new: "b", result: twice("1") },
  // In several places
  { name: "two equal lines", file: "x\ny\nx\n", old: "x", new: "z", result: twice("1, 3") },
  { name: "the first of two, by the line after it", file: "x\ny\nx\n", old: "x\ny", new: "z\ny", result: "z\ny\nx\n" },
  { name: "all of them", file: "x\ny\nx\n", old: "x", new: "z", all: true, result: "z\ny\nz\n" },
  { name: "all, one after the other", file: "aaaa\n", old: "aa", new: "b", all: true, result: "bb\n" },
  { name: "all, each longer than before", file: "a a a", old: "a", new: "aa", all: true, result: "aa aa aa" },
  { name: "all of one", file: "x\n", old: "x", new: "z", all: true, result: "z\n" },
  { name: "all of none", file: "y\n", old: "x", new: "z", all: true, result: NOT_FOUND },
  { name: "all, but only exactly", file: "x \nx \n", old: "x\n", new: "z\n", all: true, result: NOT_FOUND },
  // Line ends
  { name: "\\n for \\r\\n", file: "a\r\nb\r\nc\r\n", old: "a\nb\n", new: "A\nB\n", result: "A\r\nB\r\nc\r\n" },
  { name: "\\r\\n for \\n", file: "a\nb\nc\n", old: "a\r\nb\r\n", new: "A\r\nB\r\n", result: "A\nB\nc\n" },
  { name: "\\n for a lone \\r", file: "a\rb\rc", old: "a\nb", new: "A\nB\nC", result: "A\rB\rC\rc" },
  {
    name: "mixed ends, one by one",
    file: "a\r\nb\nc\rd\n",
    old: "a\nb\nc\nd",
    new: "1\n2\n3\n4",
    result: "1\r\n2\n3\r4\n",
  },
  { name: "more ends than before", file: "a\r\nb\nc\n", old: "a\nb", new: "1\n2\n3", result: "1\r\n2\r\n3\nc\n" },
  { name: "fewer ends than before", file: "a\nb\r\nc\r\n", old: "a\nb\nc", new: "1\n2", result: "1\n2\r\n" },
  { name: "the end of its own line", file: "a\nb\r\nc\n", old: "b", new: "1\n2", result: "a\n1\r\n2\r\nc\n" },
  {
    name: "the commonest end in a last line",
    file: "a\r\nb\r\nc\nd",
    old: "d",
    new: "1\n2",
    result: "a\r\nb\r\nc\n1\r\n2",
  },
  { name: "no end anywhere", file: "a", old: "a", new: "1\r\n2", result: "1\n2" },
  { name: "\\r\\n as one end", file: "a\r\n\r\nb", old: "a\n\nb", new: "c", result: "c" },
  { name: "the \\r before a match stays", file: "a\r\nb", old: "b", new: "c", result: "a\r\nc" },
  // Trailing blanks
  { name: "blanks that the file has", file: "a  \nb\n", old: "a\nb", new: "c", result: trailing("c\n") },
  { name: "blanks that the file lacks", file: "a\nb\n", old: "a \t\nb", new: "c", result: trailing("c\n") },
  { name: "blanks in a blank line", file: "a\n  \nb\n", old: "a\n\nb\n", new: "c\n", result: trailing("c\n") },
  {
    name: "blanks in \\r\\n lines",
    file: "a \r\nb\r\nc\r\n",
    old: "a\nb\n",
    new: "1\n2\n",
    result: trailing("1\r\n2\r\nc\r\n"),
  },
  { name: "blanks in two places", file: "a \nb\na \nb\n", old: "a\nb", new: "c", result: twice("1, 3") },
  { name: "blanks, but not whole lines", file: "xa \nb\n", old: "a\nb", new: "c", result: NOT_FOUND },
  { name: "blanks, but the last line goes on", file: "a \nbc\n", old: "a\nb", new: "c", result: NOT_FOUND },
  {
    name: "one line end too many at the end of the file",
    file: "a\nb",
    old: "b\n",
    new: "c\n",
    result: trailing("a\nc"),
  },
  {
    name: "one line end too many before another line",
    file: "a\nb\n",
    old: "a\n\n",
    new: "c\n\n",
    result: trailing("c\nb\n"),
  },
  { name: "one line end too many that new_string lacks", file: "a\nb\n", old: "a\n\n", new: "c", result: NOT_FOUND },
  { name: "two line ends too many", file: "a\nb\n", old: "a\n\n\n", new: "c\n\n\n", result: NOT_FOUND },
  { name: "only blanks", file: "a\n\nb\n", old: "  \n  ", new: "x", result: NOT_FOUND },
  // Indentation
  {
    name: "indentation that was left out",
    file: "class A {\n    f() {\n        return 1;\n    }\n}\n",
    old: "f() {\n    return 1;\n}",
    new: "f() {\n    return 2;\n\n    // end\n}",
    result: indentation("class A {\n    f() {\n        return 2;\n\n        // end\n    }\n}\n"),
  },
  {
    name: "indentation that was added",
    file: "a\n  b\n",
    old: "  a\n    b",
    new: "  a\n    c",
    result: indentation("a\n  c\n"),
  },
  {
    name: "a tab of indentation",
    file: "\tif x:\n\t\ty\n",
    old: "if x:\n\ty\n",
    new: "if x:\n\tz\n",
    result: indentation("\tif x:\n\t\tz\n"),
  },
  {
    name: "indentation with a blank line",
    file: "  a\n\n  b\n",
    old: "a\n\nb",
    new: "a\n\nc",
    result: indentation("  a\n\n  c\n"),
  },
  { name: "tabs for spaces", file: "\tif x:\n\t\ty\n", old: "    if x:\n        y", new: "z", result: NOT_FOUND },
  { name: "a different shift in each line", file: "  a\n    b\n", old: "a\n b", new: "c", result: NOT_FOUND },
  {
    name: "a new_string that can't be shifted back",
    file: "  a\n  b\n",
    old: "    a\n    b",
    new: " c",
    result: NOT_FOUND,
  },
  // A new_string that has the file's indentation already stays as it is.
  {
    name: "a new_string at the file's margin",
    file: "a\nb\n",
    old: "  a\n  b",
    new: "c\n  d",
    result: indentation("c\n  d\n"),
  },
  {
    name: "old_string without the indentation that new_string has",
    file: "class A {\n    f() {\n        g();\n    }\n}\n",
    old: "f() {\n    g();\n}\n",
    new: "    f() {\n        h();\n    }\n",
    result: indentation("class A {\n    f() {\n        h();\n    }\n}\n"),
  },
  {
    name: "a new_string whose first line is blank, then indented as the file is",
    file: "x:\n\ta\n\tb\n",
    old: "a\nb\n",
    new: "\n\tc\n",
    result: indentation("x:\n\n\tc\n"),
  },
  {
    name: "a different shift in each line, and a new_string as the file is indented",
    file: "f() {\n    a;\n        b;\n}\n",
    old: "a;\n  b;\n",
    new: "    a;\n        c;\n",
    result: indentation("f() {\n    a;\n        c;\n}\n"),
  },
  {
    name: "a different shift in each line, and a new_string indented as old_string is",
    file: "f() {\n    a;\n        b;\n}\n",
    old: "a;\n  b;\n",
    new: "a;\n  c;\n",
    result: NOT_FOUND,
  },
  {
    name: "a first line in its place, the next one shifted",
    file: "  a;\n    b;\n",
    old: "  a;\n  b;\n",
    new: "  a;\n    c;\n",
    result: NOT_FOUND,
  },
  {
    name: "tabs for spaces in a new_string as the file is indented",
    file: "\ta;\n\tb;\n",
    old: "    a;\n    b;\n",
    new: "\ta;\n\tc;\n",
    result: NOT_FOUND,
  },
  {
    name: "a deletion of lines that are indented",
    file: "f:\n  a\n  b\nc\n",
    old: "a\nb\n",
    new: "",
    result: indentation("f:\nc\n"),
  },
  {
    name: "indentation in two places",
    file: "  a\n  b\n\n    a\n    b\n",
    old: "a\nb\n",
    new: "c\n",
    result: twice("1, 4"),
  },
  {
    name: "indentation and trailing blanks at once",
    file: "  a \n  b\n",
    old: "a\nb\n",
    new: "c\n",
    result: NOT_FOUND,
  },
  // Punctuation
  {
    name: "typographic quotes in the file",
    file: "say “hi”\nnow\n",
    old: 'say "hi"',
    new: "said",
    result: punctuation("said\nnow\n"),
  },
  { name: "typographic quotes in old_string", file: "it's\n", old: "it’s", new: "is", result: punctuation("is\n") },
  { name: "dashes", file: "a – b\n", old: "a - b", new: "c", result: punctuation("c\n") },
  { name: "a space that does not break", file: "a\u00a0b\n", old: "a b", new: "c", result: punctuation("c\n") },
  { name: "quotes within a line", file: "x = “hi”;\n", old: '"hi"', new: "1", result: NOT_FOUND },
  { name: "quotes in two places", file: "“a”\n‘b’\n“a”\n", old: '"a"', new: "1", result: twice("1, 3") },
  { name: "quotes and trailing blanks at once", file: "“a” \nb\n", old: '"a"\nb', new: "1", result: NOT_FOUND },
  {
    name: "fullwidth letters and signs in the file",
    file: "Ｆ（１），x\n",
    old: "F(1),x",
    new: "y",
    result: punctuation("y\n"),
  },
  {
    name: "fullwidth signs in old_string",
    file: "call(a, b)\n",
    old: "call（a, b）",
    new: "y",
    result: punctuation("y\n"),
  },
  { name: "an ideographic space", file: "a\u3000b\n", old: "a b", new: "y", result: punctuation("y\n") },
  { name: "halfwidth kana", file: "カタカナ ガ\n", old: "ｶﾀｶﾅ ｶﾞ", new: "y", result: punctuation("y\n") },
  { name: "fullwidth letters in two places", file: "Ａ\nb\nＡ\n", old: "A", new: "y", result: twice("1, 3") },
  { name: "other forms of a letter, which are no width", file: "ﬁn ²\n", old: "fin 2", new: "y", result: NOT_FOUND },
  // Escapes
  {
    name: "escaped quotes",
    file: 'say("hi");\n',
    old: 'say(\\"hi\\");',
    new: 'say(\\"ho\\");',
    result: escapes('say("ho");\n'),
  },
  {
    name: "escaped line ends and tabs",
    file: "if a:\n\tb\nc\n",
    old: "if a:\\n\\tb",
    new: "if a:\\n\\td",
    result: escapes("if a:\n\td\nc\n"),
  },
  {
    name: "escaped backticks and dollar signs",
    file: "x = `${a}`;\n",
    old: "x = \\`\\${a}\\`;\n",
    new: "x = \\`\\${b}\\`;\n",
    result: escapes("x = `${b}`;\n"),
  },
  {
    name: "escaped backslashes, and an escape that the file has",
    file: 'print("a\\n")\n',
    old: 'print(\\"a\\\\n\\")',
    new: 'print(\\"b\\\\n\\")',
    result: escapes('print("b\\n")\n'),
  },
  { name: "escapes, but not whole lines", file: 'x = say("hi");\n', old: 'say(\\"hi\\")', new: "y", result: NOT_FOUND },
  { name: "escapes in two places", file: "'a'\nb\n'a'\n", old: "\\'a\\'", new: "y", result: twice("1, 3") },
  { name: "escapes and indentation at once", file: '  say("hi")\n', old: 'say(\\"hi\\")', new: "y", result: NOT_FOUND },
  { name: "escapes that are none", file: "a+b d\n", old: "a\\+b \\d", new: "y", result: NOT_FOUND },
  { name: "all of what is escaped", file: '"a"\n"a"\n', old: '\\"a\\"', new: "y", all: true, result: NOT_FOUND },
  // Never by similarity
  { name: "one letter off", file: "const value = 1;\n", old: "const valeu = 1;", new: "x", result: NOT_FOUND },
  {
    name: "a block of which only both ends match",
    file: "if {\n  b\n  c\n}\n",
    old: "if {\n  x\n  y\n}",
    new: "z",
    result: NOT_FOUND,
  },
  { name: "a near match elsewhere", file: "f(1)\nf(2)\n", old: "f(3)", new: "x", result: NOT_FOUND },
  { name: "a line left out in the middle", file: "a\nb\nc\n", old: "a\nc", new: "x", result: NOT_FOUND },
  { name: "blanks inside a line", file: "a  =  1\n", old: "a = 1", new: "x", result: NOT_FOUND },
  { name: "an escaped line end", file: "a\nb\n", old: "a\\nb", new: "x", result: escapes("x\n") },
  // Numbers that a tool printed
  {
    name: "Read's numbers",
    file: "a\nb\nc\n",
    old: "   1 | a\n   2 | b\n",
    new: "   1 | A\n   2 | B\n",
    result: "A\nB\nc\n",
  },
  { name: "numbers with a tab", file: "a\nb\n", old: "1\ta\n2\tb", new: "c", result: "c\n" },
  { name: "numbers with a colon", file: "a\nb\n", old: "1: a\n2: b", new: "1: c", result: "c\n" },
  { name: "a number in front of one line", file: "x\na\n", old: "   2 | a", new: "b", result: "x\nb\n" },
  {
    name: "an empty line whose blank was cut",
    file: "a\n\nb\n",
    old: "   1 | a\n   2 |\n   3 | b",
    new: "c",
    result: "c\n",
  },
  { name: "numbers that the file really has", file: "1: a\n2: b\n", old: "1: a\n2: b", new: "c", result: "c\n" },
  {
    name: "numbers that the file really has, and trailing blanks",
    file: "1: a \n2: b\nz\n",
    old: "1: a\n2: b",
    new: "1: c",
    result: trailing("1: c\nz\n"),
  },
  {
    name: "a column of numbers, and trailing blanks",
    file: "1\tfoo \n2\tbar\n",
    old: "1\tfoo\n2\tbar",
    new: "1\tc",
    result: trailing("1\tc\n"),
  },
  {
    name: "an indented column of numbers",
    file: "  1\tfoo\n  2\tbar\n",
    old: "1\tfoo\n2\tbar",
    new: "1\tc",
    result: indentation("  1\tc\n"),
  },
  {
    name: "numbers that the file really has twice, but for trailing blanks",
    file: "1: a \n2: b\n1: a \n2: b\n",
    old: "1: a\n2: b",
    new: "c",
    result: twice("1, 3"),
  },
  { name: "numbers that do not follow each other", file: "a\nb\n", old: "1: a\n7: b", new: "c", result: NOT_FOUND },
  { name: "numbers in front of some lines only", file: "a\nb\n", old: "1: a\nb", new: "c", result: NOT_FOUND },
  {
    name: "numbers and indentation",
    file: "  a\n  b\n",
    old: "1: a\n2: b",
    new: "c\nd",
    result: indentation("  c\n  d\n"),
  },
  { name: "numbers of context lines", file: "a\nb\nc\n", old: "1- a\n2: b\n3- c", new: "d", result: "d\n" },
  {
    name: "numbers without a blank, as models are shown what Grep found",
    file: "x\nif:\n  a\n",
    old: "2-if:\n3:  a",
    new: "2-if:\n3:  b",
    result: "x\nif:\n  b\n",
  },
  {
    name: "numbers without a blank in front of an indented line, which keeps its indentation",
    file: "x\n    a = 1\n  a = 1;\n",
    old: "2:    a = 1",
    new: "    b = 1",
    result: "x\n    b = 1\n  a = 1;\n",
  },
  { name: "a number that may be a part of the text", file: "x\n80\n", old: "8080:80", new: "c", result: NOT_FOUND },
  { name: "a number of another line", file: "x\ny\n80\n", old: "2:80", new: "c", result: NOT_FOUND },
  { name: "a number past the end", file: "x\n", old: "9:x", new: "c", result: NOT_FOUND },
  { name: "plain numbers are not line numbers", file: "x\n", old: "1\n2\n3", new: "c", result: NOT_FOUND },
];

describe("what Edit takes for old_string", () => {
  // Rule: A text is found exactly, or by one difference that loses nothing, in whole lines and in one place; never by
  // similarity.
  it("has a row for each case", () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
  });

  it.each(ROWS)("$name", async ({ file, old, new: replacement, all = false, result }) => {
    const { response, text } = await edited(file, { old_string: old, new_string: replacement, replace_all: all });
    if (typeof result === "object" && "error" in result) {
      expect(response.error?.message).toMatch(result.error);
      expect(text).toBe(file);
      return;
    }
    const [kind, content] = typeof result === "string" ? [undefined, result] : result;
    expect(response.error).toBeUndefined();
    expect(text).toBe(content);
    expect(response.data).toMatchObject({ applied: true, ...(kind === undefined ? {} : { fallback: kind }) });
    expect(response.status).toBe(kind === undefined ? "success" : "partial");
    expect("fallback" in response.data).toBe(kind !== undefined);
  });
});
