import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/search/pattern.ts";
import { createPosition, matchesPath, type Position, remaindersAt } from "../../src/search/position.ts";

function start(pattern: string): Position | undefined {
  return createPosition(remaindersAt({ relative: ".", spellings: [], roots: [] }, parsePattern(pattern, "pattern")));
}

function enter(position: Position | undefined, directory: string): Position | undefined {
  return directory.split("/").reduce<Position | undefined>((at, name) => at?.enter(name), position);
}

function matches(pattern: string, path: string): boolean {
  const slash = path.lastIndexOf("/");
  const position = slash < 0 ? start(pattern) : enter(start(pattern), path.slice(0, slash));
  return position?.matches(path.slice(slash + 1)) ?? false;
}

// Rule: `*`, `?`, classes, `**`, braces, literal characters, exact names, by code point, case-sensitive.
describe("createPosition", () => {
  it.each<[string, string, boolean]>([
    // Literals.
    ["a.ts", "a.ts", true],
    ["a.ts", "A.ts", false],
    ["a.ts", "b/a.ts", false],
    ["src/a.ts", "src/a.ts", true],
    ["src/a.ts", "src/b/a.ts", false],
    // `*` and `?` stay within a name.
    ["*.ts", "a.ts", true],
    ["*.ts", ".ts", true],
    ["*.ts", "a.tsx", false],
    ["*.ts", "b/a.ts", false],
    ["*", "a", true],
    ["*/*", "a", false],
    ["*/*", "a/b", true],
    ["?.ts", "a.ts", true],
    ["?.ts", "ab.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["a*b*c", "aXbYc", true],
    ["a**b", "aXb", true],
    ["a**b", "a/b", false],
    // `**` spans any number of directories, also none.
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "b/a.ts", true],
    ["**/*.ts", "c/b/a.ts", true],
    ["**/foo", "foo", true],
    ["**", "a", true],
    ["**", "a/b/c", true],
    ["src/**", "src/a", true],
    ["src/**", "src/a/b", true],
    ["src/**", "src", false],
    ["src/**", "lib/a", false],
    ["src/**/a.ts", "src/a.ts", true],
    ["src/**/a.ts", "src/x/y/a.ts", true],
    ["**/a/**", "a", false],
    ["**/a/**", "a/b", true],
    ["**/a/**", "x/a/b/c", true],
    ["**/**/a", "a", true],
    ["a/**/**/b", "a/b", true],
    ["**/a/**/b", "a/a/b/b", true],
    ["**/a/b", "a/a/b", true],
    ["**/a/*/b", "a/a/a/b", true],
    // Classes.
    ["[abc].ts", "b.ts", true],
    ["[abc].ts", "d.ts", false],
    ["[a-z]*.ts", "m.ts", true],
    ["[!a]*.ts", "b.ts", true],
    ["[!a]*.ts", "a.ts", false],
    ["src/[[:lower:]]*.ts", "src/m.ts", true],
    ["src/[![:lower:]]*.ts", "src/m.ts", false],
    ["[^a]*.ts", "b.ts", true],
    ["[^a]*.ts", "a.ts", false],
    ["[]].ts", "].ts", true],
    ["[a", "[a", true],
    // A segment that exactly names an entry means it.
    ["app/(auth)/[id]/page.tsx", "app/(auth)/[id]/page.tsx", true],
    ["app/(auth)/[id]/page.tsx", "app/(auth)/i/page.tsx", true],
    ["app/[...slug]/*.tsx", "app/[...slug]/page.tsx", true],
    ["**/[slug]/**", "app/[slug]/a/b.tsx", true],
    ["**/[slug]/**", "app/[slug]", false],
    ["**/[slug]", "x/[slug]", true],
    ["[!a]", "[!a]", true],
    ["{a,b}/c", "{a,b}/c", true],
    ["{a,b}.ts", "{a,b}.ts", true],
    ["{a,b}*.ts", "{a,b}x.ts", false],
    ["{a,b}/{x,y}.ts", "{a,b}/{x,y}.ts", true],
    ["{a,b}/{x,y}.ts", "a/y.ts", true],
    // What is syntax in other tools.
    ["(a|b)", "(a|b)", true],
    ["(a|b)", "a", false],
    ["!(a)", "b", false],
    ["!a", "!a", true],
    ["+(a)", "a", false],
    ["@(a)", "a", false],
    ["#a", "#a", true],
    ["a.ts", "aXts", false],
    ["$", "$", true],
    // Braces.
    ["{src,test}/**/*.{ts,tsx}", "src/a.ts", true],
    ["{src,test}/**/*.{ts,tsx}", "test/x/a.tsx", true],
    ["{src,test}/**/*.{ts,tsx}", "test/x/a.js", false],
    ["{a/b,c}/d", "a/b/d", true],
    ["{a,}", "a", true],
    // By code point.
    ["?.ts", "😀.ts", true],
    ["??.ts", "😀.ts", false],
    ["?.ts", "é.ts", true],
    ["?.ts", "e\u0301.ts", false],
    ["??.ts", "e\u0301.ts", true],
    ["[😀-😂].ts", "😁.ts", true],
    ["é.ts", "e\u0301.ts", false],
  ])("%j on %j is %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ["packages/*/src/index.ts", "packages", true],
    ["packages/*/src/index.ts", "packages/x", true],
    ["packages/*/src/index.ts", "packages/x/src", true],
    ["packages/*/src/index.ts", "packages/x/lib", false],
    ["packages/*/src/index.ts", "packages/x/src/y", false],
    ["packages/*/src/index.ts", "other", false],
    ["*.ts", "a", false],
    ["*", "a", false],
    ["*/*", "a", true],
    ["**/x", "a/b/c", true],
    ["src/**", "src/a/b", true],
    ["src/**", "lib", false],
    ["{a,b}/c", "a", true],
    ["{a,b}/c", "c", false],
  ])("%j leads into %j: %s", (pattern, directory, expected) => {
    expect(enter(start(pattern), directory) !== undefined).toBe(expected);
  });

  it.each<[string, readonly string[] | undefined]>([
    ["a/b", ["a"]],
    ["{a,b}/c", ["a", "b", "{a,b}"]],
    ["[a]/b", undefined],
    ["**/b", undefined],
    ["{a,*}/b", undefined],
    ["{a,b,c,d,e,f,g,h,i}/x", undefined],
  ])("%j can only match these names: %j", (pattern, expected) => {
    expect(start(pattern)?.onlyNames).toEqual(expected);
  });

  it.each<[string, readonly string[] | undefined]>([
    ["a/b", ["a", "b"]],
    ["./a//b.ts", ["a", "b.ts"]],
    ["a/*/b", undefined],
    ["a/[b]", undefined],
    ["**/b", undefined],
    ["a/**", undefined],
    ["{a,b}/c", undefined],
  ])("%j can only match this path: %j", (pattern, expected) => {
    expect(start(pattern)?.onlyPath).toEqual(expected);
  });

  it("knows the only path that is left after a wildcard", () => {
    expect(enter(start("*/src/a.ts"), "x")?.onlyPath).toEqual(["src", "a.ts"]);
    expect(enter(start("**/src/a.ts"), "src")?.onlyPath).toBeUndefined();
  });

  it.each([".", "/", ""])("nothing can match %j", (pattern) => {
    expect(start(pattern)).toBeUndefined();
  });

  it("stays small for a pattern of many double stars", () => {
    const pattern = "**/a/".repeat(800) + "b";
    const path = `${"a/".repeat(1000)}b`;
    // If it grew with every double star, the test would time out.
    expect(matches(pattern, path)).toBe(true);
  });

  it("agrees with picomatch on single names", () => {
    const part = fc.constantFrom("a", "b", ".", "-", "*", "?", "[ab]", "[!a]", "[a-c]", "[^b]");
    const name = fc.string({ unit: fc.constantFrom("a", "b", "c", ".", "-", "x"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), name, (parts, text) => {
        const pattern = parts.join("");
        // picomatch reads "." and "..", two stars, and a class before an end differently.
        fc.pre(!pattern.includes("**") && !/^\.{1,2}$/u.test(text) && !/^\.{1,2}$/u.test(pattern));
        const oracle = picomatch(pattern.replaceAll("[!", "[^"), {
          dot: true,
          noextglob: true,
          nobrace: true,
          strictSlashes: true,
          // Its shortcut for "*.*" wants a character after the dot; its regular expressions do not.
          fastpaths: false,
        });
        expect(matches(pattern, text)).toBe(oracle(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with picomatch on paths", () => {
    const segment = fc.constantFrom("a", "b", "*", "**", "a*", "?", "{a,b}", "[ab]c", "*.ts", "x.ts");
    const name = fc.constantFrom("a", "b", "c", "ab", "ac", "x.ts", "y.ts");
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 5 }),
        fc.array(name, { minLength: 1, maxLength: 5 }),
        (segments, names) => {
          // picomatch lets `a/**` match the file `a`; here `**` needs the directory.
          const last = segments.findLastIndex((text) => text !== "**");
          const pattern = [...segments.slice(0, last + 1), ...(last < segments.length - 1 ? ["**", "*"] : [])].join(
            "/",
          );
          expect(matches(pattern, names.join("/"))).toBe(picomatch(pattern, { dot: true })(names.join("/")));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

/** Whether a file directly in the search root matches, where the project root is /home/me/project. */
function finds(pattern: string, relative: string, name: string, spelled = relative): boolean {
  const root = "/home/me/project";
  const searchRoot = {
    relative,
    spellings: [relative === "." ? root : `${root}/${relative}`, spelled],
    roots: [{ path: { relative: "." }, spellings: [root, "/link/to/project/"] }],
  };
  return createPosition(remaindersAt(searchRoot, parsePattern(pattern, "pattern")))?.matches(name) ?? false;
}

describe("remaindersAt", () => {
  it.each([
    // Relative to the search root, whatever it is called.
    ["a.ts", ".", "a.ts", true],
    ["a.ts", "src", "a.ts", true],
    ["src/a.ts", "src", "a.ts", false],
    ["/a.ts", "src", "a.ts", true],
    // The search root's own path in front.
    ["/home/me/project/a.ts", ".", "a.ts", true],
    ["/home/me/project/src/a.ts", "src", "a.ts", true],
    ["/home/me//project/./src/*.ts", "src", "a.ts", true],
    ["{/home/me/project/src/a,/home/me/project/src/b}.ts", "src", "b.ts", true],
    // The project root's path in front: what is left must lead into the search root.
    ["/home/me/project/**/a.ts", "src", "a.ts", true],
    ["/home/me/project/*/a.ts", "src", "a.ts", true],
    ["/home/me/project/s*/[d]eep/a.ts", "src/deep", "a.ts", true],
    ["/home/me/project/lib/a.ts", "src", "a.ts", false],
    ["/home/me/project/a.ts", "src", "a.ts", false],
    // As the host spelled the project root.
    ["/link/to/project/src/a.ts", "src", "a.ts", true],
    ["/link/to/project/a.ts", ".", "a.ts", true],
    // A root with braces in its name.
    // Only whole names count.
    ["/home/me/project-evil/a.ts", ".", "a.ts", false],
    ["home/me/project/a.ts", ".", "a.ts", false],
  ])("%j in %j finds %j: %s", (pattern, relative, name, expected) => {
    expect(finds(pattern, relative, name)).toBe(expected);
  });

  it("knows the search root as the caller spelled it", () => {
    expect(finds("/link/to/src/a.ts", "src", "a.ts", "/link/to/src")).toBe(true);
    expect(finds("src/a.ts", "src", "a.ts", "src")).toBe(false);
  });
});

describe("matchesPath", () => {
  it.each([
    ["**/*.ts", "a.ts", true],
    ["**/*.ts", "src/lib/a.ts", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/lib/a.ts", false],
    ["src/*.ts", "a.ts", false],
    ["{a,b}/c", "b/c", true],
    ["a", "a/b", false],
  ])("%s, %s: %s", (pattern, path, expected) => {
    expect(matchesPath(start(pattern), path)).toBe(expected);
  });

  it("matches nothing where there is no position", () => {
    expect(matchesPath(undefined, "a")).toBe(false);
  });
});
