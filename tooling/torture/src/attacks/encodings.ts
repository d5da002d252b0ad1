import type { Tool } from "@fstools/protocol";
import { createReadTool } from "@fstools/read";
import { createOpencodeReadEnvelopeTool } from "@fstools/read-opencode";
import iconv from "iconv-lite";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Arena, Attack, Tally } from "../attack.ts";
import { examine } from "../examine.ts";
import { followOpencode, followRead, type Assembled } from "../paging.ts";
import type { Random } from "../random.ts";
import { victimOf } from "../tools.ts";

/** Random bytes and every kind of encoding: the pages put together are the file as a naive program decodes it. */
export const encodings: Attack = {
  name: "encodings",
  what: "random bytes and texts in every encoding, read page by page in pages of random size",
  minimum: { full: 3000, short: 30 },
  run: async (arena) => {
    const tally = { files: 0, pages: 0 };
    // Sees the same path with ever new content: what it remembers of one version must not leak into the next.
    const steady = createReadTool({ projectRoot: arena.folder });
    while (arena.goOn()) {
      const pages = await oneFile(arena, steady);
      tally.files++;
      tally.pages += pages;
    }
    arena.tally.note("files", String(tally.files));
    arena.tally.note("pages", String(tally.pages));
  },
};

async function oneFile(arena: Arena, steady: Tool): Promise<number> {
  const kind = arena.random.fraction();
  if (kind < 0.2) return largeFile(arena, steady);
  if (kind < 0.5) return utf8File(arena);
  if (kind < 0.75) return encodedFile(arena);
  return opencodeFile(arena);
}

/** A file larger than any buffer, read by a tool that has seen many of that name. */
async function largeFile({ random, folder, tally }: Arena, steady: Tool): Promise<number> {
  const bytes = withBom(random, acrossBuffers(random));
  writeFile(random, join(folder, "file.txt"), bytes);
  const victim = victimOf("Read", steady);
  return judge(
    tally,
    bytes,
    await followRead((params) => examine(tally, victim, params), { path: "file.txt", limit: 2000 }),
  );
}

/** Bytes that are UTF-8, nearly UTF-8, or nothing at all. */
async function utf8File({ random, folder, tally }: Arena): Promise<number> {
  const bytes = withBom(random, someBytes(random));
  writeFile(random, join(folder, "file.txt"), bytes);
  return judge(tally, bytes, await followPages(random, bytes.length, folder, tally, {}));
}

function judge(tally: Tally, bytes: Buffer, assembled: Assembled): number {
  if (bytes.subarray(0, 8192).includes(0)) {
    if (!("refusal" in assembled) || assembled.refusal?.error?.code !== "BINARY_FILE") {
      tally.violation("Read showed a file with a NUL byte as text");
    }
    return 1;
  }
  const valid = isUtf8(bytes);
  if ("last" in assembled && "fallback_encoding" in assembled.last.data === valid) {
    tally.violation(
      `Read takes bytes for ${valid ? "invalid" : "valid"} UTF-8: ${bytes.toString("hex").slice(0, 200)}`,
    );
  }
  return compare(tally.violation, assembled, naiveLines(new TextDecoder().decode(bytes)), bytes, "utf-8");
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const ENCODINGS: Readonly<Record<string, string>> = {
  latin1: "abc é ß ÿ",
  "windows-1252": "abc € “ ” ÿ",
  "koi8-r": "абв ГДЕ",
  "iso-8859-7": "αβγ ΔΕΖ",
  shift_jis: "日本語 ｶﾅ ソ表",
  "euc-jp": "日本語 かな",
  gbk: "输出过大 繁體",
  gb18030: "输出 😀 ü",
  big5: "繁體中文 功能",
  "euc-kr": "한국어 문자",
  "utf-16le": "abc 输出 😀 \u010a\u0a0d\u0d0a",
  "utf-16be": "abc 输出 😀 \u010a\u0a0d\u0d0a",
  "utf-32le": "abc 😀",
  cp437: "abc ░▒▓",
};

/** A text in one of many encodings, sometimes with random bytes in between. */
async function encodedFile({ random, folder, tally }: Arena): Promise<number> {
  const [encoding, alphabet] = random.pick(Object.entries(ENCODINGS));
  const text = someText(random, [...Array.from(alphabet), "\n", "\r\n", "\r", "\n", " | "]);
  const clean = iconv.encode(text, encoding);
  const bytes = random.chance(0.2) ? Buffer.concat([clean, random.bytes(random.integer(1, 40)), clean]) : clean;
  writeFile(random, join(folder, "file.txt"), bytes);
  const assembled = await followPages(random, bytes.length, folder, tally, { encoding });
  // Half a pair, which iconv-lite passes on, is not text.
  const decoded = iconv.decode(bytes, encoding).replaceAll(/\p{Surrogate}/gu, "\ufffd");
  return compare(tally.violation, assembled, naiveLines(decoded), bytes, encoding);
}

/** A new tool with small pages, or with large ones where the file is large. */
async function followPages(
  random: Random,
  fileBytes: number,
  projectRoot: string,
  tally: Tally,
  more: object,
): Promise<Assembled> {
  // Up to some hundred pages a file: tiny ones where the file is tiny.
  const pageBytes = Math.max(64, fileBytes / random.integer(1, 200));
  const tool = createReadTool({
    projectRoot,
    maxPageBytes: Math.min(131_072, Math.ceil(pageBytes)),
    maxLineChars: Math.min(16_384, Math.ceil(pageBytes / random.pick([1, 2, 4]))),
  });
  const limit = Math.min(2000, Math.ceil(pageBytes / random.pick([1, 4, 10])));
  return followRead((params) => examine(tally, victimOf("Read", tool), params), { path: "file.txt", limit, ...more });
}

/** A file that seems to be old may be indexed; one that was just written may not. */
function writeFile(random: Random, path: string, bytes: Buffer): void {
  writeFileSync(path, bytes);
  if (!random.chance(0.5)) return;
  const longAgo = new Date(Date.now() - random.integer(10_000, 10_000_000));
  utimesSync(path, longAgo, longAgo);
}

/** opencode's read: lines as `split("\\n")` makes them, each cut at 2000 units. */
async function opencodeFile({ random, folder, tally }: Arena): Promise<number> {
  const bytes = withBom(random, random.chance(0.1) ? acrossBuffers(random) : someBytes(random));
  const path = join(folder, "file.txt");
  writeFile(random, path, bytes);
  const victim = victimOf("read 1.2", createOpencodeReadEnvelopeTool({ projectRoot: folder }));
  const assembled = await followOpencode((params) => examine(tally, victim, params), path);
  if (looksBinary(bytes)) {
    if (!("refusal" in assembled)) tally.violation(`read showed a binary file: ${bytes.toString("hex").slice(0, 200)}`);
    return 1;
  }
  const lines = new TextDecoder().decode(bytes).split("\n").map(cutLine);
  return compare(tally.violation, assembled, lines, bytes, "opencode");
}

function looksBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 4096);
  const odd = head.filter((byte) => byte < 9 || (byte >= 14 && byte <= 31)).length;
  return head.includes(0) || odd > head.length * 0.3;
}

function cutLine(line: string): string {
  if (line.length <= 2000) return line;
  const cut = line.slice(0, 2000);
  const last = cut.charCodeAt(1999);
  return `${last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut}...`;
}

function compare(
  complain: (what: string) => void,
  assembled: Assembled,
  expected: readonly string[],
  bytes: Buffer,
  what: string,
): number {
  if ("refusal" in assembled) {
    complain(`${what}: refused a text: ${assembled.refusal?.text ?? ""} ${bytes.toString("hex").slice(0, 200)}`);
    return 1;
  }
  const { lines, pages } = assembled;
  const at = expected.findIndex((line, index) => line !== lines[index]);
  if (at !== -1 || lines.length !== expected.length) {
    const where = at === -1 ? expected.length : at;
    const shown = [lines[where], expected[where]].map((line) => JSON.stringify(line ?? "").slice(0, 80)).join(" for ");
    complain(
      `${what}: line ${where + 1} of ${expected.length} is ${shown}; bytes ${bytes.toString("hex").slice(0, 200)}`,
    );
  }
  return pages;
}

/** As Python's text mode splits. */
function naiveLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/u);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

const PIECES = [
  "a",
  "Z",
  " ",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "é",
  "\u00a0",
  "输",
  "\u2028",
  "😀",
  "\ufeff",
  "\u0301",
  " | ",
  "x".repeat(50),
];

function someBytes(random: Random): Buffer {
  const text = Buffer.from(someText(random, PIECES));
  const kind = random.fraction();
  if (kind < 0.5) return text;
  if (kind < 0.7) return withoutNul(random.bytes(random.integer(0, 3000)));
  if (kind < 0.75) return random.bytes(random.integer(1, 20_000));
  // A text with broken places: flipped bytes and a code point cut at the end.
  const broken = Buffer.from(text.subarray(0, Math.max(0, text.length - random.integer(0, 3))));
  for (let flips = random.integer(0, 4); flips > 0 && broken.length > 0; flips--) {
    broken[random.integer(0, broken.length - 1)] = random.integer(1, 255);
  }
  return broken;
}

const WIDE_PIECES = ["é", "输", "😀", "\r\n", "\r\r\n", "x\r\n", "\ud83d", "\u0301"];

/** Characters of several bytes, and line ends, where a buffer of the reader may end. */
function acrossBuffers(random: Random): Buffer {
  const boundary = random.pick([64, 128, 512, 1024, 1100, 1536, 1536]) * 1024 - random.integer(0, 3);
  const line = `${"x".repeat(random.pick([50, 99, 3000]))}\n`;
  const filler = line.repeat(Math.ceil(boundary / line.length)).slice(0, boundary);
  return Buffer.concat([Buffer.from(filler + random.pick(WIDE_PIECES)), someBytes(random)]);
}

function withoutNul(bytes: Buffer): Buffer {
  for (const [index, byte] of bytes.entries()) if (byte === 0) bytes[index] = 1;
  return bytes;
}

function someText(random: Random, pieces: readonly string[]): string {
  const length = random.pick([0, 1, 10, 200, 2000, random.chance(0.05) ? 200_000 : 5000]);
  return Array.from({ length: random.integer(0, length) }, () => random.pick(pieces)).join("");
}

function withBom(random: Random, bytes: Buffer): Buffer {
  return random.chance(0.1) ? Buffer.concat([Buffer.from("\ufeff"), bytes]) : bytes;
}
