/** The paths that an error's text suggests in place of a missing one; either flavour's wording. */
export function suggestionsIn(text: string): string[] {
  const advice = /Did you mean ([^]*)/u.exec(text)?.[1] ?? "";
  if (advice.startsWith("one of these?\n")) return advice.split("\n").filter((line) => line.startsWith("/"));
  const sentence = /^.*?'\?/su.exec(advice)?.[0] ?? "";
  return [...sentence.matchAll(/'([^']+)'/gu)].map((found) => found[1] ?? "");
}
