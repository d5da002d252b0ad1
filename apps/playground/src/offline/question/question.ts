import { keywords } from "./words.ts";

/** The lines that a question asks for. */
export type LineRange =
  | { readonly kind: "page" }
  | { readonly kind: "whole" }
  | { readonly kind: "from"; readonly first: number; readonly last: number | undefined }
  | { readonly kind: "last"; readonly count: number };

/** What can be told from a question's wording alone. */
export interface Question {
  readonly text: string;
  /** Paths and file names, in order. */
  readonly paths: readonly string[];
  /** Glob patterns. */
  readonly patterns: readonly string[];
  /** Names of things in code: quoted, or spelled like identifiers. */
  readonly symbols: readonly string[];
  /** The directory that the question limits itself to. */
  readonly within: string | undefined;
  readonly lines: LineRange;
  readonly keywords: readonly string[];
}

/** Takes a question apart. */
export function parseQuestion(raw: string): Question {
  const located = takeLineSuffix(raw);
  const text = located.text;
  const tokens = tokensOf(text);
  const patterns = tokens.filter((token) => token.includes("*"));
  const paths = tokens.filter((token) => !patterns.includes(token) && isPath(token));
  const symbols = [...quotedNames(text), ...tokens.filter(isIdentifier)].filter((name) => !paths.includes(name));
  return {
    text,
    paths,
    patterns,
    symbols: [...new Set(symbols)],
    within: within(text),
    lines: located.lines ?? lineRange(text),
    keywords: keywords(text),
  };
}

/** "src/a.ts:10-20" and "src/a.ts#L10-L20" name lines, too. */
function takeLineSuffix(text: string): { text: string; lines: LineRange | undefined } {
  const found = /(?<=[\w)])(?::|#L)(\d+)(?:-L?(\d+))?(?=[\s`'"?,.]|$)/u.exec(text);
  if (!found) return { text, lines: undefined };
  const first = Number(found[1]);
  const last = found[2] === undefined ? first : Number(found[2]);
  const without = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  return { text: without, lines: { kind: "from", first, last } };
}

function tokensOf(text: string): string[] {
  return text
    .split(/\s+/u)
    .map((token) => token.replace(/^["'`“”‘’([<]+/u, "").replace(/[\])>"'`“”‘’,;:!?]+$/u, ""))
    .map((token) => (/[\w)\]]\.$/u.test(token) ? token.slice(0, -1) : token))
    .map((token) => token.replace(/["'`“”‘’?]+$/u, ""))
    .filter((token) => token !== "");
}

/** True for a file that people name without its extension. */
export function isWellKnown(name: string): boolean {
  return /^(?:readme|license|licence|makefile|dockerfile|changelog|contributing)$/iu.test(name);
}

function isPath(token: string): boolean {
  if (/^https?:/u.test(token) || /^(?:and\/or|either\/or|i\/o|e\.g|i\.e)$/iu.test(token)) return false;
  return token.includes("/") || token === "." || token === ".." || isWellKnown(token) || hasExtension(token);
}

/** True for a name with an extension, or a dot file. */
export function hasExtension(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^[^\s*]*[\w)\]-]\.[A-Za-z][A-Za-z\d]{0,7}$/u.test(name) || /^\.[\w-][\w.-]*$/u.test(name);
}

function quotedNames(text: string): string[] {
  return [...text.matchAll(/[`"“']([\p{L}_$][\p{L}\p{N}_$.]*)(?:\(\))?[`"”']/gu)]
    .map((found) => found[1] ?? "")
    .filter((name) => !hasExtension(name));
}

function isIdentifier(token: string): boolean {
  if (/^(?:TypeScript|JavaScript|GitHub|OpenAI)$/u.test(token)) return false;
  const name = token.replace(/\(\)$/u, "");
  return /^[A-Za-z_$][\w$]*$/u.test(name) && (/[a-z\d][A-Z]/u.test(name) || /[A-Za-z\d]_[A-Za-z\d]/u.test(name));
}

function within(text: string): string | undefined {
  const found =
    /\b(?:in|inside|under|below|within|of)\s+(?:the\s+)?(?:folder\s+|directory\s+)?[`'"]?([\w.@/-]+)/iu.exec(text);
  const name = found?.[1]?.replace(/\.$/u, "").replace(/\/$/u, "");
  if (name === undefined || name === "") return undefined;
  return /^(?:here|this|it|there|total|all|project|repo|repository|codebase|root|code|file|files)$/iu.test(name)
    ? "."
    : name;
}

function lineRange(text: string): LineRange {
  const span = /\blines?\s+(\d+)\s*(?:-|–|to|through|until|and|\.\.)\s*(\d+)/iu.exec(text);
  if (span) return { kind: "from", first: Number(span[1]), last: Number(span[2]) };
  const open = /\bfrom\s+line\s+(\d+)/iu.exec(text);
  if (open) return { kind: "from", first: Number(open[1]), last: undefined };
  const one = /\bline\s+(\d+)/iu.exec(text);
  if (one) return { kind: "from", first: Number(one[1]), last: Number(one[1]) };
  const edge = /\b(first|last)\s+(\d+)?\s*lines?\b/iu.exec(text);
  const count = Number(edge?.[2] ?? 1);
  if (edge?.[1]?.toLowerCase() === "first") return { kind: "from", first: 1, last: count };
  if (edge) return { kind: "last", count };
  return /\b(?:whole|entire|complete|full|everything|to the end|all of)\b/iu.test(text)
    ? { kind: "whole" }
    : { kind: "page" };
}
