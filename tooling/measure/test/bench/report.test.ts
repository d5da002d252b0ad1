import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { limitTable } from "../../src/bench/limits.ts";
import { exponents } from "../../src/bench/growth.ts";
import { barChart } from "../../src/bench/bar-chart.ts";
import { fillSections } from "../../src/report/document.ts";
import { sections } from "../../src/bench/markdown.ts";
import { scalingPlot } from "../../src/bench/scaling-plot.ts";
import { table } from "../../src/report/table.ts";
import { mergeResults, type Results } from "../../src/bench/results.ts";
import { spread } from "../../src/bench/spread.ts";

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
  scaling: [
    {
      work: "LS",
      unit: "entries",
      points: [
        { size: 1000, medianMs: 1 },
        { size: 10_000, medianMs: 10 },
        { size: 100_000, medianMs: 30 },
      ],
    },
  ],
};

describe("tables", () => {
  it("are aligned as prettier aligns them", () => {
    expect(table(["a", "long title"], [["≥ 1", "b"]])).toBe(
      ["| a   | long title |", "| --- | ---------- |", "| ≥ 1 | b          |"].join("\n"),
    );
  });

  it("are left out without a line", () => {
    expect(table(["a"], [])).toBe("");
  });

  it("show what each run reached; a target holds if it holds in all of them", () => {
    const { targets, machine } = sections(results);
    expect(targets).toContain("| 4.00x, 4.00x");
    expect(targets.split("\n")[2]).toContain("**no**");
    expect(targets).toContain("1.0 MiB, 40.0 MiB");
    expect(machine).toContain("2 runs in a row");
  });

  it("show memory that has no target beside memory that has one", () => {
    const { targets, memory } = sections(results);
    expect(memory).toMatch(/Import +\| 7\.0 MiB/u);
    expect(targets).not.toContain("Import");
  });

  it("show medians and ratios of the last run", () => {
    expect(sections(results).medians).toMatch(/a <rival>\s+\| 48\.0 ms .*\| 4\.00x/u);
  });

  it("show how cost grows: 1 is linear", () => {
    const [curve] = results.scaling;
    expect(curve && exponents(curve).map((value) => value.toFixed(2))).toEqual(["1.00", "0.48"]);
    expect(sections(results).scaling).toContain("| 100k");
  });
});

describe("charts", () => {
  it.each([
    ["bars", barChart(results.rows)],
    ["curves", scalingPlot(results.scaling)],
  ])("%s are whole SVG documents without raw markup in labels", (_, chart) => {
    expect(chart).toMatch(/^<svg [^]*<\/svg>\n$/u);
    expect(chart).not.toMatch(/NaN|undefined|<rival>/u);
  });

  it("draw a bar in proportion to the time", () => {
    const widths = [...barChart(results.rows).matchAll(/<rect x="270" [^>]*width="(?<width>[\d.]+)"/gu)].map(
      ({ groups }) => Number(groups?.width),
    );
    expect(widths).toEqual([135, 540]);
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
  it("apply where the measured curves say", () => {
    const curve = (work: string) => ({
      work,
      unit: "entries" as const,
      points: [
        { size: 1000, medianMs: 3 },
        { size: 1_000_000, medianMs: 1002 },
      ],
    });
    const text = limitTable(["LS, first page", "Glob, one match", "Read, first page"].map(curve));
    expect(text).toMatch(/Glob .*about 22.0 ms/u);
    expect(text).toMatch(/Glob .*2 s .*2\.0 million/u);
    expect(text).toMatch(/LS .*5\.0 million/u);
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
