import { isToolError } from "@fstools/protocol";
import { explainPathErrors, SandboxError, type SandboxReason } from "@fstools/sandbox";
import { describe, expect, it } from "vitest";
import { lsOutcome, lsPathWords } from "../src/format.ts";
import type { Listing } from "../src/list.ts";
import { lsParams } from "../src/params.ts";

const EMPTY: Listing = { page: [], dirs: 0, files: 0, links: 0, hidden: 0, timedOut: false };

function outcome(listing: Partial<Listing>, directory = ".", params: object = {}) {
  const whole = { ...EMPTY, ...listing };
  return lsOutcome({ listing: whole, directory, params: lsParams().parse(params), maxDurationMs: 5000 });
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

  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KB"],
    [1_258_291, "1.2 MB"],
    [1_048_575, "1.0 MB"],
    [5 * 1024 ** 4, "5.0 TB"],
    [5000 * 1024 ** 4, "5000.0 TB"],
  ])("shows a size of %d behind the name as %s, where it is what is sorted by", (size, shown) => {
    const page = [{ name: "f", kind: "file" as const, size, mtimeMs: 0 }];
    const { body, data } = outcome({ page, files: 1 }, ".", { sort: "size" });
    expect(body).toBe(`f  ${shown}`);
    expect(data.entries).toEqual([{ path: "f", type: "file", size, mtime_ms: 0 }]);
  });

  it("shows times behind the names, in UTC, and sizes of files only", () => {
    const mtimeMs = Date.UTC(2026, 10, 18, 9, 30, 59);
    const page = [
      { name: "d", kind: "directory", mtimeMs },
      { name: "l", kind: "link", mtimeMs: -1 },
      { name: "f", kind: "file", size: 2000, mtimeMs },
      { name: "g", kind: "file" },
    ] as const;
    const listing = { page, dirs: 1, files: 2, links: 1 };
    expect(outcome(listing, ".", { sort: "modified" }).body).toBe(
      "d/  2026-11-18 09:30\nl@  1969-12-31 23:59\nf  2026-11-18 09:30\ng",
    );
    expect(outcome(listing, ".", { sort: "size" }).body).toBe("d/\nl@\nf  2.0 KB\ng");
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
      [
        {
          reason: "Showing 0-2 of 5. 3 more items available.",
          next: "Use offset=2 to view next page.",
          change: { offset: 2 },
        },
      ],
    ],
    [
      "a page in the middle",
      2,
      2,
      5,
      [
        {
          reason: "Showing 2-4 of 5. 1 more items available.",
          next: "Use offset=4 to view next page.",
          change: { offset: 4 },
        },
      ],
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
    [
      "hidden entries beside others",
      { hidden: 4, files: 1, page: [{ name: "a", kind: "file" as const }] },
      0,
      ["(Not shown: 4 hidden or ignored entries.)"],
    ],
    [
      "hidden entries and past the end",
      { hidden: 4, files: 3 },
      3,
      ["[offset=3 is past the end: 3 items.]", "(Not shown: 4 hidden or ignored entries.)"],
    ],
  ])("notes what is not shown: %s", (_, listing, offset, expected) => {
    const { notes, discounts } = outcome(listing, ".", { offset });
    expect(notes).toEqual(expected);
    expect(discounts).toEqual([]);
  });

  it("counts what is hidden, if anything is", () => {
    expect(outcome({ hidden: 4 }).stats).toEqual({
      total_entries: 0,
      dirs: 0,
      files: 0,
      links: 0,
      returned: 0,
      hidden: 4,
    });
    expect(outcome({ hidden: 0 }).stats).not.toHaveProperty("hidden");
  });

  it("says that the time was over, and names no page of what it has not seen", () => {
    const page = [{ name: "a", kind: "file" as const }];
    const { discounts, data } = outcome({ page, files: 7, timedOut: true });
    expect(discounts).toEqual([
      {
        label: "Partial",
        reason: "Listing timed out (>5s). Counts are incomplete.",
        next: "List a smaller directory.",
        stoppedEarly: true,
      },
    ]);
    expect(data.truncated).toBe(false);
    // The end is unknown.
    expect(outcome({ files: 7, timedOut: true }, ".", { offset: 10 }).notes).toEqual([]);
  });

  it("is an error when the time was over before anything was seen", () => {
    expect(() => outcome({ timedOut: true })).toThrow("Listing timed out (>5s).");
    expect(outcome({ hidden: 1, timedOut: true }).discounts).toHaveLength(1);
  });

  it("escapes what a name could forge in the text, and keeps it in the data", () => {
    const name = "a\n[Truncated: \u202e\u001b[0m";
    const { body, data } = outcome({ page: [{ name, kind: "file" }], files: 1 });
    expect(body).toBe(String.raw`a\n[Truncated: \u202e\u001b[0m`);
    expect(data.entries).toEqual([{ path: name, type: "file" }]);
  });
});

function explain(reason: SandboxReason): string {
  const error = new SandboxError({ reason, path: "a/b", osError: "EIO: i/o error" });
  const explained = explainPathErrors(lsPathWords)(error, { path: "a/b" }, { has: () => true });
  return isToolError(explained) ? `${explained.code}: ${explained.message}` : "not explained";
}

describe("the words of LS", () => {
  it.each<[SandboxReason, string]>([
    ["missing", "NOT_FOUND: Path 'a/b' does not exist."],
    ["outside", "ACCESS_DENIED: Access denied. Path must be within the project root."],
    ["not_directory", "INVALID_PARAM: 'a/b' is a file, not a directory. Use 'Read' tool to view its content."],
    ["permission", "ACCESS_DENIED: Permission denied accessing 'a/b'."],
    ["io", "INTERNAL_ERROR: Failed to list directory - EIO: i/o error"],
    ["unknown", "INTERNAL_ERROR: Failed to list directory - EIO: i/o error"],
  ])("for %s: %s", (reason, expected) => {
    expect(explain(reason)).toBe(expected);
  });
});
