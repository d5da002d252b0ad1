// Cc: C0, DEL and C1 controls. Cf: bidi controls, and invisible ones, such as Unicode tags. Cs: lone surrogates. Then
// line separators, and the variation selectors in which a text can be hidden.
const UNSAFE = /[\u{e0100}-\u{e01ef}\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
// How our own lines begin; a name that is indented below its directory begins with a blank.
const OWN_LINE = /^(?:\s|\[(?:Truncated|Partial|Warning|Note):|Use |Note:|\()/u;
// A quoted name or directory ("'(auth)/'"), or one that a caller put behind its directory: "app/'(auth)'".
const QUOTED = /(?<=^|\/|\/')'(.*?)(?:'(?=\/|$)|(?<=\/)')/gsu;
const QUOTED_WHOLE = /^'(.*)'(?=\/?$)/su;
const PLAIN = /^[ -~]*$/u;
const ESCAPE = /\\(?:([nrt])|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\})/gu;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
const MAX_ECHO_CHARACTERS = 200;
// Looking at a text takes less time than encoding it, if it is shorter.
const SHORT_UNITS = 100;

/** Shows controls, line separators and invisible characters as escapes, so that a value cannot forge a line of `text`. */
export function escapeText(value: string): string {
  if (PLAIN.test(value)) return value;
  return value.replace(UNSAFE, escapeCharacter);
}

/** {@link escapeText} for a line of a file: tabs stay, since an edit has to match them. */
export function escapeLine(line: string): string {
  return line.includes("\t") ? line.split("\t").map(escapeText).join("\t") : escapeText(line);
}

/** A name or path as a list shows it on a line of its own: escaped, and quoted if it begins like one of our own lines. */
export function listedName(name: string): string {
  const shown = escapeText(name);
  return OWN_LINE.test(name) ? `'${shown}'` : shown;
}

/** Names or paths as {@link listedName} shows each, one per line, each followed by its tail. */
export function listedNames(names: readonly string[], tails: readonly string[] = []): string {
  return names.map((name, index) => listedName(name) + (tails[index] ?? "")).join("\n");
}

/** The paths that {@link listedName} may have shown like this, best first; none if the text is the path itself. */
export function namesFromText(shown: string): readonly string[] {
  // A name may have quotes of its own, inside ours or without them.
  const unquoted = [shown.replace(QUOTED, "$1"), shown.replace(QUOTED_WHOLE, "$1"), shown];
  const names = new Set(unquoted.flatMap((name) => [name.replace(ESCAPE, unescape), name]));
  names.delete(shown);
  return [...names];
}

/** Any other escape, such as `\u0041`, is left alone: it is part of a name. */
function unescape(escape: string, short?: string, unit?: string, point?: string): string {
  const code = Number.parseInt(unit ?? point ?? "", 16);
  const letter = [...SHORT_ESCAPES].find(([, written]) => short !== undefined && written === escape)?.[0];
  const character = letter ?? (code <= 0x10ffff ? String.fromCodePoint(code) : escape);
  return escapeText(character) === escape ? character : escape;
}

/** {@link escapeText} for a value that the caller passed in: clipped at 200 characters, never inside an escape. */
export function echo(value: string): string {
  let shown = "";
  let length = 0;
  for (const character of value) {
    const escaped = escapeText(character);
    length += escaped === character ? 1 : escaped.length;
    if (length > MAX_ECHO_CHARACTERS) return `${shown}…`;
    shown += escaped;
  }
  return shown;
}

/** A change of parameters as a model would write it: "start_line=5 start_column=7". */
export function assigned(change: Readonly<Record<string, unknown>>): string {
  return Object.entries(change)
    .map(([name, value]) => `${name}=${typeof value === "string" ? `'${echo(value)}'` : JSON.stringify(value)}`)
    .join(" ");
}

export function withHint(message: string, hint: string): string {
  return /[.!?\]]$/u.test(message) ? `${message} ${hint}` : `${message}. ${hint}`;
}

/** Adds lines to the first part of a text, which ends at its first blank line. */
export function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const end = `${text}\n\n`.indexOf("\n\n");
  return [text.slice(0, end), ...notes].join("\n") + text.slice(end);
}

function escapeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return SHORT_ESCAPES.get(character) ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`);
}

/** How many "\n" a text has. */
export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

const utf8 = new TextEncoder();

export function utf8Length(text: string): number {
  return text.length < SHORT_UNITS && PLAIN.test(text) ? text.length : utf8.encode(text).length;
}

/** Whether a UTF-16 unit is the first half of a pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Whether a UTF-16 unit is the second half of a pair. */
export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// Keeps a leading U+FEFF, which is a character like any other here.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export interface TruncationLimits {
  readonly direction: "head" | "tail";
  readonly maxLines: number;
  readonly maxBytes: number;
}

export type TextSize = Readonly<ReturnType<typeof sizeOf>>;

export function sizeOf(text: string) {
  return { lines: countNewlines(text) + 1, bytes: utf8Length(text) };
}

/** One end of a text, cut at a line break unless that drops over half of `maxBytes`, else between two characters. */
export function sliceOf(text: string, { direction, maxLines, maxBytes }: TruncationLimits): string {
  const isHead = direction === "head";
  const fitting = fittingPart(text, isHead, maxBytes);
  const lines = fitting.split("\n");
  if (lines.length > maxLines) return (isHead ? lines.slice(0, maxLines) : lines.slice(-maxLines)).join("\n");
  const beyond = isHead ? text[fitting.length] : text.at(-fitting.length - 1);
  const endsWhole = beyond === undefined || beyond === "\n";
  const outermost = (isHead ? lines.at(-1) : lines[0]) ?? "";
  if (endsWhole || lines.length === 1 || utf8Length(outermost) + 1 > maxBytes / 2) return fitting;
  return (isHead ? lines.slice(0, -1) : lines.slice(1)).join("\n");
}

/** What fits without half a character. Every unit takes a byte at least, so the rest of the text need not be encoded. */
function fittingPart(text: string, isHead: boolean, maxBytes: number): string {
  const bytes = utf8.encode(isHead ? text.slice(0, maxBytes) : text.slice(-maxBytes));
  let cut = isHead ? Math.min(bytes.length, maxBytes) : Math.max(0, bytes.length - maxBytes);
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80) cut += isHead ? -1 : 1;
  return decoder.decode(isHead ? bytes.subarray(0, cut) : bytes.subarray(cut));
}
