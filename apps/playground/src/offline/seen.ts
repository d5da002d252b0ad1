import { linesOf, shownSchema, type Envelope } from "../envelope.ts";

/** What a tool's answer shows; what it has nothing of is empty. */
export function seenIn(answer: Envelope) {
  const { content, ...found } = shownSchema.parse(answer.data);
  const lines = linesOf(content).flatMap(({ line, text }) => (line ? [{ line: Number(line), text }] : []));
  const { path_resolved: path = ".", next_call: next } = answer.context;
  return { ...found, lines, path, next, answer };
}

/** What a tool's answer shows. */
export type Seen = ReturnType<typeof seenIn>;

/** An answer in words: lines and matches quoted with their place, names as a list. */
export function show(seen: Seen): string {
  const { answer, entries, paths, matches, lines, media, next, path } = seen;
  const more = next ? '\n\nThat is the first page; say "continue" for the next.' : "";
  const [sentence = ""] = answer.text.split("\n");
  if (media !== undefined) return `${sentence} A model that can see gets the picture itself; I can't look at it.`;
  if (lines.length > 0) return quote(seen) + more;
  const found = matches.map(({ file, line, text }) => `${place(file, line)} ${text.trim().slice(0, 120)}`);
  if (matches.length + paths.length > 0) return `${sentence}:\n\n${bullets([...found, ...codes(paths)])}${more}`;
  if (entries.length === 0) return sentence;
  const total = plural(Number(answer.stats.total_entries ?? answer.stats.total ?? entries.length), "entry");
  const names = entries.map((entry) => (entry.type === "dir" ? `${entry.path}/` : entry.path));
  return `\`${path}\` has ${total}:\n\n${bullets(codes(names))}${more}`;
}

/** A passage: its place, then its numbered lines. */
export function quote({ path, lines }: Pick<Seen, "path" | "lines">): string {
  const body = lines.map(({ line, text }) => `${String(line).padStart(4)} | ${text}`).join("\n");
  const fence = body.includes("```") ? "~~~~" : "```";
  const language = /\.(\w+)$/u.exec(path)?.[1] ?? "";
  return `${place(path, lines[0]?.line ?? 1, lines.at(-1)?.line)}\n\n${fence}${language}\n${body}\n${fence}`;
}

/** `path:line`, or `path:first-last`. */
export const place = (path: string, first: number, last = first) =>
  `\`${path}:${first}${last > first ? `-${last}` : ""}\``;

/** "1 file", "2 files". */
export const plural = (count: number, noun: string) =>
  `${count} ${count === 1 ? noun : `${noun.replace(/y$/u, "ie")}s`}`;

/** Texts in the type of code. */
export const codes = (texts: readonly string[]) => texts.map((text) => `\`${text}\``);

/** A list, each item on a line of its own. */
export const bullets = (items: readonly string[]) => items.map((item) => `- ${item}`).join("\n");
