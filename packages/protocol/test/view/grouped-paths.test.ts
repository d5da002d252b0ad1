import fc from "fast-check";
import { expect, it } from "vitest";
import { namesFromText } from "../../src/index.ts";
import { groupedPaths } from "../../src/view/list.ts";

it.each([
  ["nothing", [], ""],
  [
    "a directory of several",
    ["package.json", "src/a.ts", "src/b.ts", "src/c.ts"],
    "package.json\nsrc/\n a.ts\n b.ts\n c.ts",
  ],
  ["one that is not worth it", ["s/a", "s/b", "t/c"], "s/a\ns/b\nt/c"],
  ["one of one", ["src/deep/er/a.ts"], "src/deep/er/a.ts"],
  [
    "directories of one by what they have in common",
    ["README.md", "src/a/index.ts", "src/b/index.ts", "src/c/d/index.ts", "test/a/x.ts"],
    "README.md\nsrc/\n a/index.ts\n b/index.ts\n c/d/index.ts\ntest/a/x.ts",
  ],
  [
    "a directory of several between others",
    ["src/a/x.ts", "src/b/x.ts", "src/lib/a.ts", "src/lib/b.ts", "src/lib/c.ts", "src/n/x.ts", "src/o/x.ts"],
    "src/\n a/x.ts\n b/x.ts\nsrc/lib/\n a.ts\n b.ts\n c.ts\nsrc/\n n/x.ts\n o/x.ts",
  ],
  [
    "what is in a directory and in others below it",
    ["src/a.ts", "src/b.ts", "src/c.ts", "src/a/x.ts", "src/b/x.ts"],
    "src/\n a.ts\n b.ts\n c.ts\n a/x.ts\n b/x.ts",
  ],
  ["names that look like our lines", ["(auth)/(a)", "(auth)/b", "(auth)/c"], "'(auth)/'\n '(a)'\n b\n c"],
  ["a name that begins with a blank", ["src/a.ts", "src/b.ts", "src/c.ts", " d"], "src/\n a.ts\n b.ts\n c.ts\n' d'"],
])("shows %s", (_, paths, shown) => {
  expect(groupedPaths(paths)).toBe(shown);
});

it("puts a tail behind each name", () => {
  const paths = ["a.ts", "src/a.ts", "src/b.ts", "src/c.ts"];
  expect(groupedPaths(paths, [": 1", ": 2", ": 3", ": 4"])).toBe("a.ts: 1\nsrc/\n a.ts: 2\n b.ts: 3\n c.ts: 4");
});

it("holds every path, in order, and is never longer than the list", () => {
  const name = fc.constantFrom("a", "bb", "(x)", "Use me", " c", "d\ne", "[id]", "名");
  const top = fc.constantFrom("", "", "/", "//");
  const path = fc
    .tuple(top, fc.array(name, { minLength: 1, maxLength: 4 }))
    .map(([begin, names]) => begin + names.join("/"));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 30 }), (unordered) => {
      const paths = unordered.toSorted();
      const shown = groupedPaths(paths);
      expect(readBack(shown)).toEqual(paths);
      expect(shown.length).toBeLessThanOrEqual(paths.map((one) => groupedPaths([one])).join("\n").length);
    }),
    { numRuns: 500 },
  );
});

function readBack(shown: string): string[] {
  let directory = "";
  const paths: string[] = [];
  for (const line of shown === "" ? [] : shown.split("\n")) {
    const name = namesFromText(line.trimStart())[0] ?? line.trimStart();
    if (line.startsWith(" ")) paths.push(directory + name);
    else if (name.endsWith("/")) directory = name;
    else paths.push(name);
  }
  return paths;
}
