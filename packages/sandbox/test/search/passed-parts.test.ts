import { describe, expect, it } from "vitest";
import { parsePattern } from "../../src/search/pattern.ts";
import { remaindersAt } from "../../src/search/position.ts";
import { passedPartNotes } from "../../src/search/passed-parts.ts";

const HERE = { relative: ".", spellings: [], roots: [] };
const HIDDEN = "[Note: '.a' in 'include' is hidden. Set include_hidden=true to find it.]";
const IGNORED = "[Note: 'dist' in 'include' is an ignored directory. Set include_ignored=true to search it.]";

describe("passedPartNotes", () => {
  it.each<[string, object, string[]]>([
    ["src/*.ts", {}, []],
    ["dist/.a", {}, [HIDDEN, IGNORED]],
    ["dist/.a", { includeHidden: true }, [IGNORED]],
    ["dist/.a", { includeIgnored: true }, [HIDDEN]],
    ["src/dist", {}, [IGNORED]],
    ["src/dist", { mayEndInFile: true }, []],
    ["dist/x", { mayEndInFile: true }, [IGNORED]],
  ])("%s %j", (pattern, options, notes) => {
    const remainders = remaindersAt(HERE, parsePattern(pattern, "include"));
    const search = { parameter: "include", includeHidden: false, includeIgnored: false, mayEndInFile: false };
    expect(passedPartNotes({ ...search, remainders, ...options })).toEqual(notes);
  });
});
