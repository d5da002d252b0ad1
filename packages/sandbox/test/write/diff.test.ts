import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnsDuring } from "@fstools/testing";
import { createPacer } from "../../src/pacer.ts";
import { createDiff, type DiffRegion } from "../../src/write/diff.ts";

const whole = (oldText: string, newText: string): DiffRegion => ({ oldLine: 1, newLine: 1, oldText, newText });
const diffOf = (oldText: string, newText: string, isNew = false) =>
  createDiff("a.txt", [whole(oldText, newText)], createPacer(), isNew);
const numbered = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix} ${index}\n`).join("");

describe("createDiff", () => {
  it("prints a unified diff with three lines around each change", async () => {
    const before = numbered(20, "line");
    const after = before.replace("line 4\n", "LINE 4\n").replace("line 15\n", "");
    const diff = await diffOf(before, after);
    expect(diff).toMatchObject({ linesAdded: 1, linesRemoved: 2 });
    expect(await diff.whole()).toMatchInlineSnapshot(`
      "--- a/a.txt
      +++ b/a.txt
      @@ -2,7 +2,7 @@
       line 1
       line 2
       line 3
      -line 4
      +LINE 4
       line 5
       line 6
       line 7
      @@ -13,7 +13,6 @@
       line 12
       line 13
       line 14
      -line 15
       line 16
       line 17
       line 18
      "
    `);
  });

  it("says so where a file begins, ends, or has no last line end", async () => {
    expect(await (await diffOf("", "a\nb", true)).whole()).toBe(
      "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
    );
    expect(await (await diffOf("a\n", "")).whole()).toBe("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +0,0 @@\n-a\n");
    expect(await (await diffOf("a\n", "a\n")).whole()).toBe("");
  });

  it("says how much goes where the old lines are not shown", async () => {
    const hidden = { oldLines: 4, newText: "x\ny\n", remark: "It is too large to show." };
    const diff = await createDiff("a.txt", [hidden], createPacer());
    expect(diff).toMatchObject({ linesAdded: 2, linesRemoved: 4 });
    const expected = "--- a/a.txt\n+++ b/a.txt\nIt is too large to show.\n@@ -1,4 +1,2 @@\n+x\n+y";
    expect(diff.preview()).toEqual({ text: expected, isTruncated: false, lines: 6 });
    expect(await diff.whole()).toBe(`${expected}\n`);
    const emptied = await createDiff("a.txt", [{ ...hidden, newText: "" }], createPacer());
    expect(await emptied.whole()).toContain("\n@@ -1,4 +0,0 @@\n");
  });

  it("shows a file name that cannot forge a line", async () => {
    const diff = await createDiff("a\n+++ b/x", [whole("a", "b")], createPacer());
    expect((await diff.whole()).split("\n").slice(0, 2)).toEqual([
      String.raw`--- a/a\n+++ b/x`,
      String.raw`+++ b/a\n+++ b/x`,
    ]);
  });

  it("turns the old text into the new one, whatever they are", async () => {
    const text = fc
      .array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d e\n", "\r"), { maxLength: 40 })
      .chain((lines) => fc.constantFrom("", "end").map((end) => lines.join("") + end));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const diff = await diffOf(before, after);
        expect(applyPatch(before, await diff.whole(), { autoConvertLineEndings: false })).toBe(after);
        const { text: shown, isTruncated, lines } = diff.preview();
        expect(isTruncated).toBe(false);
        expect(lines).toBe(shown === "" ? 0 : shown.split("\n").length);
      }),
    );
  });

  it("keeps its preview within 100 lines and 10 KiB, at a line's end", async () => {
    for (const after of [numbered(500, "x"), numbered(60, "y".repeat(300)), numbered(1, "é".repeat(6000))]) {
      const diff = await diffOf("old\n", after);
      const { text, isTruncated, lines } = diff.preview();
      const shown = text.split("\n");
      expect(isTruncated).toBe(true);
      expect(shown.at(-1)).toBe("... (diff truncated)");
      expect(lines).toBe(shown.length - 1);
      expect(shown.length).toBeLessThanOrEqual(100);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_240);
      expect((await diff.whole()).startsWith(shown.slice(0, -1).join("\n"))).toBe(true);
    }
  });

  it("shows exactly 100 lines without a cut", async () => {
    const { text, isTruncated } = (await diffOf("", numbered(97, "x"))).preview();
    expect(text.split("\n")).toHaveLength(100);
    expect(isTruncated).toBe(false);
    expect((await diffOf("", numbered(98, "x"))).preview().isTruncated).toBe(true);
  });

  it("does not search for the shortest diff of texts that have little in common", async () => {
    const [before, after] = [numbered(20_000, "the old file, line"), numbered(20_000, "and the new one, line")];
    const diff = await diffOf(before, after);
    expect(diff).toMatchObject({ linesAdded: 20_000, linesRemoved: 20_000 });
    expect(diff.preview().isTruncated).toBe(true);
  });

  it("lets other work have its turn while it prints a long one", async () => {
    const diff = await diffOf("", numbered(400_000, "line"));
    expect(await turnsDuring(() => diff.whole())).toBeGreaterThan(1);
  });
});
