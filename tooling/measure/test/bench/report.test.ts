import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fillSections } from "../../src/report/document.ts";
import { table } from "../../src/report/table.ts";
import { limitTable, mergeResults, sections, type Results } from "../../src/bench/report.ts";
import { spread } from "../../src/report/spread.ts";

const ROOT = new URL("../../../../", import.meta.url);

const run = (ours: number, holds: boolean) => ({
  measurements: [
    { name: "ours", times: spread([ours]), longestTickMs: 3 },
    { name: "a <rival>", times: spread([ours * 4]), longestTickMs: undefined },
  ],
  verdicts: [{ target: "≥ 3x faster than a <rival>", reached: "4.00x", holds }],
});

const results: Results = {
  machine: {
    date: "2026-11-16",
    mode: "full",
    node: "v20.20.2",
    system: "Linux 6",
    processor: "2 x CPU",
    memory: "8 GiB",
  },
  rows: [{ id: "row", work: "Glob, `*`", runs: [run(10, true), run(12, false)] }],
  memory: [
    { work: "Read", limitBytes: 32 * 1024 ** 2, growthBytes: [1024 ** 2, 40 * 1024 ** 2] },
    { work: "Import", limitBytes: undefined, growthBytes: [7 * 1024 ** 2] },
  ],
};

describe("tables", () => {
  it("are aligned as prettier aligns them", () => {
    expect(table(["a", "long title"], [["≥ 1", "b"]])).toBe(
      ["| a   | long title |", "| --- | ---------- |", "| ≥ 1 | b          |"].join("\n"),
    );
  });

  it("are not aligned where no editor shows them whole", () => {
    const wide = "x".repeat(120);
    expect(table(["a", "b"], [[wide, "c"]])).toBe(`<!-- prettier-ignore -->\n|a|b|\n|---|---|\n|${wide}|c|`);
  });

  it("are left out without a line", () => {
    expect(table(["a"], [])).toBe("");
  });

  it("show medians and ratios of the last run; a target holds if it holds in all of them", () => {
    const { times, missed, machine } = sections(results);
    expect(times.split("\n")[2]).toMatch(/^\| Glob, `\*` \| 12\.0 ms \| 3ms +\| a <rival> 4\.00x +\|$/u);
    expect(missed).toContain("| 4.00x, 4.00x");
    expect(machine).toContain("2 runs in a row");
  });

  it("show memory that has no limit beside memory that has one", () => {
    const { memory } = sections(results);
    expect(memory).toMatch(/Read +\| 32\.0 MiB \| \*\*1\.0 MiB, 40\.0 MiB\*\*/u);
    expect(memory).toMatch(/Import \| +\| 7\.0 MiB/u);
  });
});

describe("documents", () => {
  it("are filled between the marks of their sections", () => {
    const document = "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n";
    const filled = fillSections(document, { x: "new", y: "unused" });
    expect(filled).toBe("a\n<!-- bench:x -->\n\nnew\n\n<!-- /bench:x -->\nb\n");
    expect(fillSections(filled, { x: "new" })).toBe(filled);
  });

  it("must have the end of a section, and a text for it", () => {
    expect(() => fillSections("<!-- bench:x -->", { x: "new" })).toThrow("no section 'x'");
    expect(() => fillSections("<!-- bench:x -->", {})).toThrow("Nothing fills the section 'x'");
  });

  it("show the figures of results.json", () => {
    const measured = JSON.parse(readFileSync(new URL("docs/benchmarks/results.json", ROOT), "utf8")) as Results;
    const texts = sections(measured);
    for (const path of ["README.md", "docs/benchmarks.md", "docs/scaling.md"]) {
      const document = readFileSync(new URL(path, ROOT), "utf8");
      expect(document).toContain("<!-- bench:");
      expect(fillSections(document, texts)).toBe(document);
    }
  });
});

describe("limits", () => {
  it("apply where the measured rows say", () => {
    const row = (id: string) => ({ id, work: id, runs: [run(100, true)] });
    const text = limitTable(["glob-flat", "ls-first-page-1000000", "read-first-page-2-GB"].map(row));
    expect(text).toMatch(/Glob .*about 20.0 ms/u);
    expect(text).toMatch(/Glob .*2 s .*2\.0 million/u);
    expect(text).toMatch(/LS .*50\.0 million/u);
    expect(text).toMatch(/Read .*200 GB/u);
    expect(limitTable([])).toBe("");
  });
});

describe("results", () => {
  it("of a run for some rows take the place of those rows only", () => {
    const [row] = results.rows;
    if (row === undefined) throw new Error("no row");
    const other = { ...row, id: "other" };
    const gone = { ...row, id: "gone" };
    const fresh = { ...row, work: "measured again" };
    const merged = mergeResults({ ...results, rows: [gone, row, other] }, { ...results, rows: [fresh], memory: [] }, [
      { id: "row" },
      { id: "other" },
    ]);
    expect(merged.rows).toEqual([fresh, other]);
    expect(merged.memory).toEqual(results.memory);
  });
});
