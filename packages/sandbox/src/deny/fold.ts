/** What a disk that folds names may take for the same name, made equal: letters, compositions, invisible characters. */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  const cased = name.normalize("NFKC").toUpperCase().toLowerCase();
  // "σ" is written in two ways, by its place in the word.
  return cased.replaceAll("ς", "σ").normalize("NFKC").replaceAll(INVISIBLE, "");
}

const ASCII = /^[\0-\x7f]*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** A relative path folded; also as Windows reads it: without blanks and dots at the end, and the name of a stream. */
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
