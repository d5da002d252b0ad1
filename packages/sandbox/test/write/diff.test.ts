import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture, turnsDuring } from "@fstools/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacer } from "../../src/pacer.ts";
import { createDiff } from "../../src/write/diff.ts";

const bytesOf = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
const diffOf = (before: string | undefined, after: string | undefined, path = "a.txt") =>
  createDiff({ path, before: bytesOf(before), after: bytesOf(after) }, createPacer());
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
    expect(await (await diffOf(undefined, "a\nb")).whole()).toBe(
      "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n",
    );
    expect(await (await diffOf("a\n", "")).whole()).toBe("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +0,0 @@\n-a\n");
    expect(await (await diffOf("a\n", "a\n")).whole()).toBe("");
    expect(await (await diffOf(undefined, "")).whole()).toBe(
      "diff --git a/a.txt b/a.txt\nnew file mode 100644\nindex 0000000..e69de29\n",
    );
  });

  it("says how much goes where the old lines are not shown", async () => {
    const before = { lines: 4, remark: "It is too large to show." };
    const diff = await createDiff({ path: "a.txt", before, after: Buffer.from("x\ny\n") }, createPacer());
    expect(diff).toMatchObject({ linesAdded: 2, linesRemoved: 4 });
    const expected = "--- a/a.txt\n+++ b/a.txt\nIt is too large to show.\n@@ -1,4 +1,2 @@\n+x\n+y\n";
    expect(diff.preview()).toEqual({ text: expected, isTruncated: false, lines: 6 });
    expect(await diff.whole()).toBe(expected);
    const emptied = await createDiff({ path: "a.txt", before, after: Buffer.alloc(0) }, createPacer());
    expect(await emptied.whole()).toContain("\n@@ -1,4 +0,0 @@\n");
  });

  it.each([
    ["a\n+++ b/x", `${String.raw`--- "a/a\n+++ b/x"`}\t`],
    ["ü.txt", String.raw`--- "a/\303\274.txt"`],
    [`"q"\\.txt`, String.raw`--- "a/\"q\"\\.txt"`],
    ["two words", "--- a/two words\t"],
  ])("writes the name %j as git does", async (name, expected) => {
    const [header] = (await (await diffOf("a", "b", name)).whole()).split("\n");
    expect(header).toBe(expected);
  });

  it("shows the end of each line, and the mark at the front", async () => {
    const diff = await diffOf("\ufeffa\r\nb\rc\n", "\ufeffx\r\nb\rc\n");
    expect(diff.preview().text.split("\n").slice(3)).toEqual(["-\ufeffa\r", "+\ufeffx\r", " b\rc", ""]);
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

  it("shows exactly 100 lines without a cut, the empty one after the last line break among them", async () => {
    const { text, isTruncated } = (await diffOf("", numbered(96, "x"))).preview();
    expect(text.split("\n")).toHaveLength(100);
    expect(isTruncated).toBe(false);
    expect((await diffOf("", numbered(97, "x"))).preview().isTruncated).toBe(true);
  });

  const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "d e\n", "x\ry\n", "ü\n", "\r"), {
    maxLength: 40,
  });
  const text = fc
    .tuple(fc.constantFrom("", "\ufeff"), lines, fc.constantFrom("", "end", "\r"))
    .map((parts) => parts.flat().join(""));
  const names = ["a.txt", "two words.txt", "ü.txt", "tab\t.txt", `"q"\\.txt`, "a\nb.txt", "-rf"];
  /** An old text, and parts of it that are replaced. */
  const edited = fc
    .tuple(text, fc.array(fc.tuple(fc.nat(60), fc.nat(20), fc.constantFrom("", "X", "Y\n", "\n", "Z\r\nZ"))))
    .map(([before, parts]) => {
      const old = Buffer.from(before);
      const changes: { start: number; end: number; newLength: number }[] = [];
      const pieces: Buffer[] = [];
      let at = 0;
      for (const [gap, size, replacement] of parts) {
        const start = characterEnd(old, at + gap);
        const end = characterEnd(old, start + size);
        pieces.push(old.subarray(at, start), Buffer.from(replacement));
        changes.push({ start, end, newLength: Buffer.byteLength(replacement) });
        at = end;
      }
      return { before: old, after: Buffer.concat([...pieces, old.subarray(at)]), changes };
    });
  const replaced = fc
    .tuple(fc.option(text, { nil: undefined }), fc.option(text, { nil: undefined }))
    .map(([before, after = before === undefined ? "new" : undefined]) => {
      return { before: bytesOf(before), after: bytesOf(after) };
    });

  /** What `git apply` and `patch -F0` make of the files, if one diff does or all together do what they should. */
  const applied = async (changes: readonly { before: Buffer | undefined; after: Buffer | undefined }[]) => {
    const roots = [fixture({}).root, fixture({}).root] as const;
    // Without lines, a name with a blank is ambiguous to `patch`.
    const isEmpty = ({ before, after }: (typeof changes)[number]) => (before ?? after)?.length === 0;
    const files = changes.map((change, index) => {
      return { ...change, path: `${index}${isEmpty(change) ? "" : (names[index % names.length] ?? "")}` };
    });
    const diffs: string[] = [];
    for (const request of files) {
      const { path, before } = request;
      for (const root of roots) if (before !== undefined) writeFileSync(join(root, path), before);
      const diff = await createDiff({ ...request, isOneOfSeveral: files.length > 1 }, createPacer());
      const { text: shown, isTruncated } = diff.preview();
      expect(isTruncated).toBe(false);
      expect(await diff.whole()).toBe(shown);
      diffs.push(shown);
    }
    const input = diffs.join("");
    if (input !== "") {
      execFileSync("git", ["apply", "-"], { cwd: roots[0], input, stdio: "pipe" });
      execFileSync("patch", ["-F0", "-p1", "--silent"], { cwd: roots[1], input, stdio: "pipe" });
    }
    return roots.map((root) =>
      files.map(({ path }) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined)),
    );
  };

  // Rule: A whole diff turns the old file into the new one with `patch -F0` and with `git apply`.
  it.each([
    ["one file", 1, 60],
    ["many files together", 50, 4],
  ])("turns the old text of %s into the new one, whatever they are", async (_, count, numRuns) => {
    const changes = fc.array(fc.oneof(edited, replaced), { minLength: count, maxLength: count });
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const expected = all.map(({ after }) => after?.toString());
        for (const result of await applied(all)) expect(result).toEqual(expected);
      }),
      { numRuns },
    );
  });

  it("does not search for the shortest diff of texts that have little in common", async () => {
    const [before, after] = [numbered(20_000, "the old file, line"), numbered(20_000, "and the new one, line")];
    const diff = await diffOf(before, after);
    expect(diff).toMatchObject({ linesAdded: 20_000, linesRemoved: 20_000 });
    expect(diff.preview().isTruncated).toBe(true);
  });

  it.each([
    ["finds sixty new lines among", 10, 60],
    ["replaces what is between sixty new lines among too many", 400, 47_260],
  ])("%s lines that are alike", async (_, count, linesAdded) => {
    const block = "a\nb\n".repeat(count);
    expect(await diffOf(block.repeat(60), `${block}c\n`.repeat(60))).toMatchObject({ linesAdded });
  });

  it("lets other work have its turn for each thousand changes of one place", async () => {
    let turns = 0;
    const busy = { due: () => true, rest: () => Promise.resolve(void (turns += 1)) };
    const [before, after] = [Buffer.from("a".repeat(200_000)), Buffer.from("b".repeat(200_000))];
    const changes = Array.from({ length: 102_400 }, (_, start) => ({ start, end: start + 1, newLength: 1 }));
    await createDiff({ path: "a", before, after, changes }, busy);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it("lets other work have its turn while it prints a long one", async () => {
    const diff = await diffOf("", numbered(400_000, "line"));
    expect(await turnsDuring(() => diff.whole())).toBeGreaterThan(1);
  });
});

/** The first place from `at` on where a character begins. */
function characterEnd(bytes: Buffer, at: number): number {
  let end = Math.min(at, bytes.length);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end += 1;
  return end;
}
