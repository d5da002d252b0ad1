import { turnsDuring } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patched } from "./support.ts";

const MIB = 1024 * 1024;
const update = (body: string) => `*** Begin Patch\n*** Update File: f\n${body}*** End Patch\n`;
const hunks = (count: number, hunk: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => hunk(at)).join("");
const many = (count: number, line: (index: number) => string) => hunks(count, (index) => `${line(index)}\n`);

// Rule: No patch, however large or alike its lines are, costs more than the patch and the files, and none holds the event loop.
describe("a hostile patch", () => {
  it.each<[string, string, string, RegExp]>([
    ["of empty lines", "\n".repeat(4 * MIB), "a\n", /^patch is in neither/u],
    ["of one line of 60 MiB", "x".repeat(60 * MIB), "a\n", /^patch is in neither/u],
    [
      "of 60 MiB of one hunk",
      update(many(300_000, () => ` ${"x".repeat(200)}`)),
      "a\n",
      /^Hunk 1 of 'f' was not found/u,
    ],
    ["that adds 60 MiB", update(many(300_000, () => `+${"x".repeat(200)}`)), "a\n", /larger than 16777216 bytes/u],
    [
      "whose header counts all that follows",
      `--- a/f\n+++ b/f\n@@ -1,999999999 +1 @@\n${" a\n".repeat(MIB)}`,
      "a\n",
      /was not found/u,
    ],
    ["of many headers", "--- a/f\n+++ b/f\n".repeat(MIB), "a\n", /^Line 1 of the patch has no hunks/u],
    [
      "with a quoted name of 12 MiB",
      `diff --git "a/${"\\303\\251".repeat(1.5 * MIB)}" b\n`,
      "",
      /^Line 1 of the patch/u,
    ],
    [
      "of 10,000 hunks that fit everywhere",
      update("@@\n a\n-b\n+c\n".repeat(10_000)),
      "a\nb\n".repeat(200_000),
      /fits in more than 10 places/u,
    ],
    [
      "of 10,000 hunks that fit nowhere",
      update(hunks(10_000, (at) => `@@\n a\n-x${at}\n+c\n`)),
      "a\nb\n".repeat(50_000),
      /was not found[^]*And 9950 more/u,
    ],
    [
      "of 10,000 hunks that fit almost everywhere",
      update(`@@\n${" a\n b\n".repeat(50)} a\n-a\n+c\n`.repeat(10_000)),
      "a\nb\n".repeat(100_000),
      /was not found|fits in/u,
    ],
    [
      "of 10,000 hunks with escapes",
      update(hunks(10_000, (at) => `@@\n-\\n${at}\n+c\n`)),
      "a\nb\n".repeat(50_000),
      /was not found/u,
    ],
    [
      "of 10,000 anchors",
      update(`${"@@ a\n".repeat(10_000)}-b\n+c\n`),
      "a\nb\n".repeat(50_000),
      /fits in more than 10 places \(lines 20000,/u,
    ],
  ])(
    "%s is refused",
    async (_, patch, content, words) => {
      const { response } = await patched({ f: content }, patch);
      expect(response.text).toMatch(words);
      expect(response.text.length).toBeLessThan(16_000);
    },
    120_000,
  );

  it("of 10,000 hunks is applied, in turns", async () => {
    const patch = update(hunks(10_000, (at) => `@@\n }\n-line ${at * 10}\n+changed\n {\n`));
    const content = many(100_000, (at) => `}\nline ${at}\n{`);
    let files: Record<string, string> = {};
    const turns = await turnsDuring(async () => {
      ({ files } = await patched({ f: content }, patch));
    });
    expect(files.f?.match(/^changed$/gmu)).toHaveLength(10_000);
    expect(turns).toBeGreaterThan(10);
  }, 120_000);
});

const piece = fc.oneof(
  fc.constantFrom("*** Begin Patch", "*** Update File: f", "*** Add File: g", "*** Delete File: f", "*** Move to: h"),
  fc.constantFrom(
    "*** End of File",
    "*** End Patch",
    "@@",
    "@@ a",
    "@@ -1,2 +1,2 @@",
    " a",
    "-a",
    "+b",
    " b",
    "",
    "\\ No",
  ),
  fc.constantFrom(
    "--- a/f",
    "+++ b/f",
    "--- /dev/null",
    "+++ /dev/null",
    "diff --git a/f b/f",
    "rename from f",
    "rename to h",
  ),
  fc.constantFrom(
    "new file mode 100755",
    "deleted file mode 100644",
    'diff --git "a/\\303" "b/f"',
    "<<EOF",
    "EOF",
    "@@@",
    "-- ",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const lines = fc.array(fc.tuple(piece, fc.constantFrom("\n", "\n", "\n", "\r\n", "\r", "")), { maxLength: 20 });

describe("whatever is sent", () => {
  it("is answered, and either done or not", async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(lines, async (parts) => {
        const { response, files } = await patched({ f: "a\nb\n" }, `*** Update File: f\n${parts.flat().join("")}`);
        if (response.status === "error") expect(files).toEqual({ f: "a\nb\n" });
        else applied += 1;
        expect(response.error?.code).not.toBe("INTERNAL_ERROR");
      }),
      { numRuns: 300 },
    );
    await fc.assert(
      fc.asyncProperty(lines, async (parts) => {
        const { response, files } = await patched(
          { f: "a\nb\n" },
          `--- a/f\n+++ b/f\n@@ -1 +1 @@\n${parts.flat().join("")}`,
        );
        if (response.status === "error") expect(files).toEqual({ f: "a\nb\n" });
        else applied += 1;
        expect(response.error?.code).not.toBe("INTERNAL_ERROR");
      }),
      { numRuns: 300 },
    );
    expect(applied).toBeGreaterThan(0);
  }, 120_000);
});
