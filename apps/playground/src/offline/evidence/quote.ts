import type { Line, Page } from "../observation.ts";

const MAX_LINE_CHARS = 160;

/** "src/a.ts:3-9", the form that the page turns into a link. */
export function reference(path: string, lines: readonly Line[]): string {
  const first = lines[0]?.number;
  const last = lines.at(-1)?.number;
  if (first === undefined) return `\`${path}\``;
  return first === last ? `\`${path}:${first}\`` : `\`${path}:${first}-${last ?? first}\``;
}

/** Lines of a file as a fenced block below their reference; long ones are clipped in the middle. */
export function quote(path: string, lines: readonly Line[], maxLines = 40): string {
  const head = lines.length > maxLines ? lines.slice(0, Math.ceil(maxLines / 2)) : lines;
  const tail = lines.length > maxLines ? lines.slice(-Math.floor(maxLines / 2)) : [];
  const left = lines.length - head.length - tail.length;
  const gap = left > 0 ? [`     … ${left} more lines …`] : [];
  const body = [...head.map(numberedLine), ...gap, ...tail.map(numberedLine)].join("\n");
  return `${reference(path, lines)}\n\n${fenced(extension(path), body)}`;
}

/** A fenced block; what is in it cannot end it. */
export function fenced(language: string, body: string): string {
  const fence = body.includes("```") ? "~~~~" : "```";
  return `${fence}${language}\n${body}\n${fence}`;
}

function numberedLine({ number, text }: Line): string {
  const clipped = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
  return `${String(number).padStart(4)} | ${clipped}`;
}

function extension(path: string): string {
  return /\.([a-z\d]+)$/iu.exec(path)?.[1] ?? "";
}

/** A bulleted list, clipped with a count of what is left out. */
export function bullets(items: readonly string[], maxItems = 40): string {
  const shown = items.slice(0, maxItems).map((item) => `- \`${item}\``);
  if (items.length > maxItems) shown.push(`- … and ${items.length - maxItems} more`);
  return shown.join("\n");
}

/** "1 file", "2 files". */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** Quotes a page, and says how to go on. */
export function answerPage({ path, lines, total, next }: Page): string {
  if (lines.length === 0) return `\`${path}\` is empty.`;
  const of = total === undefined ? "" : ` of ${total}`;
  const head = `I read ${plural(lines.length, "line")}${of} in \`${path}\`.`;
  const rest = next
    ? `It goes on; ask me to continue, or call Read with start_line=${String(next.params.start_line)}.`
    : "";
  return [head, quote(path, lines), rest].filter((part) => part !== "").join("\n\n");
}
