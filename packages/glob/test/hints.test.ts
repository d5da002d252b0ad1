import { parsePattern, remaindersAt } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { patternHints, type Findings } from "../src/format.ts";
import { globParams } from "../src/params.ts";

const HERE = { relative: ".", spellings: [], roots: [] };
const NOTHING: Findings = {
  paths: [],
  matchesBefore: 0,
  visited: 0,
  hidden: 0,
  ignored: 0,
  skipped: [],
  stoppedBy: undefined,
  ignoredByGit: undefined,
  fitsDirectories: false,
};

function hints(pattern: string, params: object = {}, findings: Partial<Findings> = {}): string[] {
  return patternHints({
    findings: { ...NOTHING, ...findings },
    path: ".",
    isList: false,
    pattern,
    remainders: remaindersAt(HERE, parsePattern(pattern, "pattern")),
    params: globParams().parse({ pattern, ...params }),
    maxDurationMs: 2000,
  });
}

const HIDDEN = "[Note: '.github' in 'pattern' is hidden. Set include_hidden=true to find it.]";
const IGNORED = "[Note: 'dist' in 'pattern' is an ignored directory. Set include_ignored=true to search it.]";

describe("patternHints", () => {
  it.each<[string, object, string[]]>([
    ["src/*.ts", {}, []],
    [".github/*.yml", {}, [HIDDEN]],
    ["**/.github", {}, [HIDDEN]],
    ["{src,.github}/*", {}, [HIDDEN]],
    [".github/*.yml", { include_hidden: true }, []],
    ["dist/**", {}, [IGNORED]],
    ["packages/*/dist/*.js", {}, [IGNORED]],
    ["dist/**", { include_ignored: true }, []],
    ["**/dist", {}, [IGNORED]],
    ["**/dist", { include_ignored: true }, []],
    ["distant/x", {}, []],
    [
      ".git/config",
      {},
      [
        "[Note: '.git' in 'pattern' is hidden. Set include_hidden=true to find it.]",
        "[Note: '.git' in 'pattern' is an ignored directory. Set include_ignored=true to search it.]",
      ],
    ],
    [
      ".git/config",
      { include_hidden: true },
      ["[Note: '.git' in 'pattern' is an ignored directory. Set include_ignored=true to search it.]"],
    ],
  ])("for %j with %j says %j", (pattern, params, expected) => {
    expect(hints(pattern, params)).toEqual(expected);
  });

  it("assumes that an ignored name at the end is a file's, if one was found", () => {
    expect(hints("**/dist", {}, { paths: ["src/dist"] })).toEqual([]);
    expect(hints("dist/**", {}, { paths: ["src/dist"] })).toEqual([IGNORED]);
  });

  it("says that only directories match, if nothing was found", () => {
    const hint =
      "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]";
    expect(hints("a/src", {}, { fitsDirectories: true })).toEqual([hint]);
    expect(hints(".")).toEqual([hint]);
    expect(hints("a/s*", {}, { fitsDirectories: true, paths: ["a/sources"] })).toEqual([]);
    expect(hints("a/s*", {}, { fitsDirectories: true, matchesBefore: 1 })).toEqual([]);
  });

  it.each([
    ["*.ts", "[Note: '*' does not cross directories. Use '**/*.ts' to search below.]"],
    ["config.json", "[Note: '*' does not cross directories. Use '**/config.json' to search below.]"],
    ["{a,b}", "[Note: '*' does not cross directories. Use '**/{a,b}' to search below.]"],
  ])("says that %s was looked for in one directory only, if nothing was found", (pattern, hint) => {
    expect(hints(pattern)).toEqual([hint]);
    expect(hints(pattern, {}, { paths: ["x"] })).toEqual([]);
    expect(hints(pattern, {}, { matchesBefore: 2 })).toEqual([]);
  });

  it.each(["**", "**/*.ts", "src/*.ts"])("does not say so of %s, which is a path or crosses directories", (pattern) => {
    expect(hints(pattern)).toEqual([]);
  });

  it("says that an absolute pattern leads elsewhere", () => {
    const params = globParams().parse({ pattern: "/x/y" });
    const report = {
      findings: NOTHING,
      path: ".",
      isList: false,
      pattern: "/x/y",
      remainders: [],
      params,
      maxDurationMs: 2000,
    };
    expect(patternHints(report)).toEqual([
      "[Note: The absolute 'pattern' does not lead into 'path'. Leave 'path' out, or make 'pattern' relative to it.]",
    ]);
  });
});
