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
