import type { RowResult } from "./results.ts";
import { milliseconds } from "../report/format.ts";
import { bar, label, OURS, svg, THEIRS } from "../report/svg.ts";

const WIDTH = 900;
const NAMES = 270;
const VALUES = 90;
const BAR = 14;
const STEP = 19;

/** A group of bars per row: how long each contender took, ours first, each group on its own scale. */
export function barChart(rows: readonly RowResult[]): string {
  const shapes: string[] = [];
  let y = 10;
  for (const { work, runs } of rows) {
    const measurements = runs.at(-1)?.measurements ?? [];
    const longest = Math.max(...measurements.map(({ times }) => times.median));
    shapes.push(label(10, y + 14, work.replaceAll("`", ""), { bold: true }));
    y += 24;
    for (const [index, { name, times }] of measurements.entries()) {
      const width = Math.max(1, (times.median / longest) * (WIDTH - NAMES - VALUES));
      shapes.push(
        label(NAMES - 8, y + 11, name, { anchor: "end" }),
        bar(NAMES, y, width, BAR, index === 0 ? OURS : THEIRS),
        label(NAMES + width + 6, y + 11, milliseconds(times.median)),
      );
      y += STEP;
    }
    y += 12;
  }
  return svg(WIDTH, y, "Median time per contender; less is better", shapes);
}
