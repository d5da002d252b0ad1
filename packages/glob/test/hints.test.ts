import { parsePattern, remaindersAt } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import type { Findings } from "../src/format.ts";
import { patternHints } from "../src/hints.ts";
import { globParams } from "../src/params.ts";

const HERE = { relative: ".", spellings: [], rootSpellings: [] };
const NOTHING: Findings = {
  paths: [],
  visited: 0,
  hidden: 0,
  ignored: 0,
  skipped: [],
  stoppedBy: undefined,
  fitsDirectories: false,
};

function hints(pattern: string, params: object = {}, findings: Partial<Findings> = {}): string[] {
  const remainders = remaindersAt(HERE, parsePattern(pattern, "pattern"));
  return patternHints(remainders, globParams.parse({ pattern, ...params }), { ...NOTHING, ...findings });
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

  it("takes an ignored name at the end for a file's, if one was found", () => {
    expect(hints("**/dist", {}, { paths: ["src/dist"] })).toEqual([]);
    expect(hints("dist/**", {}, { paths: ["src/dist"] })).toEqual([IGNORED]);
  });

  it("says that only directories match, if nothing was found", () => {
    const [hint] = hints("src", {}, { fitsDirectories: true });
    expect(hint).toBe(
      "[Note: Only directories match, and Glob finds files. Add '/**' to 'pattern' to find what is in them.]",
    );
    expect(hints("s*", {}, { fitsDirectories: true, paths: ["sources"] })).toEqual([]);
  });

  it("says that an absolute pattern leads elsewhere", () => {
    expect(patternHints([], globParams.parse({ pattern: "/x/y" }), NOTHING)).toEqual([
      "[Note: The absolute 'pattern' does not lead into 'path'. Leave 'path' out, or make 'pattern' relative to it.]",
    ]);
  });
});
