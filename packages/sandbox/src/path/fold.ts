/** What a disk that folds names may take for the same name, made equal: letters, compositions, invisible characters. */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  const cased = name.normalize("NFKC").toUpperCase().toLowerCase();
  // "σ" is written in two ways, by its place in the word.
  return cased.replaceAll("ς", "σ").normalize("NFKC").replaceAll(INVISIBLE, "");
}

const ASCII = /^[\0-\x7f]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A relative path folded; for names that end in blanks or dots also as Windows reads it, without them. */
export function foldNames(relative: string): readonly string[] {
  const folded = foldName(relative);
  return /[. ](?:\/|$)/u.test(folded) ? [folded, folded.split("/").map(withoutTrailing).join("/")] : [folded];
}

/** A name without the blanks and dots at its end. */
export function withoutTrailing(name: string): string {
  return name.replace(/(?<=[^. ])[. ]+$/u, "");
}
