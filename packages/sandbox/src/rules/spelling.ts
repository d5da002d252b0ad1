/** Makes names equal that a case-insensitive disk may treat as one: by letters, compositions, invisible characters. */
export function foldName(name: string): string {
  if (isAscii(name)) return name.toLowerCase();
  const cased = name.normalize("NFKC").toUpperCase().toLowerCase();
  // "σ" has another form at the end of a word.
  return cased.replaceAll("ς", "σ").normalize("NFKC").replaceAll(INVISIBLE, "");
}

/** Whether folding a name changes only the case of its letters. */
export function isAscii(name: string): boolean {
  return ASCII.test(name);
}

const ASCII = /^[\0-\x7f]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether a name is already what {@link foldNames} makes of it; most are, and each entry of a listing is asked. */
export function isFolded(name: string): boolean {
  return FOLDED.test(name);
}

const FOLDED = /^(?:[^A-Z:\x80-\uffff]*[^A-Z:. \x80-\uffff])?$/;

/** A relative path folded, and as Windows reads it: without trailing blanks and dots, and without a stream's name. */
export function foldNames(relative: string): readonly string[] {
  const folded = foldName(relative);
  if (!/:|[. ](?:\/|$)/u.test(folded)) return [folded];
  const names = folded.split("/").map((name) => withoutTrailing(name.replace(/:.*$/su, "")));
  return [folded, names.join("/")];
}

/** A name without the blanks and dots at its end. */
export function withoutTrailing(name: string): string {
  return name.replace(/(?<=[^. ])[. ]+$/u, "");
}
