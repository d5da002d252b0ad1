/**
 * A Markdown table with aligned columns, so that it also reads well in a terminal and as prettier formats it.
 * Nothing at all without a line in its body.
 */
export function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  if (body.length === 0) return "";
  const widths = head.map((title, column) => Math.max(3, ...[...body, head].map((row) => width(row[column] ?? title))));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell))).join(" | ")} |`;
  const rule = line(widths.map((columns) => "-".repeat(columns)));
  return [line(head), rule, ...body.map(line)].join("\n");
}

function width(cell: string): number {
  return Array.from(cell).length;
}

/** Milliseconds with as many digits as mean something. */
export function milliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
}
