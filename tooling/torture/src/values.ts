import fc from "fast-check";
import type { Random } from "./random.ts";

const PIECES = [
  ..."a src index.ts README.md .. . / // \\ * ** ? [a-z] [!a] [ {a,b} { (auth) [...slug] ~ file:// C:\\".split(" "),
  ..."%2e%2e%2f é e\u0301 输出 😀 __proto__ constructor node_modules .git .env - -- $HOME `id` %s%n CON".split(" "),
  ...["\0", "\n", "\r", "\t", "\u001b[2J", "\u2028", "\u202e", "\ud800", "\udfff", "\ufeff", " ", "x".repeat(256)],
];

function nastyString(random: Random): string {
  if (random.chance(0.002)) return random.pick(PIECES).repeat(random.integer(1000, 60_000));
  if (random.chance(0.2)) return randomUnicode(random, random.integer(0, 30));
  return Array.from({ length: random.integer(0, 8) }, () => random.pick(PIECES)).join(random.chance(0.5) ? "" : "/");
}

function randomUnicode(random: Random, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.integer(0, 0xffff)));
}

const NUMBERS = [0, -0, 1, -1, 2, 50, 200, 201, 500, 2000, 2001, 0.5, 1.5, NaN, Infinity, -Infinity];
const LARGE_NUMBERS = [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 1e21, 1e308, 5e-324, -(2 ** 53)];
const WORDS = ["1", "true", "null", "", "1e3", "0x10", "[]"];
const KEYS = ["path", "pattern", "limit", "a", "__proto__", "constructor", "toString", "toJSON", "then", "length"];

/** Any value that JavaScript can pass, what JSON cannot hold, and what fights back when it is looked at. */
export function nastyValues(random: Random): () => unknown {
  const kinds = { withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true };
  const anything = fc.anything({ ...kinds, withSparseArray: true, maxDepth: 4, key: fc.constantFrom(...KEYS) });
  const pool = fc.sample(anything, { seed: random.integer(0, 2 ** 30), numRuns: 1000 });
  return () => {
    const kind = random.fraction();
    if (kind < 0.3) return nastyString(random);
    if (kind < 0.5) return random.pick<unknown>([...NUMBERS, ...LARGE_NUMBERS, ...WORDS, true, false, null, undefined]);
    if (kind < 0.6) return random.integer(-5, 2500);
    return kind < 0.95 ? random.pick(pool) : exotic(random);
  };
}

function exotic(random: Random): unknown {
  const refuse = () => {
    throw new Error("refused");
  };
  return random.pick<() => unknown>([
    () => Symbol("s"),
    () => () => 1,
    () => new Error("boom"),
    () => new String("src"),
    () => nested(random.integer(100, 20_000)),
    () => {
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      return circular;
    },
    () => Object.defineProperty({}, "path", { enumerable: true, get: refuse }),
    () => new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse }),
    () => ({ toJSON: refuse }),
    () => ({ toString: refuse }),
    () => Array.from({ length: random.integer(1000, 20_000) }, (_, index) => `*${index}`),
  ])();
}

function nested(depth: number): object {
  let value: object = {};
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { value } : [value];
  return value;
}

const ENCODINGS = ["utf-8", "latin1", "utf16le", "shift_jis", "hex", "nonsense", "__proto__"];
const SANE: Readonly<Record<string, (random: Random) => unknown>> = {
  path: nastyString,
  filePath: nastyString,
  pattern: nastyString,
  offset: (random) => random.integer(0, 30),
  limit: (random) => random.integer(0, random.chance(0.8) ? 200 : 2100),
  start_line: (random) => random.integer(0, 5),
  start_column: (random) => random.integer(0, 5),
  encoding: (random) => random.pick(ENCODINGS),
  include_hidden: (random) => random.chance(0.5),
  include_ignored: (random) => random.chance(0.5),
  ignore: (random) => Array.from({ length: random.integer(0, 4) }, () => nastyString(random)),
};

export interface Signature {
  readonly required: string;
  readonly parameters: readonly string[];
  readonly samples: readonly string[];
}

/** Parameters as a confused model sends them: mostly known names, often the right type, now and then anything. */
export function nastyParams(
  random: Random,
  nasty: () => unknown,
  { required, parameters, samples }: Signature,
): unknown {
  if (random.chance(0.05)) return random.chance(0.8) ? nasty() : exotic(random);
  const params: Record<string, unknown> = {};
  // An own property, also where the name is `__proto__`.
  const define = (name: string, value: unknown) =>
    Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true });
  if (random.chance(0.9)) define(required, random.chance(0.7) ? random.pick(samples) : nastyString(random));
  for (let count = random.integer(0, 3); count > 0; count--) {
    const name = random.pick(random.chance(0.8) ? parameters : [...Object.keys(SANE), nastyString(random)]);
    if (name === required && random.chance(0.9)) continue;
    const sane = Object.hasOwn(SANE, name) && random.chance(0.8) ? SANE[name] : undefined;
    define(name, sane === undefined ? nasty() : sane(random));
  }
  return params;
}
