import type { OpencodeVersion } from "../src/flavour.ts";

/** A page as the whole-file code of a reader in a hurry makes it. */
export interface ReferencePage {
  readonly lines: readonly string[];
  readonly end: "bytes" | "limit" | "file";
  readonly total: number;
}

/** All lines of a text, uncut: 1.2 splits at `\n`; 1.18 at `\r\n` and `\r` too, and a last one adds no line. */
export function referenceLines(bytes: Uint8Array, version: OpencodeVersion): string[] {
  const text = new TextDecoder("utf-8").decode(bytes);
  if (version === "1.2") return text.split("\n");
  const lines = text.split(/\r\n|\r|\n/u);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The slow and obvious way to the page that `readLines` should give. */
export function referencePage(
  bytes: Uint8Array,
  version: OpencodeVersion,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): ReferencePage {
  const all = referenceLines(bytes, version);
  const lines: string[] = [];
  for (const line of all.slice(offset - 1, offset - 1 + limit)) {
    const longer = [...lines, cutLine(line, version)];
    if (Buffer.byteLength(longer.join("\n")) > 51_200) return { lines, end: "bytes", total: all.length };
    lines.push(cutLine(line, version));
  }
  return { lines, end: offset - 1 + lines.length < all.length ? "limit" : "file", total: all.length };
}

function cutLine(line: string, version: OpencodeVersion): string {
  if (line.length <= 2000) return line;
  const mark = version === "1.2" ? "..." : "... (line truncated to 2000 chars)";
  return line.slice(0, 2000).replace(/[\uD800-\uDBFF]$/u, "") + mark;
}
