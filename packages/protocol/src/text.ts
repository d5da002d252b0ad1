// Cc: C0, DEL and C1 controls. Cs: lone surrogates. Then line separators and every bidirectional control.
const UNSAFE = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);
const MAX_ECHO_CHARACTERS = 200;

/** Shows controls, line separators and bidi controls as escapes, so that a file name cannot forge a line of `text`. */
export function escapeText(value: string): string {
  return value.replace(UNSAFE, escapeCharacter);
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

/** Joins an error's sentence and its next step into one text. */
export function withHint(message: string, hint: string): string {
  return /[.!?)\]]$/u.test(message) ? `${message} ${hint}` : `${message}. ${hint}`;
}

/** Adds lines to the first part of a text, which ends at its first blank line. */
export function withNotes(text: string, notes: readonly string[]): string {
  if (notes.length === 0) return text;
  const blank = text.indexOf("\n\n");
  const end = blank === -1 ? text.length : blank;
  return [text.slice(0, end), ...notes].join("\n") + text.slice(end);
}

function escapeCharacter(character: string): string {
  return SHORT_ESCAPES.get(character) ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
