const STOP_WORDS = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below between both but by " +
    "can code codebase could did do does doing done down during each else ever every explain exactly few file files find " +
    "first folder for from further get gets give had has have having here how i if in into is it its itself just know let " +
    "like list look made make makes many me mean means more most much must my need needs no nor not now of off on once one " +
    "only or other our out over own part please project put read repo repository same say says see shall she should show " +
    "so some such sure take takes tell than that the their them then there these they thing things this those through to " +
    "too under until up us use used uses using very want was way we were what when where which while who whom why will " +
    "with work works would you your directory line lines happen happens handle handled handles available exist exists " +
    "defined required"
  ).split(" "),
);

// Longest first.
const SUFFIXES = ["ings", "ions", "ing", "ion", "ies", "ers", "ors", "ed", "er", "es", "ly", "or", "e", "s", "y"];

/** The words of a question that carry its subject, in order, without repetition. */
export function keywords(question: string): string[] {
  // A capital inside a sentence makes a name of any word: "Why is Read fast?"
  const names = new Set(
    [...question.matchAll(/(?<=[\p{Ll}\p{N},] )\p{Lu}\p{Ll}+\b/gu)].map(([name]) => name.toLowerCase()),
  );
  const words = question
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && (names.has(word) || !STOP_WORDS.has(word)));
  return [...new Set(words)];
}

/** A word without its ending, so that "truncator", "truncates" and "truncation" meet; used as a part of other words. */
export function stem(word: string): string {
  const suffix = SUFFIXES.find((ending) => word.endsWith(ending) && word.length - ending.length >= 4);
  return suffix === undefined || word.endsWith("ss") ? word : word.slice(0, -suffix.length);
}

/** The parts of a name: "readConfigFile", "read_config_file" and "read-config-file" all have three. */
export function nameParts(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}

// Shorter ones are parts of too many other words.
const MIN_PART_LENGTH = 4;

/** True if a text, in lower case, holds a stem: as a part of a word, or as a word where the stem is short. */
export function holds(text: string, part: string): boolean {
  if (part.length >= MIN_PART_LENGTH) return text.includes(part);
  return nameParts(text).includes(part);
}

/** A pattern for file names that hold a stem in its usual spellings; Glob is case-sensitive. */
export function namePattern(part: string): string {
  return part.length >= MIN_PART_LENGTH ? `**/*{${spellings(part)}}*` : `**/{${spellings(part)}}{.*,-*,_*}`;
}

/** A pattern for paths that are named after a stem: the file itself, or a directory on the way to it. */
export function pathsNamedAfter(part: string): string {
  const names = part.length >= MIN_PART_LENGTH ? `*{${spellings(part)}}*` : `{${spellings(part)}}`;
  const files = part.length >= MIN_PART_LENGTH ? names : `${names}{.*,-*,_*}`;
  return `{**/${files},**/${names}/**}`;
}

/** A text as a regular expression for itself. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/gu, String.raw`\$&`);
}

/** A regular expression for lines that hold one of some stems. */
export function wordPattern(parts: readonly string[]): string {
  return parts.map((part) => (part.length >= MIN_PART_LENGTH ? part : String.raw`\b${part}\b`)).join("|");
}

/** A regular expression for lines that hold two of some stems, in either order; of one stem, for that one. */
export function besideInLine(parts: readonly string[]): string {
  if (parts.length < 2) return wordPattern(parts);
  return parts
    .flatMap((first, at) => {
      const others = parts.filter((_, other) => other !== at);
      return `(?:${wordPattern([first])}).*(?:${wordPattern(others)})`;
    })
    .join("|");
}

function spellings(part: string): string {
  const capital = part.charAt(0).toUpperCase() + part.slice(1);
  return [...new Set([part, capital, part.toUpperCase()])].join(",");
}
