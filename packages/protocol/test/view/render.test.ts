import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderForModel, type ToolResponse } from "../../src/index.ts";
import { ENVELOPES } from "../samples.ts";

const { batch, dryRun, edit, failure, glob, globBreaker, ls, read, truncated, truncatedFailure } = ENVELOPES;
const empty = { ...read, data: { content: "", truncated: false } };

function answer(data: object, text: string, path = "src"): ToolResponse<object> {
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
      "Listed 5 entries in 'src'\n(Total: 5 items - 2 dirs, 2 files, 1 links)\n\nlib/\n'(auth)'/\n'[Note: x'\nmain.ts\nnow@",
    );
    expect(renderForModel(ls)).toBe(ls.text);
    expect(renderForModel(ENVELOPES.lsWithSlash)).toBe("Listed 1 entries in 'src'\n\nutils/");
    expect(renderForModel(answer({ entries: [] }, "Listed 0 entries in 'src'"))).toBe("Listed 0 entries in 'src'");
  });

  it("shows Glob grouped, without times", () => {
    const paths = ["README.md", "src/app/a.ts", "src/app/b.ts", "src/app/c.ts", "test/x.ts"];
    const text = `Found 5 files matching '**' in '.'\n(Scanned 12 items in 32ms)\n[Note: x]\n\n${paths.join("\n")}`;
    expect(renderForModel(answer({ paths, truncated: false }, text))).toBe(
      "Found 5 files matching '**' in '.'\n(Scanned 12 items)\n[Note: x]\n\nREADME.md\nsrc/app/\n a.ts\n b.ts\n c.ts\ntest/x.ts",
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
      "Found 3 matches in 2 files for 'x' in '.'\n(Searched 20 files)\n\nsrc/a.ts\n1-one\n2:two\n3-three\n--\n8-eight\n9:nine\n\nsrc/b.ts\n1:1: one",
    );
  });

  it("shows Grep's files and counts grouped", () => {
    const files = ["src/app/a.ts", "src/app/b.ts", "src/app/c.ts"];
    const matches = files.map((file) => ({ file, line: 1, text: "x" }));
    const counted = matches.map((match) => ({ ...match, count: 3 }));
    const head = "Found 3 files with matches for 'x' in '.'";
    expect(renderForModel(answer({ matches }, `${head}\n\n${files.join("\n")}`))).toBe(
      `${head}\n\nsrc/app/\n a.ts\n b.ts\n c.ts`,
    );
    const counts = files.map((file) => `${file}: 3`).join("\n");
    expect(renderForModel(answer({ matches: counted }, `${head}\n\n${counts}`))).toBe(
      `${head}\n\nsrc/app/\n a.ts: 3\n b.ts: 3\n c.ts: 3`,
    );
    expect(renderForModel(answer({ matches: counted }, `${head}\n\n3 each`))).toBe(`${head}\n\n3 each`);
  });

  it("shows Read with tabs, and leaves inside a line what looks like a number", () => {
    const content = "   9 |   10 | x\n  10 | a\u2028   3 | b\r\n  11 | \n";
    const text = "Read 3 lines from 'in 5ms)' (Lines 9-11).\n(Took 4ms)\n[End of file: 11 lines.]";
    expect(renderForModel(answer({ content, truncated: false }, text))).toBe(
      "Read 3 lines from 'in 5ms)' (Lines 9-11).\n[End of file: 11 lines.]\n\n9\t  10 | x\n10\ta\u2028   3 | b\r\n11\t\n",
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
    ["a truncator's product", truncated, `${truncated.text}\n\n${truncated.data.preview}`],
    ["a truncated error", truncatedFailure, `${truncatedFailure.text}\n\n界`],
  ])("shows the whole text of %s", (_, response, rendered) => {
    expect(renderForModel(response)).toBe(rendered);
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
