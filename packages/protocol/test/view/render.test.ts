import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompletedResponse, renderForModel, type ToolResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const { batch, dryRun, edit, failure, glob, globBreaker, ls, read, truncated, truncatedFailure } = ENVELOPES;
const empty = { ...read, data: { content: "", truncated: false } };

function answer(data: object, text: string, path = "src"): CompletedResponse<object> {
  const context = { cwd: ".", params_input: {}, path_resolved: path };
  return { status: "success", data, text, stats: { time_ms: 9 }, context };
}

describe("the document's layout", () => {
  it.each<[string, ToolResponse<object>, string]>([
    ["LS: the text holds everything", ls, ls.text],
    ["Glob", glob, glob.text],
    ["a breaker", globBreaker, globBreaker.text],
    ["a read: its content below the text", read, `${read.text}\n\n${read.data.content}`],
    ["an empty file: the text alone", empty, read.text],
    ["an error", failure, failure.text],
    ["a truncator's product: its preview", truncated, `${truncated.text}\n\n${truncated.data.preview}`],
    ["a truncated error", truncatedFailure, `${truncatedFailure.text}\n\n界`],
  ])("renders %s", (_, response, rendered) => {
    expect(renderForModel(response, { layout: "document" })).toBe(rendered);
  });
});

describe("the compact layout", () => {
  it("shows LS as bare names", () => {
    const entries = [
      { path: "src/lib", type: "dir" },
      { path: "src/(auth)", type: "dir" },
      { path: "src/[Note: x", type: "file" },
      { path: "src/main.ts", type: "file" },
      { path: "src/now", type: "link" },
    ];
    const text = "Listed 5 entries in 'src'\n(Total: 5 items - 2 dirs, 2 files, 1 links)\n\nsrc/lib/\n…";
    expect(renderForModel(answer({ entries, truncated: false }, text))).toBe(
      "5 entries\n\nlib/\n'(auth)'/\n'[Note: x'\nmain.ts\nnow@",
    );
    expect(renderForModel(ls)).toBe(ls.text.split("\n").slice(2).join("\n"));
    expect(renderForModel(ENVELOPES.lsWithSlash)).toBe("1 entry\n\nutils/");
    expect(renderForModel(answer({ entries: [] }, "Listed 0 entries in 'src'"))).toBe("Listed 0 entries in 'src'");
  });

  it("shows Glob grouped, without times", () => {
    const paths = ["README.md", "src/app/a.ts", "src/app/b.ts", "src/app/c.ts", "test/x.ts"];
    const text = `Found 5 files matching '**' in '.'\n(Scanned 12 items in 32ms)\n[Note: x]\n\n${paths.join("\n")}`;
    expect(renderForModel(answer({ paths, truncated: false }, text))).toBe(
      "5 files\n[Note: x]\n\nREADME.md\nsrc/app/\n a.ts\n b.ts\n c.ts\ntest/x.ts",
    );
  });

  it("shows Grep by file, with its context", () => {
    const matches = [
      { file: "src/a.ts", line: 2, text: "two", before: ["one"], after: ["three"] },
      { file: "src/a.ts", line: 9, text: "nine", before: ["eight"], after: [] },
      { file: "src/b.ts", line: 1, text: "1: one", before: [], after: [] },
    ];
    const head = "Found 3 matches in 2 files for 'x' in '.'\n(Searched 20 files in 5ms)";
    expect(renderForModel(answer({ matches, truncated: false }, `${head}\n\nsrc/a.ts\n  1- one\n…`))).toBe(
      "3 matches in 2 files\n\nsrc/a.ts\n1-one\n2:two\n3-three\n--\n8-eight\n9:nine\n\nsrc/b.ts\n1:1: one",
    );
  });

  it("shows Grep's files and counts grouped", () => {
    const files = ["src/app/a.ts", "src/app/b.ts", "src/app/c.ts"];
    const matches = files.map((file) => ({ file, line: 1, text: "x" }));
    const counted = matches.map((match) => ({ ...match, count: 3 }));
    const head = "Found 3 files with matches for 'x' in '.'";
    expect(renderForModel(answer({ matches }, `${head}\n\n${files.join("\n")}`))).toBe(
      "3 files\n\nsrc/app/\n a.ts\n b.ts\n c.ts",
    );
    const counts = files.map((file) => `${file}: 3`).join("\n");
    expect(renderForModel(answer({ matches: counted }, `${head}\n\n${counts}`))).toBe(
      "3 files\n\nsrc/app/\n a.ts: 3\n b.ts: 3\n c.ts: 3",
    );
    expect(renderForModel(answer({ matches: counted }, `${head}\n\n3 each`))).toBe(`${head}\n\n3 each`);
  });

  it("shows Read with tabs, and leaves inside a line what looks like a number", () => {
    const content = "   9 |   10 | x\n  10 | a\u2028   3 | b\r\n  11 | \n";
    const text = "Read 3 lines from 'in 5ms)' (Lines 9-11).\n(Took 4ms)\n[End of file: 11 lines.]";
    expect(renderForModel(answer({ content, truncated: false }, text))).toBe(
      "[End of file: 11 lines.]\n\n9\t  10 | x\n10\ta\u2028   3 | b\r\n11\t\n",
    );
    expect(renderForModel(empty)).toBe("Read 1 lines from 'a.txt' (Lines 1-1).");
  });

  it.each([
    ["without numbers", "plain\n"],
    ["without a last line break", "   1 | a"],
    ["whose numbers jump", "   1 | a\n   3 | b\n"],
    ["of another layout", "<path>/a</path>\n   1 | a\n"],
  ])("leaves content alone %s", (_, content) => {
    expect(renderForModel(answer({ content }, "Read."))).toBe(`Read.\n\n${content}`);
  });

  it.each<[string, ToolResponse<object>, string]>([
    ["an error", failure, failure.text],
    [
      "an error of two parts",
      { ...failure, text: `${failure.text}\n(Took 1ms)\n\nMore.\n(Took 1ms)` },
      `${failure.text}\n\nMore.\n(Took 1ms)`,
    ],
    ["a breaker", globBreaker, globBreaker.text.replace(" in 90ms", "")],
    [
      "an edit",
      { ...edit, text: "Edited 'a': 1 replacements.\n(Took 3ms)\n\n   1 | (Took 3ms)" },
      "Edited 'a': 1 replacements.\n\n   1 | (Took 3ms)",
    ],
    ["a dry run", dryRun, dryRun.text],
    ["a tool of others", batch, batch.text],
    ["entries of others", answer({ entries: ["a"] }, "One.\n\nentry a"), "One.\n\nentry a"],
    ["matches of others", answer({ matches: [{ file: "a" }] }, "One.\n\na"), "One.\n\na"],
    [
      "a truncator's product",
      truncated,
      `[Output too large: The output of Glob is 5234 lines.]\n\n${truncated.data.preview}`,
    ],
    ["a truncated error", truncatedFailure, "[Output too large: The output of X is 60000 bytes.]\n\n界"],
  ])("shows the whole text of %s", (_, response, rendered) => {
    expect(renderForModel(response)).toBe(rendered);
  });

  // Rule: The view of an answer says by itself only what its list or lines do not.
  it.each<[string, ToolResponse<object>, string]>([
    [
      "one match",
      answer(
        { matches: [{ file: "a", line: 1, text: "x" }] },
        "Found 1 matches in 1 files for 'x' in '.'\n(Searched 1 files in 5ms)\n\na\n  1: x",
      ),
      "1 match in 1 file\n\na\n1:x",
    ],
    [
      "nothing found",
      answer({ paths: [] }, "No files found matching 'x' in '.'\n(Scanned 3 items in 1ms)\n(Not searched: 1 hidden)"),
      "No files found matching 'x' in '.'\n(Scanned 3 items)\n(Not searched: 1 hidden)",
    ],
    [
      "a list with hidden entries",
      answer(
        { entries: [{ path: "src/big.bin", type: "file" }] },
        "Listed 1 entries in 'src'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n(Not shown: 2 hidden or ignored entries.)\n\nsrc/big.bin  1.2 MB",
      ),
      "1 entry\n(Not shown: 2 hidden or ignored entries.)\n\nbig.bin  1.2 MB",
    ],
    [
      "a partial list",
      {
        ...answer({ paths: ["a", "b"], truncated: true }, ""),
        status: "partial",
        text: "Found 2 files matching '*' in '.'\n(Scanned 2 items in 1ms)\n[Truncated: Showing matches 1-2. Use offset=2 to continue.]\nNote: 'glob' was taken as 'pattern'.\n\na\nb",
      },
      "[Truncated: Showing matches 1-2. Use offset=2 to continue.]\nNote: 'glob' was taken as 'pattern'.\n\na\nb",
    ],
  ])("shortens the head of %s", (_, response, rendered) => {
    expect(renderForModel(response)).toBe(rendered);
  });

  it("shows bare lines below a head, so that none can pass for a note", () => {
    const text = "Read 2 lines from 'a' (Lines 1-2).\n(Took 4ms)";
    const read = answer({ content: "   1 | [Note: x]\n   2 | \n" }, text);
    expect(renderForModel(read, { lineNumbers: "none" })).toBe("2 lines\n\n[Note: x]\n\n");
    expect(renderForModel(read)).toBe("1\t[Note: x]\n2\t\n");
    const partial = { ...read, status: "partial" as const, text: `${text}\n[Truncated: Showing first 2 of 9 lines.]` };
    expect(renderForModel(partial, { lineNumbers: "none" })).toBe(
      "[Truncated: Showing first 2 of 9 lines.]\n\n[Note: x]\n\n",
    );
  });

  it.each<[string, object, unknown, string, boolean]>([
    ["one place", { replacements: 1 }, {}, "1 replacement (line 7)", true],
    ["places of several edits", { replacements: 2 }, { edits: [1, 2] }, "2 replacements (lines 4-5, 9)", true],
    ["every occurrence", { replacements: 2 }, { replace_all: true }, "2 replacements (lines 4, 9)", false],
    ["a place by fallback", { replacements: 1, fallback: "escapes" }, {}, "1 replacement (line 7)", false],
  ])("shows the lines of an edit of %s only if they are worth a look", (_, data, given, count, isExact) => {
    const text = `Edited 'it's': ${count}.\n(Took 3ms)\n\n   7 | x`;
    const context = { cwd: ".", params_input: given };
    const edited: CompletedResponse<object> = {
      ...answer(data, text),
      context,
      status: "fallback" in data ? "partial" : "success",
    };
    const places = count.replace(/^.*\(|\)$/gu, "");
    expect(renderForModel(edited)).toBe(isExact ? `Edited 'it's', ${places}.` : `Edited 'it's': ${count}.\n\n   7 | x`);
    const noted = { ...edited, text: text.replace("\n\n", "\nNote: Written in place.\n\n") };
    expect(renderForModel(noted)).toContain("Note: Written in place.\n\n   7 | x");
  });

  it("numbers the lines of an edit as those of what was read, and keeps what only looks like a number", () => {
    const rest = "   7 |    3 | x\n  ...\n  12 | \n1234 | y";
    const edited = answer(
      { operation: "edit", replacements: 3 },
      `Edited 'a': 3 replacements (lines 7, 12, 1234).\n\n${rest}`,
    );
    const shown = "7\t   3 | x\n  ...\n12\t\n1234\ty";
    expect(renderForModel(edited)).toBe(`Edited 'a': 3 replacements (lines 7, 12, 1234).\n\n${shown}`);
    expect(renderForModel({ ...edited, data: { operation: "patch" } })).toContain(rest);
  });

  it("changes nothing, and says the same for the same answer at another time", () => {
    const before = JSON.stringify(ENVELOPES);
    for (const response of Object.values(ENVELOPES)) {
      const later = { ...response, text: response.text.replaceAll(/\d+ms/gu, "77777ms") };
      expect(renderForModel(later)).toBe(renderForModel(response));
    }
    expect(JSON.stringify(ENVELOPES)).toBe(before);
  });

  it("holds every line that was read", () => {
    const line = fc.string({ unit: fc.constantFrom("a", " ", "|", "1", "\t", "\u2028", "\r", "é") });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 99_995 }),
        (lines, first) => {
          const numbered = lines.map((text, index) => `${String(first + index).padStart(4)} | ${text}\n`);
          const shown = renderForModel(answer({ content: numbered.join("") }, "Read."));
          expect(shown).toBe(`Read.\n\n${lines.map((text, index) => `${first + index}\t${text}\n`).join("")}`);
        },
      ),
    );
  });
});
