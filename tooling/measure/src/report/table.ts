/** What an editor shows of a line; an alignment beyond it helps nobody. */
const MAX_ALIGNED = 120;

/**
 * A Markdown table: aligned as prettier aligns it, or, where it is too wide to be read like that, without any padding.
 * Nothing at all without a line in its body.
 */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  if (body.length === 0) return "";
  const rows = [head, ...body];
  const widths = head.map((title, column) => Math.max(3, ...rows.map((row) => width(row[column] ?? title))));
  const isAligned = widths.reduce((sum, columns) => sum + columns + 3, 1) <= MAX_ALIGNED;
  const line = (cells: readonly string[]) =>
    isAligned
      ? `| ${cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell))).join(" | ")} |`
      : `|${cells.join("|")}|`;
  const rule = line(widths.map((columns) => "-".repeat(isAligned ? columns : 3)));
  const lines = [line(head), rule, ...body.map(line)].join("\n");
  return isAligned ? lines : `<!-- prettier-ignore -->\n${lines}`;
}

function width(cell: string): number {
  return Array.from(cell).length;
}

export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
}
