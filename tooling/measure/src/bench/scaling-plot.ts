import type { CurveResult } from "./results.ts";
import { milliseconds, size } from "../report/format.ts";
import { FAINT, label, line, OURS, round, svg } from "../report/svg.ts";

const PANEL = { width: 300, height: 260, left: 62, top: 34, bottom: 40, right: 18 };

/** A panel per curve, both axes logarithmic, with a dashed line that grows linearly from the first point. */
export function scalingPlot(curves: readonly CurveResult[]): string {
  const shapes = curves.flatMap((curve, index) => panel(curve, index * PANEL.width));
  return svg(PANEL.width * curves.length, PANEL.height, "How time grows with the input", shapes);
}

function panel({ work, unit, points }: CurveResult, left: number): string[] {
  const sizes = points.map((point) => Math.log10(point.size));
  const costs = points.map((point) => Math.log10(point.medianMs));
  const first = { size: sizes[0] ?? 0, cost: costs[0] ?? 0 };
  const lastSize = sizes.at(-1) ?? 1;
  const linearEnd = first.cost + lastSize - first.size;
  const low = Math.floor(Math.min(...costs));
  const high = Math.ceil(Math.max(...costs, linearEnd));
  const x = (value: number) =>
    left + PANEL.left + ((value - first.size) / (lastSize - first.size)) * (PANEL.width - PANEL.left - PANEL.right);
  const y = (value: number) =>
    PANEL.height - PANEL.bottom - ((value - low) / (high - low)) * (PANEL.height - PANEL.top - PANEL.bottom);
  const decades = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const path = sizes.map((value, index) => `${round(x(value))},${round(y(costs[index] ?? 0))}`).join(" ");
  return [
    label(left + PANEL.left, 20, work, { bold: true }),
    ...decades.flatMap((decade) => [
      line(x(first.size), y(decade), x(lastSize), y(decade), FAINT),
      label(left + PANEL.left - 6, y(decade) + 4, milliseconds(10 ** decade), { anchor: "end" }),
    ]),
    ...points.map((point, index) =>
      label(x(sizes[index] ?? 0), PANEL.height - 16, size(point.size, unit), { anchor: "middle" }),
    ),
    line(x(first.size), y(first.cost), x(lastSize), y(linearEnd), FAINT, true),
    `<polyline points="${path}" fill="none" stroke="${OURS}" stroke-width="2"/>`,
    ...sizes.map(
      (value, index) => `<circle cx="${round(x(value))}" cy="${round(y(costs[index] ?? 0))}" r="3.5" fill="${OURS}"/>`,
    ),
  ];
}
