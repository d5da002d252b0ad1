import type { Random } from "./random.ts";

const PIECES = [
  ..."a src index.ts README.md .. . / // \\ * ** ? [a-z] [!a] [ {a,b} { (auth) [...slug] ~ file:// C:\\".split(" "),
  ..."%2e%2e%2f é e\u0301 输出 😀 __proto__ constructor node_modules .git .env - -- $HOME `id` %s%n CON".split(" "),
  ...["\0", "\n", "\r", "\t", "\u001b[2J", "\u2028", "\u202e", "\ud800", "\udfff", "\ufeff", " ", "x".repeat(256)],
];

/** Text of the kind that breaks things. */
export function nastyString(random: Random): string {
  if (random.chance(0.002)) return random.pick(PIECES).repeat(random.integer(1000, 60_000));
  if (random.chance(0.2)) return randomUnicode(random, random.integer(0, 30));
  return Array.from({ length: random.integer(0, 8) }, () => random.pick(PIECES)).join(random.chance(0.5) ? "" : "/");
}

/** Any code units, lone surrogates included. */
function randomUnicode(random: Random, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.integer(0, 0xffff)));
}
