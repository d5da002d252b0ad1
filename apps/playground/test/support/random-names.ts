const CONSONANTS = "bdfgklmnprtvz";
const VOWELS = "aeiou";

/** Names that no code can know in advance; a seed makes them the same again. */
export function createNames(seed: number): { word(): string; pascal(): string; camel(...parts: string[]): string } {
  let state = seed >>> 0;
  const used = new Set<string>();
  const random = (below: number) => {
    // A linear congruential generator; good enough for names.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (letters: string) => letters.charAt(random(letters.length));
  const word = (): string => {
    // Ends in "x", which no suffix rule of the planner takes off.
    const made = `${Array.from({ length: 3 }, () => pick(CONSONANTS) + pick(VOWELS)).join("")}x`;
    if (used.has(made)) return word();
    used.add(made);
    return made;
  };
  const capital = (part: string) => part.charAt(0).toUpperCase() + part.slice(1);
  return {
    word,
    pascal: () => capital(word()),
    camel: (first = word(), ...rest) => first + rest.map(capital).join(""),
  };
}
