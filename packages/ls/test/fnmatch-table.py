"""Writes fnmatch-table.json: which names Python's fnmatch.fnmatchcase matches with which patterns.

Run `python3 fnmatch-table.py` in this folder to make it again.
"""

import fnmatch
import json
import platform

NAMES = [
    "", "a", "b", "A", "ab", "abc", "a.b", "a.log", "b.log", ".log", ".env", "a.LOG", "a.log.1", "foo", "foobar",
    "src/a.log", "src/deep/a.log", "dist/x", "dist", "/", "a/b", "-", "]", "[", "!", "^", "a]", "[a]", "[!a]", "[",
    "a-c", "\\", "a\\b", "a\nb", "\n", "a\tb", " ", "a b", "*", "?", "{a,b}", "(a)", "+(a)", "é", "e\u0301", "ß",
    "日本", "😀", "😀.ts", "a😀b", "\uffff", "x" * 255, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
]

PATTERNS = [
    "", "*", "**", "?", "??", "???", "*.log", "*.log*", "*.*", ".*", "a*", "*a", "*a*", "a?", "?b", "a*b", "a**b",
    "a*b*c", "[ab]", "[!ab]", "[^ab]", "[a-c]", "[!a-c]", "[c-a]", "[a-]", "[-a]", "[--0]", "[a-c-e]", "[]]", "[!]]",
    "[]-a]", "[[]", "[!]", "[", "[]", "[a", "a[", "[!", "[[a]", "[]a]", "[!]a]", "[a]]", "[\\]", "[\\\\]", "\\", "\\*", "a\\b",
    "[!a]*", "[*]", "[?]", "[.]log", "*[0-9]", "*.[lL][oO][gG]", "src/*", "src/*.log", "*/a.log", "**/a.log", "dist/**",
    "a/b", "/", "*/*", "{a,b}", "(a)", "+(a)", "!(a)", "@(a|b)", "a|b", "^", "$", "a.b", "a+b", "é", "e?", "?é", "日?",
    "[日本]*", "😀*", "?.ts", "a?b", "[😀]", "[😀].ts", "[\u0000-\uffff]", "[!\u0000-\uffff]", "*\n*", "a\nb", "a?b*", " ", "* *",
    "x*x", "x" * 255, "x" * 256, "*a*a*a*a*a*a*a*a*ab", "*a*a*a*a*a*a*a*a*ac", "[a-a]", "[!!]", "[!^]", "[^^]", "[a-z][a-z]", "[A-Z]*",
    "[&&]", "[||]", "[~~]", "[a--b]", "[%--]", "[]-]", "[!]-]", "[-]", "[!-]", "[--]", "[---]",
]

names = list(dict.fromkeys(NAMES))
patterns = list(dict.fromkeys(PATTERNS))
table = {
    "python": platform.python_version(),
    "names": names,
    "matches": {pattern: [name for name in names if fnmatch.fnmatchcase(name, pattern)] for pattern in patterns},
}
with open("fnmatch-table.json", "w", encoding="utf-8") as file:
    json.dump(table, file, indent=2)
    file.write("\n")
print(f"{len(patterns)} patterns x {len(names)} names = {len(patterns) * len(names)} rows")
