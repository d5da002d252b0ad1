import { describe, expect, it } from "vitest";
import { lsOutcome } from "../src/format.ts";
import type { Listing } from "../src/list.ts";
import { lsParams } from "../src/params.ts";

const EMPTY: Listing = { page: [], dirs: 0, files: 0, links: 0, hidden: 0 };

function outcome(listing: Partial<Listing>, directory = ".", params: object = {}) {
  return lsOutcome({ ...EMPTY, ...listing }, directory, lsParams.parse(params));
}

describe("lsOutcome", () => {
  it("shows directories with a slash and links with an at sign", () => {
    const { body, data } = outcome({
      page: [
        { name: "d", kind: "directory" },
        { name: "f", kind: "file" },
        { name: "l", kind: "link" },
      ],
      dirs: 1,
      files: 1,
      links: 1,
    });
    expect(body).toBe("d/\nf\nl@");
    expect(data).toEqual({
      entries: [
        { path: "d", type: "dir" },
        { path: "f", type: "file" },
        { path: "l", type: "link" },
      ],
      truncated: false,
    });
  });

  it("puts the directory in front of each path, but not the root", () => {
    expect(outcome({ page: [{ name: "f", kind: "file" }], files: 1 }, "a/b").data.entries).toEqual([
      { path: "a/b/f", type: "file" },
    ]);
  });

  it.each([
    [
      "there is a next page",
      0,
      2,
      5,
      [{ reason: "Showing 0-2 of 5. 3 more items available.", next: "Use offset=2 to view next page." }],
    ],
    [
      "a page in the middle",
      2,
      2,
      5,
      [{ reason: "Showing 2-4 of 5. 1 more items available.", next: "Use offset=4 to view next page." }],
    ],
    ["the last page", 4, 1, 5, []],
  ])("says where to go on: %s", (_, offset, shown, total, expected) => {
    const page = Array.from({ length: shown }, (__, index) => ({ name: String(index), kind: "file" as const }));
    const { discounts, data } = outcome({ page, files: total }, ".", { offset });
    expect(discounts).toMatchObject(expected);
    expect(discounts).toHaveLength(expected.length);
    expect(data.truncated).toBe(expected.length > 0);
  });

  it.each([
    ["an empty directory", {}, 0, []],
    ["past the end", { files: 3 }, 3, ["[offset=3 is past the end: 3 items.]"]],
    ["far past the end", { files: 3 }, 10, ["[offset=10 is past the end: 3 items.]"]],
    ["only hidden entries", { hidden: 4 }, 0, ["(4 hidden or ignored entries. Use include_hidden=true to show them.)"]],
    ["hidden entries beside others", { hidden: 4, files: 1, page: [{ name: "a", kind: "file" as const }] }, 0, []],
  ])("notes what is not shown: %s", (_, listing, offset, expected) => {
    const { notes, discounts } = outcome(listing, ".", { offset });
    expect(notes).toEqual(expected);
    expect(discounts).toEqual([]);
  });

  it("escapes what a name could forge in the text, and keeps it in the data", () => {
    const name = "a\n[Truncated: \u202e\u001b[0m";
    const { body, data } = outcome({ page: [{ name, kind: "file" }], files: 1 });
    expect(body).toBe(String.raw`a\n[Truncated: \u202e\u001b[0m`);
    expect(data.entries).toEqual([{ path: name, type: "file" }]);
  });
});
