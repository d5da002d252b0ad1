import { describe, expect, it } from "vitest";
import { assertGroupsOpened, escapeStrayBraces, hasTextAnchor } from "../src/engine/query.ts";
import { namesLineEnd, requiredLiteral, toRe2, unknownToRe2 } from "../src/engine/re2.ts";

const query = (pattern: string, isMultiline = false) => ({
  pattern,
  isMultiline,
  isWhole: isMultiline,
  isCaseSensitive: true,
  isFirstEnough: false,
});

describe("dialect", () => {
  it.each([
    ["interface Foo {", String.raw`interface Foo \{`],
    ["a{2}b{3,}c{4,5}", "a{2}b{3,}c{4,5}"],
    [String.raw`\p{Greek}\x{41}\u{42}\{`, String.raw`\p{Greek}\x{41}\u{42}\{`],
    ["[{]{", String.raw`[{]\{`],
    ["{,3}", String.raw`\{,3}`],
    ["[]{]{", String.raw`[]{]\{`],
  ])("escapes braces that are not a repetition in %s", (pattern, expected) => {
    expect(escapeStrayBraces(pattern)).toBe(expected);
  });

  it.each([
    [String.raw`\d+`, String.raw`[\p{Nd}]+`],
    [String.raw`[\d_]`, String.raw`[\p{Nd}_]`],
    [String.raw`\u{e9}\u00e9\U000000e9`, String.raw`\x{e9}\x{e9}\x{e9}`],
    [String.raw`\\d`, String.raw`\\d`],
    [String.raw`\<a\>`, String.raw`\ba\b`],
    [String.raw`\p{Letter}\P{uppercase_letter}\p{gc=Lu}`, String.raw`\p{L}\P{Lu}\p{Lu}`],
    [String.raw`\p{Script=Greek}\p{Greek}\pL\p{separator}`, String.raw`\p{Greek}\p{Greek}\pL\p{Z}`],
    ["(?u)a(?iu)b(?su:c)(?u:d)", "a(?i)b(?s:c)(?:d)"],
  ])("says %s in RE2", (pattern, expected) => {
    expect(toRe2(query(pattern), false)).toBe(expected);
  });

  it.each([
    ["[a-c&&[^b]]", "set operations in classes ('&&') are not supported"],
    ["[a-z--b]", "set operations in classes ('--') are not supported"],
    ["[a~~b]", "set operations in classes ('~~') are not supported"],
    ["[a[bc]]", "a class inside a class is not supported: escape the inner '['"],
    ["[x[^:]]", "a class inside a class is not supported: escape the inner '['"],
    ["[x[:y]]", "a class inside a class is not supported: escape the inner '['"],
    ["[x[:alpha:y]]", "a class inside a class is not supported: escape the inner '['"],
    [String.raw`a\b{start}a`, String.raw`'\b{start}' is not supported here: use '\b'`],
    [String.raw`\<.`, String.raw`'\<' is not supported here: use '\b'`],
    [String.raw`\<a?-`, String.raw`'\<' is not supported here: use '\b'`],
    [String.raw`.\>`, String.raw`'\>' is not supported here: use '\b'`],
    [String.raw`a-*\>`, String.raw`'\>' is not supported here: use '\b'`],
    [String.raw`\<get\w*\>|\<\d+\>|\<x?y{0,2}z`, undefined],
    ["a&&b--c~~d", undefined],
    [String.raw`[a-z-][\w.-]+[\[\]][[:alpha:]_-]\b[^[:space:]][[:^digit:]x][:y]`, undefined],
  ])("refuses in %s what RE2 would take for something else", (pattern, reason) => {
    expect(unknownToRe2(pattern)).toBe(reason);
  });

  it.each([")(", "a)", "(a))", String.raw`\()`, "(?i)a)(b"])(
    "refuses %s, which closes a group that is not open",
    (pattern) => {
      expect(() => {
        assertGroupsOpened(pattern);
      }).toThrow("Invalid regex pattern: unopened group");
    },
  );

  it.each([String.raw`\)`, "[)]", "(a)(?:b)(?P<n>c)(?i:d)", "(?x) a # )"])("lets %s be", (pattern) => {
    expect(() => {
      assertGroupsOpened(pattern);
    }).not.toThrow();
  });

  it("lets a line end with a return where matches span lines", () => {
    expect(toRe2(query("a$", true), true)).toBe(String.raw`a(?:\r?$)`);
    expect(toRe2(query("[$]", true), true)).toBe("[$]");
  });

  it.each([
    ["foo", "foo"],
    ["fo+bar", "bar"],
    ["foob?ar", "foo"],
    ["foo|bar", undefined],
    ["(foo|bar)baz", "baz"],
    ["(?i)foo", undefined],
    ["(?:foo)*ab", "ab"],
    ["(?P<n>z(b|c)d)e|foo", undefined],
    ["(?<n>z(b|c)d)efg", "efg"],
    [String.raw`\x1b\[31m`, "[31m"],
    [String.raw`\x41bc`, "bc"],
    [String.raw`\pLoo`, "oo"],
    [String.raw`foo\.bar`, "foo.bar"],
    [String.raw`class\s+\w+Error`, "class"],
    ["[a-z]+x", undefined],
    ["ab{0}cd", "cd"],
    ["é😀?x", undefined],
    ["(a)", undefined],
    ["^foo$", "foo"],
  ])("knows what every match of %s must contain", (pattern, literal) => {
    expect(requiredLiteral(pattern)).toBe(literal);
  });

  it.each([
    [String.raw`a\nb`, String.raw`\n`],
    ["a\nb", String.raw`\n`],
    [String.raw`[\r]`, String.raw`\r`],
    [String.raw`a\\nb`, undefined],
    [String.raw`\x0A`, String.raw`\n`],
    [String.raw`\x{0d}`, String.raw`\r`],
    [String.raw`\u000a`, String.raw`\n`],
    [String.raw`\x0b`, undefined],
    [String.raw`[^\r\n]`, undefined],
    [String.raw`[,\n]`, undefined],
    [String.raw`[^a]\n`, String.raw`\n`],
    [String.raw`[a][\n]`, String.raw`\n`],
  ])("sees a line end in %j", (pattern, expected) => {
    expect(namesLineEnd(pattern)).toBe(expected);
  });

  it.each([
    [String.raw`\Afoo`, true],
    [String.raw`foo\z`, true],
    ["(?-m)^foo", true],
    ["a(?is-Um:b$)", true],
    [String.raw`C:\\Apps`, false],
    ["(?m)^a|(?P<a-m>b)", false],
  ])("knows whether %s has an anchor at an end of the text", (pattern, expected) => {
    expect(hasTextAnchor(pattern)).toBe(expected);
  });
});
