/** The look that both charts share. */
const INK = "#1f2328";
export const FAINT = "#d1d9e0";
export const OURS = "#0969da";
export const THEIRS = "#8c959f";

/** A whole SVG document on a light ground, readable on a dark page too. */
export function svg(width: number, height: number, title: string, shapes: readonly string[]): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...shapes,
    `</svg>`,
  ].join("\n")}\n`;
}

/** Text at a place. */
export function label(x: number, y: number, text: string, options: { bold?: boolean; anchor?: string } = {}): string {
  const { bold = false, anchor = "start" } = options;
  return `<text x="${round(x)}" y="${round(y)}" font-family="sans-serif" font-size="12" fill="${INK}" text-anchor="${anchor}"${bold ? ' font-weight="bold"' : ""}>${escapeXml(text)}</text>`;
}

export function bar(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" rx="2" fill="${fill}"/>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, stroke: string, dashed = false): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${stroke}"${dashed ? ' stroke-dasharray="4 4"' : ""}/>`;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
