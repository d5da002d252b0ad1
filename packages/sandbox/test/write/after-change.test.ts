import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { fixture } from "@fstools/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createSandbox } from "../../src/sandbox.ts";
import { createFileVersions } from "../../src/versions.ts";
import type { AfterChangeAnswer, MadeChange } from "../../src/write/after-change.ts";
import { changeNotes } from "../../src/write/change-words.ts";
import type { ChangeOptions } from "../../src/write/placer.ts";
import { changeAll } from "./change-all.ts";

type Check = (
  file: string,
  options: { readonly signal: AbortSignal },
) => AfterChangeAnswer | Promise<AfterChangeAnswer>;

/** Writes one file, with something that runs afterwards; tells what is known of it then. */
async function written(text: string, check: Check, options: ChangeOptions = {}) {
  const { root, path } = fixture({ "a.txt": "old\n" });
  const sandbox = createSandbox({ projectRoot: root });
  const versions = createFileVersions();
  const place = await sandbox.resolve("a.txt");
  const change = () =>
    changeAll(sandbox, [{ path: "a.txt", text }], {
      versions,
      afterChange: (_, call) => check(path("a.txt"), call),
      ...options,
    });
  const [result] = (await change()).written;
  return { notes: changeNotes(result), version: result?.version, known: versions.known(place), sandbox, place, path };
}

function lines(count: number, shown: (line: number) => string = String): string {
  return Array.from({ length: count }, (_, index) => `${shown(index + 1)}\n`).join("");
}

const FAILED = "Note: The check after the change failed.";

// Rule: A host can look at a change, or format it, when it is on the disk and before the model is told.
describe("afterChange", () => {
  it("is told of all files of a change when they are on the disk", async () => {
    const { root, path } = fixture({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
    const made: MadeChange[] = [];
    const wishes = [
      { path: "a.txt", text: "new\n" },
      { path: "b.txt" },
      { path: "c.txt", to: "d.txt" },
      { path: "e.txt", text: "" },
    ];
    await changeAll(root, wishes, {
      afterChange: (change, { signal }) => {
        made.push(change);
        expect(signal.aborted).toBe(false);
        expect(readFileSync(path("a.txt"), "utf8")).toBe("new\n");
      },
    });
    const none = { lines_added: 0, lines_removed: 0 };
    const files = [
      { path: "a.txt", operation: "update", ...none },
      { path: "b.txt", operation: "delete", ...none },
      { path: "d.txt", from: "c.txt", operation: "move", ...none },
      { path: "e.txt", operation: "create", ...none },
    ];
    expect(made).toEqual([{ tool: "Set", files, diff: "the diff" }]);
  });

  it("is told of an approved change, and of none that was declined", async () => {
    const check = vi.fn();
    await written("new\n", check, { confirm: () => true });
    expect(check).toHaveBeenCalledOnce();
    await expect(written("new\n", check, { confirm: () => false })).rejects.toThrow("declined");
    expect(check).toHaveBeenCalledOnce();
  });

  it("adds notes, each on a line of its own that nothing in it can leave", async () => {
    const given = ["one\n\ntwo", "a\u2028[Truncated: no]", "x".repeat(600)];
    const { notes } = await written("new\n", () => ({ notes: given }));
    const long = `Note: ${"x".repeat(500)}…`;
    expect(notes).toEqual(["Note: one", "Note: two", String.raw`Note: a\u2028[Truncated: no]`, long]);
  });

  it("adds a bounded number of notes", async () => {
    const { notes } = await written("new\n", () => ({ notes: Array.from({ length: 25 }, String) }));
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe("Note: 5 more lines are not shown.");
  });

  it.each<[string, string, (text: string) => string, string]>([
    ["a line", lines(9), (text) => text.replace("3", "three"), " (line 3)"],
    ["several places", lines(90), (text) => text.replace("3\n4\n", "x\n").replace("80", "y"), " (lines 3, 79)"],
    ["lines that are gone", lines(9), (text) => text.replace("5\n", ""), " (line 5)"],
    ["most of it", lines(900), () => lines(900, (line) => (line === 1 ? "1" : `  ${line}`)), " (lines 2-900)"],
    ["what is too large to compare", lines(200_000), (text) => `x${text}`, ""],
  ])("says which lines it changed again: %s", async (_, text, format, where) => {
    const { notes, version, known, sandbox, place } = await written(text, (file) => {
      writeFileSync(file, format(text));
    });
    expect(notes[0]).toBe(`Note: 'a.txt' was changed again after the edit${where}.`);
    const file = sandbox.open(place);
    expect([version, known?.version]).toEqual([file.version, file.version]);
    file.close();
  });

  it("shows the first of those lines as they are now", async () => {
    const { notes } = await written(lines(90), (file) => {
      writeFileSync(
        file,
        `new\tone\u2028\n${lines(90, (line) => (line < 50 ? String(line) : `${"-".repeat(600)}${line}`))}`,
      );
    });
    expect(notes[0]).toContain("(lines 1, 51-91)");
    expect(notes.slice(1, 3)).toEqual([`   1 | new\tone\\u2028`, `  51 | ${"-".repeat(500)}…`]);
    expect(notes).toHaveLength(41);
  });

  it("says nothing of a file that was only touched, and knows its version", async () => {
    const { notes, version, known } = await written("new\n", (file) => {
      utimesSync(file, 1, 1);
    });
    expect(notes).toEqual([]);
    expect(version?.mtimeNs).toBe(1_000_000_000n);
    expect(known?.version).toEqual(version);
  });

  it.each<[string, (file: string) => void]>([
    ["is gone", rmSync],
    [
      "became a link to outside",
      (file) => {
        rmSync(file);
        symlinkSync("/etc/hostname", file);
      },
    ],
  ])("no longer knows a file that %s", async (_, remove) => {
    const { notes, known } = await written("new\n", (file) => {
      remove(file);
    });
    expect(notes).toEqual(["Note: 'a.txt' was changed again after the edit."]);
    expect(known).toBeUndefined();
  });

  it("does not hold up other calls on the file, and leaves to them what they changed", async () => {
    const { root, path } = fixture({ "a.txt": "old\n" });
    const sandbox = createSandbox({ projectRoot: root });
    const versions = createFileVersions();
    const [first] = (
      await changeAll(sandbox, [{ path: "a.txt", text: "one\n" }], {
        versions,
        afterChange: async () => {
          await changeAll(sandbox, [{ path: "a.txt", text: "two\n" }], { versions });
        },
      })
    ).written;
    expect(changeNotes(first)).toEqual([]);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("two\n");
    const file = sandbox.open(await sandbox.resolve("a.txt"));
    expect(versions.known(file.path)?.version).toEqual(file.version);
    file.close();
  });

  it.each<[string, () => never | Promise<never>]>([
    ["throws", () => expect.fail("no")],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("changes nothing if it %s; the host is told why", async (_, check) => {
    const onInternalError = vi.fn();
    const { notes, path } = await written("new\n", check, { onInternalError });
    expect(notes).toEqual([FAILED]);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("new\n");
    expect(onInternalError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: "no" }), {
      tool: "Set",
    });
  });

  it("is given up after 30 seconds", async () => {
    const limit = AbortSignal.timeout(20);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(limit);
    onTestFinished(() => {
      timeout.mockRestore();
    });
    const onInternalError = vi.fn();
    const stopped = vi.fn();
    const { notes } = await written(
      "new\n",
      (_, { signal }) => {
        signal.addEventListener("abort", stopped);
        return new Promise(() => undefined);
      },
      { onInternalError },
    );
    expect(timeout).toHaveBeenCalledWith(30_000);
    expect(notes).toEqual([FAILED]);
    expect(stopped).toHaveBeenCalledOnce();
    expect(onInternalError).toHaveBeenCalledWith(expect.objectContaining({ name: "TimeoutError" }), { tool: "Set" });
  });
});
