import { contenders, type Results } from "./results.ts";
import { byScore, scoreOf } from "./score.ts";

const NAMES = 200;
const STEP = 26;
const UNIT = 9;
const FILLS = { right: "#8c959f", told: "#bf8700", silent: "#cf222e" } as const;
const OURS = "#0969da";

export function chart(results: Results): string {
  const toolsets = contenders(results);
  const tasks = toolsets[0]?.outcomes.length ?? 0;
  const title = `${tasks} tasks: right, not right and told (yellow), not right and silent (red)`;
  const shapes = byScore(toolsets).flatMap((toolset, index) => {
    const score = scoreOf(toolset);
    const y = 44 + index * STEP;
    const isOurs = toolset.id === "fstools";
    let x = NAMES;
    const bars = (["right", "told", "silent"] as const).map((result) => {
      const fill = isOurs && result === "right" ? OURS : FILLS[result];
      const bar = `<rect x="${x}" y="${y}" width="${score[result] * UNIT}" height="18" fill="${fill}"/>`;
      x += score[result] * UNIT;
      return bar;
    });
    const words = `${score.right} right, ${score.told} told, ${score.silent} silent`;
    return [label(NAMES - 8, y + 13, toolset.title, "end", isOurs), ...bars, label(x + 8, y + 13, words)];
  });
  const [width, height] = [NAMES + tasks * UNIT + 190, 56 + toolsets.length * STEP];
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`;
  const ground = `<rect width="100%" height="100%" fill="#ffffff"/>`;
  return `${[open, ground, label(10, 22, title, "start", true), ...shapes, "</svg>"].join("\n")}\n`;
}

function label(x: number, y: number, text: string, anchor = "start", isBold = false): string {
  const weight = isBold ? ' font-weight="bold"' : "";
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="12" fill="#1f2328" text-anchor="${anchor}"${weight}>${text}</text>`;
}
