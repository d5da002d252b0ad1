import { describe, expect, it } from "vitest";
import { findForeignPath } from "../../src/names/foreign-path.ts";

describe("findForeignPath", () => {
  it.each([
    ["~", "'~' is not expanded; paths are relative to the project root.", ""],
    ["~/src/a.ts", "'~' is not expanded; paths are relative to the project root.", "src/a.ts"],
    ["file:///src/a.ts", "'file:' URLs are not understood; paths are relative to the project root.", "src/a.ts"],
    ["C:\\src\\a.ts", "Drive letters have no meaning here; paths are relative to the project root.", "src/a.ts"],
    ["d:/src", "Drive letters have no meaning here; paths are relative to the project root.", "src"],
    ["src\\a.ts", "'\\' is part of a name here; separate directories with '/'.", "src/a.ts"],
    ["/src/a.ts", undefined, "src/a.ts"],
  ])("knows %j", (input, remark, spelling) => {
    expect(findForeignPath(input)).toEqual(remark === undefined ? { spelling } : { remark, spelling });
  });

  it.each(["src/a.ts", "~name", "..", "a:b", "", "profile:x"])("has nothing to say about %j", (input) => {
    expect(findForeignPath(input)).toBeUndefined();
  });
});
